import AgentInterface
import Sandbox

/// The agent and the Python agent in the same run, with the same service and the same notification server: what each
/// of them needs for a notification.
///
/// They are two users, whose notifications alternate. So neither competes with the other for a processor.
struct Comparison {
    let program: AgentProgram
    let python: PythonAgent
    let isQuick: Bool

    /// The notifications of each, after those that only warm up.
    var count: Int { isQuick ? 100 : 300 }
    static let warmUp = 30
    /// Between two notifications of one user.
    static let interval = Duration.milliseconds(50)
    static let users = [AgentProgram.user, PythonAgent.user]
    /// The name of the measurement in the table.
    var series: String { "\(count) notifications every \(Int(Self.interval / .milliseconds(1))) ms" }

    /// The notifications in the agent's list.
    static let fewRows = 10
    private static let manyRows = 1_000

    func measure(into table: Table) async throws {
        let few = try await measure(rows: Self.fewRows, isFirst: true, into: table)
        let many = try await measure(rows: Self.manyRows, isFirst: false, into: table)
        try table.add(
            "agent: CPU for one notification with \(many.rows) rows loaded, to that with \(few.rows)",
            .ratio(many.processorTime, to: few.processorTime),
            beside: many.rows < Self.manyRows
                ? "it does not load \(Self.manyRows)" : "each to that of the Python agent, which has no list",
            .loadedRows,
            isWhole: many.rows >= Self.manyRows
        )
        try await measureJourneys(into: table)
    }

    private struct Costs {
        var rows: Int
        /// To that of the Python agent: the speed of the machine changes between two measurements.
        var processorTime: Figure
    }

    private func measure(rows: Int, isFirst: Bool, into table: Table) async throws -> Costs {
        try await Desktop.with { desktop in
            try await Sandbox.with(SandboxOptions(users: Self.users, requireToken: false)) { sandbox in
                // Both, so that the service has the same work for each.
                for user in Self.users { try await desktop.fill(sandbox, rows, of: user) }
                let watch = try await desktop.watchAgent()
                let agent = try program.start(port: sandbox.port, .init(groupAbove: 1_000, pageSize: 100))
                _ = try await watch.appearance()
                let loaded = try await desktop.load(rows)
                let script = try await python.start(sandbox, port: sandbox.port)
                var (own, other) = (try MeasuredProcess(agent.pid), try MeasuredProcess(script.pid))
                // Work that the start left ends meanwhile.
                try await Task.sleep(for: .seconds(7))
                if isFirst { try reportIdle(own.figures, other.figures, table) }

                var popups = desktop.popups.makeAsyncIterator()
                for number in 0..<(Self.warmUp + count) {
                    if number == Self.warmUp {
                        try await Task.sleep(for: .seconds(1))
                        try own.begin()
                        try other.begin()
                    }
                    let (mine, python) = try await publish(number, sandbox, &popups)
                    own.add(mine.start.duration(to: mine.popup))
                    other.add(python.start.duration(to: python.popup))
                    // Threads may end.
                    if number % 20 == 0 { try own.sample(); try other.sample() }
                }
                // Their work after a popup belongs to it.
                try await Task.sleep(for: .seconds(1))
                try own.end()
                try other.end()
                agent.end()
                script.end()
                try report(own, other, "\(loaded) rows loaded at first", table)
                let (mine, python) = (own.processorTime, other.processorTime)
                return Costs(rows: loaded, processorTime: .ratio(.milliseconds(mine), to: .milliseconds(python)))
            }
        }
    }

    /// When a notification was published, and when its `Notify` arrived.
    struct Display {
        var start: ContinuousClock.Instant
        var popup: ContinuousClock.Instant
    }

    /// Publishes a notification to each user, the second after half of the interval. Returns after the interval.
    func publish(
        _ number: Int,
        _ sandbox: Sandbox,
        _ popups: inout AsyncStream<Desktop.Popup>.Iterator
    ) async throws -> (own: Display, python: Display) {
        let own = try await publish(number, AgentProgram.user, "Feedbell", sandbox, &popups)
        try await Task.sleep(until: own.start + Self.interval / 2, clock: .continuous)
        let python = try await publish(number, PythonAgent.user, PythonAgent.applicationName, sandbox, &popups)
        try await Task.sleep(until: own.start + Self.interval, clock: .continuous)
        return (own, python)
    }

    private func publish(
        _ number: Int,
        _ user: String,
        _ application: String,
        _ sandbox: Sandbox,
        _ popups: inout AsyncStream<Desktop.Popup>.Iterator
    ) async throws -> Display {
        // A change to the service's thread is not part of the way.
        let start = try await withTaskExecutorPreference(sandbox.executor) {
            let start = ContinuousClock.now
            try await sandbox.publish(AgentUnderLoad.notification(number), to: Recipient(user))
            return start
        }
        guard let popup = await popups.next(isolation: #isolation), popup.application == application else {
            throw Child.Failure(description: "\"\(application)\" did not show notification \(number)")
        }
        return Display(start: start, popup: popup.time)
    }

    // MARK: Reports

    private func reportIdle(_ own: ProcessFigures, _ other: ProcessFigures, _ table: Table) throws {
        let (mine, python) = (try own.memory, try other.memory)
        func add(_ what: String, _ value: Int, _ other: Int, _ budget: Budget) throws {
            let beside = "Python agent: \(Figure.megabytes(kilobytes: other).text)"
            try table.add("agent, one account, idle: \(what)", .megabytes(kilobytes: value), beside: beside, budget)
        }
        try add("RSS", mine.resident, python.resident, .idleMemory)
        try add("private dirty", mine.privateDirty, python.privateDirty, .idlePrivateDirty)
        try table.add(
            "agent, one account, idle: threads",
            .count(try own.threads),
            beside: "Python agent: \(try other.threads)",
            .idleThreads
        )
    }

    private func report(_ own: MeasuredProcess, _ other: MeasuredProcess, _ rows: String, _ table: Table) throws {
        let what = "\(series), \(rows)"
        func add(_ part: String, _ mine: Figure, _ python: Figure, _ budget: Budget? = nil) throws {
            try table.add(
                "\(what): \(part), to that of the Python agent",
                .ratio(mine, to: python),
                beside: "\(mine.text); Python agent \(python.text)",
                budget
            )
        }
        try add(
            "CPU for one",
            .milliseconds(own.processorTime / count),
            .milliseconds(other.processorTime / count),
            .processorTime
        )
        let (p50, p99) = (0.5, 0.99)
        try add("event to `Notify`, p50", try own.times(p50), try other.times(p50), .eventToPopup)
        try add("event to `Notify`, p99", try own.times(p99), try other.times(p99))
        let python = Figure(Double(other.switches) / Double(count), .count)
        try table.add(
            "\(what): voluntary thread switches for one",
            Figure(Double(own.switches) / Double(count), .count),
            beside: "Python agent \(python.text)",
            .switches
        )
    }
}

/// The resources that one of the two agents has used.
private struct MeasuredProcess {
    let figures: ProcessFigures
    private(set) var processorTime = Duration.zero
    private var durations: [Duration] = []
    private var counter: SwitchCounter

    init(_ pid: Int32) throws {
        figures = ProcessFigures(pid: pid)
        counter = try SwitchCounter(figures)
    }

    var switches: Int { counter.voluntary }

    /// Discards what was measured so far.
    mutating func begin() throws {
        counter = try SwitchCounter(figures)
        durations = []
        processorTime = try .zero - figures.processorTime
    }

    mutating func add(_ duration: Duration) { durations.append(duration) }

    mutating func sample() throws { try counter.sample() }

    mutating func end() throws {
        try counter.sample()
        processorTime += try figures.processorTime
    }

    func times(_ part: Double) throws -> Figure { try durations.milliseconds(part) }
}
