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
    private static let count = 60
    private static let warmUp = 20
    private static let interval = Duration.milliseconds(100)

    func measure(into table: Table) async throws {
        let few = try await measure(rows: Self.fewRows)
        try table.add(
            "agent: instructions for one notification, in user space, \(few.rows) rows loaded",
            few.instructions,
            .instructions
        )
        if isQuick { return }
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
                let profile = "\(program.directory)/callgrind.\(rows)"
                let valgrind = [
                    "valgrind", "--tool=callgrind", "--instr-atstart=no", "--callgrind-out-file=\(profile)",
                ]
                let watch = try await desktop.watchAgent()
                let agent = try program.start(
                    port: sandbox.port,
                    .init(groupAbove: 1_000, pageSize: 100, launcher: valgrind)
                )
                _ = try await watch.appearance()
                let loaded = try await desktop.load(rows)
                var popups = desktop.popups.makeAsyncIterator()
                func publish(_ count: Int) async throws {
                    for number in 0..<count {
                        try await sandbox.publish(AgentUnderLoad.notification(number))
                        _ = await popups.next(isolation: #isolation)
                        try await Task.sleep(for: Self.interval)
                    }
                    try await Task.sleep(for: .seconds(2))
                }
                try await publish(Self.warmUp)
                try control(["--instr=on"], agent.pid)
                try await publish(Self.count)
                try control(["--dump"], agent.pid)
                let total = try await total(of: "\(profile).1")
                agent.end()
                return (loaded, Figure(Double(total) / Double(Self.count) / 1_000_000, .millions))
            }
        }
    }

    private func control(_ arguments: [String], _ pid: Int32) throws {
        let log = "\(program.directory)/callgrind_control.log"
        let output = try Child.output(of: "callgrind_control", arguments + ["\(pid)"], log: log)
        guard output.contains("OK") else { throw Child.Failure(description: "callgrind_control: \(output)") }
    }

    /// Reads how many instructions a profile contains. Valgrind writes it when the agent runs next.
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
