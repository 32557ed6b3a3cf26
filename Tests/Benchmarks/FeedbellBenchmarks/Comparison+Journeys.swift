import Sandbox

extension Comparison {
    /// The way from the socket frame to `Notify` without the service, whose answer takes equally long for both agents.
    func measureJourneys(into table: Table) async throws {
        try await Desktop.with { desktop in
            try await Sandbox.with(SandboxOptions(users: Self.users, requireToken: false)) { sandbox in
                for user in Self.users { try await desktop.fill(sandbox, Self.fewRows, of: user) }
                try await Relay.with(to: sandbox.port) { own in
                    try await Relay.with(to: sandbox.port) { other in
                        try await measureJourneys(own, other, sandbox, desktop, table)
                    }
                }
            }
        }
    }

    private func measureJourneys(
        _ own: Relay,
        _ other: Relay,
        _ sandbox: Sandbox,
        _ desktop: Desktop,
        _ table: Table
    ) async throws {
        let watch = try await desktop.watchAgent()
        let agent = try program.start(port: own.port, .init(groupAbove: 1_000))
        _ = try await watch.appearance()
        let script = try await python.start(sandbox, port: other.port)
        var popups = desktop.popups.makeAsyncIterator()
        var displays: [(own: Display, python: Display)] = []
        for number in 0..<(Self.warmUp + count) { displays.append(try await publish(number, sandbox, &popups)) }
        // Something for each relay after the last popup.
        _ = try await publish(displays.count, sandbox, &popups)
        agent.end()
        script.end()
        let mine = try await times(own, displays.map(\.own.popup))
        let theirs = try await times(other, displays.map(\.python.popup))
        for (name, part, budget) in [("p50", 0.5, Budget.eventToPopup), ("p99", 0.99, nil)] {
            let (mine, theirs) = (try mine.milliseconds(part), try theirs.milliseconds(part))
            try table.add(
                "\(series), without the service: socket frame to `Notify`, \(name), to that of the Python agent",
                .ratio(mine, to: theirs),
                beside: "\(mine.text); Python agent \(theirs.text)",
                budget
            )
        }
    }

    private func times(_ relay: Relay, _ popups: [ContinuousClock.Instant]) async throws -> [Duration] {
        guard let last = popups.last else { throw Child.Failure(description: "no notification was shown") }
        let journeys = Journeys(await relay.passages(until: last), popups: popups)
        guard journeys.incomplete == 0 else {
            throw Child.Failure(description: "\(journeys.incomplete) notifications could not be followed")
        }
        return Array(journeys.agent.dropFirst(Self.warmUp))
    }
}
