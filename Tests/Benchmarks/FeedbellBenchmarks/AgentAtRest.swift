import Sandbox

/// How often an agent that is connected, and has nothing to do, is woken all the same.
struct AgentAtRest {
    let program: AgentProgram
    let minutes: Int

    /// The threads are looked at so often: a thread that ends takes what it did since then with it.
    private static let interval = Duration.seconds(1)

    func measure(into table: Table, _ desktop: Desktop) async throws {
        try await Sandbox.with { sandbox in
            try await Relay.with(to: sandbox.port) { relay in
                let watch = try await desktop.watchAgent()
                let agent = try program.start(port: relay.port)
                _ = try await watch.appearance()
                // What is left of the start ends meanwhile.
                try await Task.sleep(for: .seconds(10))
                let (windows, end) = try await windows(of: ProcessFigures(pid: agent.pid))
                var pings: [ContinuousClock.Instant] = []
                // Something that passes the relay now, so that there is an end of what passed before.
                _ = try await sandbox.publish(AgentLife.notification(0))
                for await passage in relay.passages {
                    if passage.time > end { break }
                    if passage.kind == .ping { pings.append(passage.time) }
                }
                report(windows, pings, table)
                agent.end()
            }
        }
    }

    private struct Window {
        var start: ContinuousClock.Instant
        var end: ContinuousClock.Instant
        var switches = ProcessFigures.ContextSwitches()
    }

    private func windows(of figures: ProcessFigures) async throws -> ([Window], end: ContinuousClock.Instant) {
        var windows: [Window] = []
        let start = ContinuousClock.now
        var (before, time) = (figures.contextSwitches, start)
        while start.duration(to: time) < .seconds(60 * minutes) {
            try await Task.sleep(for: Self.interval)
            var window = Window(start: time, end: .now)
            let now = figures.contextSwitches
            for (thread, switches) in now {
                window.switches = window.switches + switches - before[thread, default: .init()]
            }
            windows.append(window)
            (before, time) = (now, window.end)
        }
        return (windows, time)
    }

    private func report(_ windows: [Window], _ pings: [ContinuousClock.Instant], _ table: Table) {
        let all = windows.reduce(ProcessFigures.ContextSwitches()) { $0 + $1.switches }
        // What a ping sets off may reach into the next window.
        let quiet = windows.enumerated().filter { index, window in
            let start = windows[max(0, index - 1)].start
            return !pings.contains { $0 >= start && $0 < window.end }
        }
        let beyond = quiet.reduce(ProcessFigures.ContextSwitches()) { $0 + $1.element.switches }
        let time = quiet.reduce(Duration.zero) { $0 + $1.element.start.duration(to: $1.element.end) }
        let what = "agent, connected and idle for \(minutes) min"
        table.add("\(what): pings of the service", "\(pings.count)")
        table.add("\(what): context switches of all threads, voluntary", "\(all.voluntary)")
        table.add("\(what): context switches of all threads, involuntary", "\(all.involuntary)")
        table.add(
            "\(what): voluntary ones where no ping was near (in \(Int(time / .seconds(1))) s)",
            "\(beyond.voluntary)"
        )
        table.add(
            "\(what): wake-ups per minute beyond pings",
            (Double(beyond.voluntary) / (time / .seconds(60))).rounded(to: 2),
            "none but the agent's own timers"
        )
    }
}
