import Sandbox

/// One agent from its start to its ten-thousandth notification.
struct AgentUnderLoad {
    let program: AgentProgram
    let isQuick: Bool

    /// Notifications whose way is timed, each after a pause in which the agent came to rest.
    private var timed: Int { isQuick ? 200 : 1_000 }
    /// Notifications in all.
    private var total: Int { isQuick ? 1_000 : 10_000 }
    private var idleTime: Duration { isQuick ? .seconds(3) : .seconds(10) }
    private static let rest = Duration.milliseconds(5)

    func measure(into table: Table, _ desktop: Desktop) async throws {
        try await Sandbox.with(SandboxOptions(requireToken: false)) { sandbox in
            try await Relay.with(to: sandbox.port) { relay in
                let watch = try await desktop.watchAgent()
                let agent = try program.start(port: relay.port, groupAbove: 1_000)
                _ = try await watch.appearance()
                let figures = ProcessFigures(pid: agent.pid)
                let start = try await idle(figures, table)
                try await notifications(figures, sandbox, relay, desktop, table)
                memory(figures, after: start, table)
                agent.end()
            }
            let violations = await sandbox.violations
            guard violations.isEmpty else {
                throw Child.Failure(description: "the agent broke the protocol: \(violations)")
            }
        }
    }

    // MARK: At rest

    /// - Returns: kilobytes of memory at rest.
    private func idle(_ figures: ProcessFigures, _ table: Table) async throws -> Int {
        // The pool's threads end after five seconds without work: what is idle shows only then.
        try await Task.sleep(for: .seconds(7))
        let before = figures.contextSwitches
        try await Task.sleep(for: idleTime)
        // Threads that ended meanwhile are not counted.
        let switches = figures.contextSwitches.reduce(ProcessFigures.ContextSwitches()) {
            $0 + $1.value - before[$1.key, default: .init()]
        }
        let memory = figures.memory
        table.add("agent, one account connected, idle: RSS", memory.resident.kilobytesInMegabytes, "≤ 24 MB")
        table.add("agent, idle: private dirty", memory.privateDirty.kilobytesInMegabytes, "≤ 5 MB")
        table.add("agent, idle: threads", "\(figures.threads)", "≤ 4")
        let seconds = Int(idleTime / .seconds(1))
        table.add(
            "agent, idle: context switches of all threads in \(seconds) s, from 7 s after the connection",
            "\(switches.voluntary + switches.involuntary)"
        )
        return memory.resident
    }

    private func memory(_ figures: ProcessFigures, after start: Int, _ table: Table) {
        let memory = figures.memory
        let count = total
        table.add("agent, after \(count) notifications: RSS", memory.resident.kilobytesInMegabytes)
        table.add(
            "agent, after \(count) notifications: growth of RSS",
            (memory.resident - start).kilobytesInMegabytes,
            "≤ 3 MB"
        )
        table.add("agent, after \(count) notifications: private dirty", memory.privateDirty.kilobytesInMegabytes)
        table.add("agent, after \(count) notifications: threads", "\(figures.threads)", "≤ 4")
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
            if let time = await popups.next() { times.append(time) }
        }
        try await Task.sleep(for: Self.rest)

        let cpu = figures.processorTime
        for number in timed..<total {
            try await sandbox.publish(Self.notification(number))
            _ = await popups.next()
        }
        let spent = figures.processorTime - cpu

        var passages: [Relay.Passage] = []
        for await passage in relay.passages {
            passages.append(passage)
            if let last = times.last, passage.time > last { break }
        }
        report(Journeys(passages, popups: times), table)
        table.add(
            "agent: CPU time for one notification (event, details, popup, signals), over \(total - timed)",
            (spent / (total - timed)).inMilliseconds,
            "≤ 0.4 ms"
        )
    }

    private func report(_ journeys: Journeys, _ table: Table) {
        guard let p50 = journeys.agent.median, let p99 = journeys.agent.quantile(0.99),
            let service = journeys.service.median
        else {
            return table.add("socket frame to `Notify`", "nothing was measured", "")
        }
        let what = "socket frame to `Notify` at the notification server, \(journeys.agent.count) single notifications"
        table.add("\(what): p50", p50.inMilliseconds, "≤ 1 ms")
        table.add("\(what): p99", p99.inMilliseconds, "≤ 4 ms")
        table.add(
            "not counted above: the service's answer to the details request, as timed by a relay between the two, p50",
            service.inMilliseconds
        )
        if journeys.incomplete > 0 { table.add("notifications that could not be followed", "\(journeys.incomplete)") }
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
