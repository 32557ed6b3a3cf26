import FoundationEssentials
import Sandbox

/// The instructions in user space that the agent needs for a notification, counted by Valgrind. Unlike times, they are
/// the same in every run.
struct Instructions {
    /// The agent with its symbols.
    let program: AgentProgram
    let isQuick: Bool

    private static let fewRows = 10
    private static let manyRows = 1_000

    func measure(into table: Table) async throws {
        let few = try await measure(rows: Self.fewRows)
        try table.add(
            "agent: instructions for one notification, in user space, \(few.rows) rows loaded",
            few.instructions
        )
        if isQuick { return }
        try table.add(
            "agent: instructions for one notification of MagicBell, in user space",
            try await measureMagicBell()
        )
        let many = try await measure(rows: Self.manyRows)
        try table.add(
            "agent: instructions for one notification with \(many.rows) rows loaded, to those with \(few.rows)",
            .ratio(many.instructions, to: few.instructions),
            beside: many.instructions.text,
            .loadedRowsInstructions,
            isWhole: many.rows >= Self.manyRows
        )
    }

    private func measure(rows: Int) async throws -> (rows: Int, instructions: Figure) {
        try await Desktop.with { desktop in
            try await Sandbox.with(SandboxOptions(requireToken: false)) { sandbox in
                try await desktop.fill(sandbox, rows)
                var options = AgentProgram.Options()
                options.pageSize = 100
                let pace = Pace(warmUp: 20, count: 60, interval: .milliseconds(100))
                var loaded = 0
                let figure = try await count("\(rows)", at: pace, port: sandbox.port, options, desktop) {
                    loaded = try await desktop.load(rows)
                } publish: {
                    try await sandbox.publish(AgentUnderLoad.notification($0))
                }
                return (loaded, figure)
            }
        }
    }

    private func measureMagicBell() async throws -> Figure {
        try await Desktop.with { desktop in
            try await Sandbox.with(MagicBellAccount.service) { sandbox in
                let options = MagicBellAccount.options(port: sandbox.port)
                let pace = Pace(warmUp: 5, count: 20, interval: MagicBellAccount.interval)
                return try await count("magicbell", at: pace, port: sandbox.port, options, desktop) {
                    // It has no notifications at first.
                } publish: {
                    try await sandbox.publish(MagicBellAccount.notification($0))
                }
            }
        }
    }

    private struct Pace {
        var warmUp: Int
        var count: Int
        var interval: Duration
    }

    /// Runs the agent under Valgrind, and counts while notifications arrive.
    ///
    /// - Parameter name: The end of the profile's name.
    private func count(
        _ name: String,
        at pace: Pace,
        port: Int,
        _ options: AgentProgram.Options,
        _ desktop: Desktop,
        prepare: () async throws -> Void,
        publish: (Int) async throws -> Void
    ) async throws -> Figure {
        let callgrind = Callgrind(
            profile: "\(program.directory)/callgrind.\(name)",
            log: "\(program.directory)/callgrind_control.log"
        )
        var options = options
        options.groupAbove = 1_000
        options.launcher = callgrind.launcher(["--instr-atstart=no"])
        let watch = try await desktop.watchAgent()
        let agent = try program.start(port: port, options)
        _ = try await watch.appearance()
        try await prepare()
        var popups = desktop.popups.makeAsyncIterator()
        func send(_ count: Int) async throws {
            for number in 0..<count {
                try await publish(number)
                _ = await popups.next(isolation: #isolation)
                try await Task.sleep(for: pace.interval)
            }
            try await Task.sleep(for: .seconds(2))
        }
        try await send(pace.warmUp)
        try callgrind.start(agent.pid)
        try await send(pace.count)
        try callgrind.dump(agent.pid)
        let total = try await total(of: "\(callgrind.profile).1")
        agent.end()
        return Figure(Double(total) / Double(pace.count) / 1_000_000, .millions)
    }

    /// Reads how many instructions a profile contains, once it is written.
    private func total(of profile: String) async throws -> Int {
        let label = "totals: "
        for _ in 0..<100 {
            let text = String(decoding: FileManager.default.contents(atPath: profile) ?? Data(), as: UTF8.self)
            if let range = text.firstRange(of: label), let total = Int(text[range.upperBound...].prefix { $0.isNumber })
            {
                return total
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw Child.Failure(description: "Valgrind wrote no profile to \(profile)")
    }
}
