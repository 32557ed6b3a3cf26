import Sandbox

/// One agent from its start to its ten-thousandth notification.
struct AgentUnderLoad {
    let program: AgentProgram
    let isQuick: Bool

    /// Notifications whose way is timed, each after a pause in which the agent came to rest.
    private var timed: Int { isQuick ? 200 : 1_000 }
    /// Notifications in all.
    private var total: Int { isQuick ? 1_000 : 10_000 }
    private static let rest = Duration.milliseconds(5)

    func measure(into table: Table, _ desktop: Desktop) async throws {
        try await Sandbox.with(SandboxOptions(requireToken: false)) { sandbox in
            try await Relay.with(to: sandbox.port) { relay in
                let watch = try await desktop.watchAgent()
                let agent = try program.start(port: relay.port, .init(groupAbove: 1_000))
                _ = try await watch.appearance()
                let figures = ProcessFigures(pid: agent.pid)
                let start = try await idle(figures)
                try await notifications(figures, sandbox, relay, desktop, table)
                try memory(figures, after: start, table)
                agent.end()
            }
            let violations = await sandbox.violations
            guard violations.isEmpty else {
                throw Child.Failure(description: "the agent broke the protocol: \(violations)")
            }
        }
    }

    // MARK: Memory

    /// - Returns: kilobytes of memory at rest.
    private func idle(_ figures: ProcessFigures) async throws -> Int {
        // The pool's threads end after five seconds without work: what is idle shows only then.
        try await Task.sleep(for: .seconds(7))
        return try figures.memory.resident
    }

    private func memory(_ figures: ProcessFigures, after start: Int, _ table: Table) throws {
        let memory = try figures.memory
        let when = "agent, after \(total) notifications"
        let (resident, before) = (Figure.megabytes(kilobytes: memory.resident), Figure.megabytes(kilobytes: start))
        try table.add(
            "\(when): RSS, to that before",
            .ratio(resident, to: before),
            beside: "\(resident.text); before \(before.text)",
            .memoryGrowth
        )
        try table.add("\(when): private dirty", .megabytes(kilobytes: memory.privateDirty))
        try table.add("\(when): threads", .count(try figures.threads))
    }

    // MARK: Notifications

    private func notifications(
        _ figures: ProcessFigures,
        _ sandbox: Sandbox,
        _ relay: Relay,
        _ desktop: Desktop,
        _ table: Table
    ) async throws {
        var popups = desktop.popups.makeAsyncIterator()
        var times: [ContinuousClock.Instant] = []
        for number in 0..<timed {
            try await Task.sleep(for: Self.rest)
            try await sandbox.publish(Self.notification(number))
            if let popup = await popups.next() { times.append(popup.time) }
        }
        try await Task.sleep(for: Self.rest)

        let cpu = try figures.processorTime
        for number in timed..<total {
            try await sandbox.publish(Self.notification(number))
            _ = await popups.next()
        }
        let spent = try figures.processorTime - cpu

        guard let last = times.last else { throw Child.Failure(description: "the agent showed nothing") }
        try report(Journeys(await relay.passages(until: last), popups: times), table)
        try table.add(
            "agent: CPU for one notification of \(total - timed) without a pause (event, details, popup, signals)",
            .milliseconds(spent / (total - timed))
        )
    }

    private func report(_ journeys: Journeys, _ table: Table) throws {
        guard journeys.agent.count * 100 >= timed * 95 else {
            throw Child.Failure(description: "\(journeys.incomplete) of \(timed) notifications could not be followed")
        }
        let what = "socket frame to `Notify` at the notification server, \(journeys.agent.count) single notifications"
        let service = try journeys.service.milliseconds(0.5).text
        let beside = "not counted: the service's answer, p50 \(service), as timed by a relay between the two"
        try table.add("\(what): p50", try journeys.agent.milliseconds(0.5), beside: beside)
        try table.add("\(what): p99", try journeys.agent.milliseconds(0.99))
    }

    /// A notification as services send them: a sentence, some markup, a link, a button.
    static func notification(_ number: Int) -> JSON {
        [
            "header": .string("Order \(number) was shipped"),
            "text": .string(
                "Your **parcel** is on its way and will be there on Friday. "
                    + "[Follow it](https://shop.example.com/track)."
            ),
            "url": .string("https://shop.example.com/orders/\(number)"),
            "actions": [["name": "Follow", "url": "https://shop.example.com/track"]],
            "n_category": "transactional",
        ]
    }
}
