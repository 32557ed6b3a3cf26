import AgentInterface
import Sandbox

/// The agent and the Python agent in the same run, with the same service and the same notification server: what each
/// of them needs for a notification.
///
/// They are two users, whose notifications alternate. So neither competes with the other for a processor. But one of
/// them may have the slower processor from its start to its end, so both are started several times.
struct Comparison {
    let program: AgentProgram
    let python: PythonAgent
    let isQuick: Bool

    /// How often both are started.
    private var starts: Int { isQuick ? 1 : 5 }
    /// The notifications of each after a start and those that only warm up.
    var count: Int { isQuick ? 100 : 150 }
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
        let few = try await measure(rows: Self.fewRows, into: table)
        let many = try await measure(rows: Self.manyRows, into: table)
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

    private func measure(rows: Int, into table: Table) async throws -> Costs {
        var loaded = 0
        var (own, other) = (Measurements(), Measurements())
        for start in 0..<starts {
            let isFirst = rows == Self.fewRows && start == 0
            loaded = try await measureStart(rows: rows, &own, &other, idle: isFirst ? table : nil)
        }
        return Costs(rows: loaded, processorTime: try report(own, other, "\(loaded) rows loaded at first", table))
    }

    /// - Parameter idle: Gets what both need without notifications.
    /// - Returns: The number of loaded rows.
    private func measureStart(
        rows: Int,
        _ own: inout Measurements,
        _ other: inout Measurements,
        idle: Table?
    ) async throws -> Int {
        try await Desktop.with { desktop in
            try await Sandbox.with(SandboxOptions(users: Self.users, requireToken: false)) { sandbox in
                // Both, so that the service has the same work for each.
                for user in Self.users { try await desktop.fill(sandbox, rows, of: user) }
                let watch = try await desktop.watchAgent()
                let agent = try program.start(port: sandbox.port, .init(groupAbove: 1_000, pageSize: 100))
                _ = try await watch.appearance()
                let loaded = try await desktop.load(rows)
                let script = try await python.start(sandbox, port: sandbox.port)
                let (ours, theirs) = (ProcessFigures(pid: agent.pid), ProcessFigures(pid: script.pid))
                // Work that the start left ends meanwhile.
                try await Task.sleep(for: .seconds(7))
                if let idle { try reportIdle(ours, theirs, idle) }

                var popups = desktop.popups.makeAsyncIterator()
                for number in 0..<Self.warmUp { _ = try await publish(number, sandbox, &popups) }
                try await Task.sleep(for: .seconds(1))
                try own.begin(ours)
                try other.begin(theirs)
                for number in Self.warmUp..<(Self.warmUp + count) {
                    let (mine, python) = try await publish(number, sandbox, &popups)
                    own.add(mine.start.duration(to: mine.popup))
                    other.add(python.start.duration(to: python.popup))
                    // Threads may end.
                    if number % 20 == 0 { try own.sample(); try other.sample() }
                }
                // Their work after a popup belongs to it.
                try await Task.sleep(for: .seconds(1))
                try own.end(ours)
                try other.end(theirs)
                agent.end()
                script.end()
                return loaded
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
        try table.add(
            "agent, one account, idle: RSS",
            .megabytes(kilobytes: mine.resident),
            beside: "Python agent: \(Figure.megabytes(kilobytes: python.resident).text)",
            .idleMemory
        )
        let dirty = (
            mine: Figure.megabytes(kilobytes: mine.privateDirty),
            python: Figure.megabytes(kilobytes: python.privateDirty)
        )
        try table.add(
            "agent, one account, idle: private dirty, to that of the Python agent",
            .ratio(dirty.mine, to: dirty.python),
            beside: "\(dirty.mine.text); Python agent \(dirty.python.text)",
            .idlePrivateDirty
        )
        try table.add(
            "agent, one account, idle: threads",
            .count(try own.threads),
            beside: "Python agent: \(try other.threads)",
            .idleThreads
        )
    }

    /// - Returns: The processor time, to that of the Python agent.
    private func report(
        _ own: Measurements,
        _ other: Measurements,
        _ rows: String,
        _ table: Table
    ) throws -> Figure {
        let what = "\(series), \(rows)"
        func add(_ part: String, _ ratio: Figure, _ mine: Figure, _ python: Figure, _ budget: Budget? = nil) throws {
            try table.add(
                "\(what): \(part), to that of the Python agent",
                ratio,
                beside: "\(mine.text); Python agent \(python.text)",
                budget
            )
        }
        let ratios = zip(own.processorTimes, other.processorTimes).map { $0 / $1 }
        let processorTime = Figure(ratios.median ?? 0, .times)
        try add(
            "CPU for one, median of \(ratios.count) starts",
            processorTime,
            try own.processorTimes.map { $0 / count }.milliseconds(0.5),
            try other.processorTimes.map { $0 / count }.milliseconds(0.5),
            .processorTime
        )
        for (name, part, budget) in [("p50", 0.5, Budget.eventToPopup), ("p99", 0.99, nil)] {
            let (mine, python) = (try own.times(part), try other.times(part))
            try add("event to `Notify`, \(name)", .ratio(mine, to: python), mine, python, budget)
        }
        func switches(_ measurements: Measurements) -> Figure {
            Figure(Double(measurements.switches) / Double(count * starts), .count)
        }
        try table.add(
            "\(what): voluntary thread switches for one",
            switches(own),
            beside: "Python agent \(switches(other).text)",
            .switches
        )
        return processorTime
    }
}

/// The measurements of one of the two agents, over all of its starts.
private struct Measurements {
    private(set) var switches = 0
    private(set) var processorTimes: [Duration] = []
    private var durations: [Duration] = []
    private var began = Duration.zero
    private var counter: SwitchCounter?

    /// Begins with a start: earlier work of the process is not counted.
    mutating func begin(_ figures: ProcessFigures) throws {
        counter = try SwitchCounter(figures)
        began = try figures.processorTime
    }

    mutating func add(_ duration: Duration) { durations.append(duration) }

    mutating func sample() throws { try counter?.sample() }

    mutating func end(_ figures: ProcessFigures) throws {
        try sample()
        switches += counter?.voluntary ?? 0
        processorTimes.append(try figures.processorTime - began)
    }

    func times(_ part: Double) throws -> Figure { try durations.milliseconds(part) }
}
