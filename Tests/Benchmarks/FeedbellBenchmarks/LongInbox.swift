import AgentInterface
import DBus
import Sandbox

/// An inbox of a year: what the agent keeps of it on this computer, how it starts with that, and how fast it is
/// searched.
struct LongInbox {
    let program: AgentProgram
    let isQuick: Bool

    /// Notifications that the service has.
    private static let offered = 50_000
    /// Notifications that are kept if the configuration says nothing.
    private static let kept = 5_000
    private static let searched = 10_000
    /// How many of those match, and the words.
    private static let searches = [(1, "order 48273"), (1_000, "shipped ord 48"), (searched, "parcel friday")]

    func measure(into table: Table) async throws {
        try await Desktop.with { desktop in
            try await Sandbox.with(SandboxOptions(requireToken: false)) { sandbox in
                try await desktop.fill(sandbox, Self.offered)
                try await memory(sandbox, desktop, table)
                try await starts(sandbox, desktop, table)
            }
            try await Sandbox.with(SandboxOptions(requireToken: false)) { sandbox in
                try await search(sandbox, desktop, table)
            }
        }
    }

    private func memory(_ sandbox: Sandbox, _ desktop: Desktop, _ table: Table) async throws {
        let watch = try await desktop.watchAgent()
        let agent = try program.start(port: sandbox.port, .init(pageSize: 100))
        _ = try await watch.appearance()
        try await keep(Self.kept, desktop)
        try await rest(agent.pid, "agent, \(Self.kept) of \(Self.offered) notifications listed", .listedMemory, table)
        agent.end()
    }

    /// Adds the memory of an agent that has done nothing for longer than the service takes between two pings: it
    /// returns what is free of its heap when it next works.
    private func rest(_ pid: Int32, _ what: String, _ budget: Budget, _ table: Table) async throws {
        try await Task.sleep(for: .seconds(30))
        let figures = ProcessFigures(pid: pid)
        let memory = try figures.memory
        let dirty = Figure.megabytes(kilobytes: memory.privateDirty).text
        let peak = Figure.megabytes(kilobytes: try figures.peakMemory).text
        try table.add(
            "\(what), at rest: RSS",
            .megabytes(kilobytes: memory.resident),
            beside: "private dirty \(dirty); at its peak \(peak)",
            budget
        )
    }

    private func starts(_ sandbox: Sandbox, _ desktop: Desktop, _ table: Table) async throws {
        var online: [Duration] = []
        let count = isQuick ? 3 : 10
        var busctl: [Duration] = []
        for number in 1...count {
            let watch = try await desktop.watchAgent()
            let agent = try program.start(port: sandbox.port, .init(keepsState: true))
            let appearance = try await watch.appearance()
            online.append(agent.start.duration(to: appearance.online))
            busctl.append(try OneCallCommands.ping())
            if number == count {
                try await rest(agent.pid, "agent, \(Self.kept) notifications kept", .idleMemory, table)
            }
            agent.end()
        }
        try table.add(start: "connected with \(Self.kept) notifications kept", online, busctl, .startToOnline)
    }

    private func search(_ sandbox: Sandbox, _ desktop: Desktop, _ table: Table) async throws {
        // An agent loads only half of that.
        let middle = Self.offered - Self.searched / 2
        try await desktop.fill(sandbox, (Self.offered - Self.searched)..<middle, until: Self.offered)
        try await keeping(sandbox, desktop, .init()) { _ in try await keep(Self.searched / 2, desktop) }
        try await desktop.fill(sandbox, middle..<Self.offered, until: Self.offered)
        try await keeping(sandbox, desktop, .init(keepsState: true)) { pid in
            let listed = Self.searched / 2
            try await keep(listed, desktop)
            try await searches(desktop, table)
            let what = "agent, \(Self.searched) notifications kept, \(listed) listed"
            try await rest(pid, what, .listedMemory, table)
        }
    }

    /// Runs `body` beside an agent that keeps all that is searched, with its process.
    private func keeping(
        _ sandbox: Sandbox,
        _ desktop: Desktop,
        _ options: AgentProgram.Options,
        _ body: (Int32) async throws -> Void
    ) async throws {
        var options = options
        (options.pageSize, options.keep) = (100, Self.searched)
        let watch = try await desktop.watchAgent()
        let agent = try program.start(port: sandbox.port, options)
        _ = try await watch.appearance()
        // Until the service has reported the inbox, the copy of the previous agent is listed.
        while try await desktop.account.get(AgentInbox.asOf) != 0 { try await Task.sleep(for: .milliseconds(10)) }
        try await body(agent.pid)
        agent.end()
    }

    private func searches(_ desktop: Desktop, _ table: Table) async throws {
        let what = "`List` of 20 with `text` among \(Self.searched) kept"
        let first = try await time(of: "parcel", desktop).duration
        try table.add("\(what): the first one, which indexes their words", .milliseconds(first))
        for (matching, text) in Self.searches {
            var times: [Duration] = []
            var lists: [Duration] = []
            for _ in 0..<(isQuick ? 20 : 100) {
                lists.append(try await time(of: nil, desktop).duration)
                let search = try await time(of: text, desktop)
                guard search.found == min(matching, 20) else {
                    throw Child.Failure(description: "\(search.found) notifications were found for \(text)")
                }
                times.append(search.duration)
            }
            let (search, list) = (try times.milliseconds(0.5), try lists.milliseconds(0.5))
            try table.add(
                "\(what), of which \(matching) match, \(times.count) calls: p50, to that without `text`",
                .ratio(search, to: list),
                beside: "\(search.text), longest \(try times.milliseconds(1).text); without \(list.text)",
                .search
            )
        }
    }

    /// - Parameter text: What is searched; nil: the newest are listed.
    private func time(of text: String?, _ desktop: Desktop) async throws -> (duration: Duration, found: Int) {
        var options: [String: Value] = ["limit": .uint32(20)]
        if let text { options["text"] = .string(text) }
        let start = ContinuousClock.now
        let list = try await desktop.account.call(AgentInbox.list, options)
        return (start.duration(to: .now), list.count)
    }

    /// Lists this many notifications, which are then kept.
    private func keep(_ count: Int, _ desktop: Desktop) async throws {
        let loaded = try await desktop.load(count)
        guard loaded == count else {
            throw Child.Failure(description: "the agent loaded \(loaded) of \(count) notifications")
        }
    }
}
