import Sandbox

/// How often an agent that is connected, and has nothing to do, is woken all the same.
struct IdleAgent {
    let program: AgentProgram
    let minutes: Int

    /// The interval at which threads are sampled: the figures of a thread since the last sample are lost when it ends.
    private static let interval = Duration.seconds(1)
    /// The work that follows a ping is done after this time: the threads of the concurrency runtime end after five
    /// seconds without work.
    private static let echo = Duration.seconds(7)

    func measure(into table: Table, _ desktop: Desktop) async throws {
        try await Sandbox.with(SandboxOptions(requireToken: false)) { sandbox in
            try await Relay.with(to: sandbox.port) { relay in
                let watch = try await desktop.watchAgent()
                let agent = try program.start(port: relay.port)
                _ = try await watch.appearance()
                // Work that the start left ends meanwhile.
                try await Task.sleep(for: .seconds(10))
                let (windows, end) = try await windows(of: ProcessFigures(pid: agent.pid))
                var pings: [ContinuousClock.Instant] = []
                // Something that passes the relay now, so that there is an end of what passed before.
                _ = try await sandbox.publish(AgentUnderLoad.notification(0))
                for await passage in relay.passages {
                    if passage.time > end { break }
                    if passage.kind == .ping { pings.append(passage.time) }
                }
                try report(windows, pings, table)
                agent.end()
            }
        }
    }

    private struct Window {
        var start: ContinuousClock.Instant
        var end: ContinuousClock.Instant
        /// By the names of the threads.
        var switches: [String: ProcessFigures.ContextSwitches] = [:]
    }

    private func windows(of figures: ProcessFigures) async throws -> ([Window], end: ContinuousClock.Instant) {
        var windows: [Window] = []
        let start = ContinuousClock.now
        var (before, time) = (try figures.contextSwitches, start)
        while start.duration(to: time) < .seconds(60 * minutes) {
            try await Task.sleep(for: Self.interval)
            var window = Window(start: time, end: .now)
            let now = try figures.contextSwitches
            for (thread, switches) in now {
                let name = figures.name(ofThread: thread)
                window.switches[name, default: .init()] =
                    window.switches[name, default: .init()] + switches - before[thread, default: .init()]
            }
            windows.append(window)
            (before, time) = (now, window.end)
        }
        return (windows, time)
    }

    private func report(
        _ windows: [Window],
        _ pings: [ContinuousClock.Instant],
        _ table: Table
    ) throws {
        let what = "agent, connected and idle for \(minutes) min"
        let all = sum(windows).values.reduce(ProcessFigures.ContextSwitches(), +)
        try table.add(
            "\(what): wake-ups (voluntary thread switches)",
            Figure(Double(all.voluntary) / Double(minutes), .perMinute),
            beside: "pings of the service: \(Figure(Double(pings.count) / Double(minutes), .perMinute).text)"
        )
        let quiet = windows.filter { window in
            !pings.contains { $0 + Self.echo > window.start && $0 < window.end }
        }
        let time = quiet.reduce(Duration.zero) { $0 + $1.start.duration(to: $1.end) }
        guard !pings.isEmpty, time > .seconds(15) else {
            throw Child.Failure(description: "there were \(pings.count) pings and \(time) without one")
        }
        let beyond = sum(quiet).mapValues(\.voluntary).filter { $0.value > 0 }.sorted { $0.value > $1.value }
        func perMinute(_ count: Int) -> Figure {
            Figure(Double(count) / (time / .seconds(60)), .perMinute, mayBeZero: true)
        }
        try table.add(
            "\(what): wake-ups beside the pings (in the \(Int(time / .seconds(1))) s more than 7 s after one)",
            perMinute(beyond.reduce(0) { $0 + $1.value }),
            beside: beyond.map { "thread `\($0.key)` \(perMinute($0.value).text)" }.joined(separator: ", "),
            .idleWakeUps
        )
    }

    private func sum(_ windows: [Window]) -> [String: ProcessFigures.ContextSwitches] {
        windows.reduce(into: [:]) { $0.merge($1.switches, uniquingKeysWith: +) }
    }
}
