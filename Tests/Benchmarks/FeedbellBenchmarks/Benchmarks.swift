import DBus
import FoundationEssentials
import Glibc
import Sandbox

/// The figures of the budgets, measured with the release programs on a bus of their own. Run by packaging/benchmark.
///
/// `FeedbellBenchmarks PROGRAMS DIRECTORY PYTHON [OPTION]`: the directory of the stripped programs, one for files that
/// are in the way afterwards, and a Python with the libraries of the Python agent. `DIRECTORY/symbols/feedbell-agent`
/// is the agent with its symbols.
@main
struct Benchmarks {
    private enum Mode {
        /// Everything. `isQuick`: less often.
        case all(isQuick: Bool)
        case comparison
        case instructions
        case flood
        case idle(minutes: Int)
        case accounts
        case longInbox
        case window
        /// No figures: see ``UsedFunctions``.
        case functions

        init?(_ words: [String]) {
            switch (words.first, words.count) {
            case (nil, _): self = .all(isQuick: false)
            case ("--quick", 1): self = .all(isQuick: true)
            case ("--compare", 1): self = .comparison
            case ("--profile", 1): self = .instructions
            case ("--flood", 1): self = .flood
            case ("--accounts", 1): self = .accounts
            case ("--long", 1): self = .longInbox
            case ("--window", 1): self = .window
            case ("--functions", 1): self = .functions
            case ("--idle", 2):
                guard let minutes = Int(words[1]), minutes > 0 else { return nil }
                self = .idle(minutes: minutes)
            default: return nil
            }
        }

        /// Seconds after which it hangs.
        var limit: UInt32 {
            switch self {
            case .all: 1800
            case .comparison, .instructions, .flood, .accounts, .longInbox, .window, .functions: 600
            case .idle(let minutes): UInt32(clamping: minutes * 60 + 120)
            }
        }

        var measuresAll: Bool {
            if case .all(isQuick: false) = self { true } else { false }
        }
    }

    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count >= 3, let mode = Mode(Array(words.dropFirst(3))) else {
            complain("use packaging/benchmark")
            exit(64)
        }
        // Ends a benchmark that hangs: the bus ends with this program, and the agent with the bus.
        alarm(mode.limit)
        do {
            let benchmarks = Benchmarks(programs: words[0], directory: words[1], interpreter: words[2])
            let table = Table()
            try await benchmarks.measure(mode, table)
            try table.finish(isComplete: mode.measuresAll)
        } catch {
            complain("\(error)")
            exit(1)
        }
    }

    let programs: String
    let directory: String
    let interpreter: String

    private var agent: AgentProgram { AgentProgram(path: "\(programs)/feedbell-agent", directory: directory) }
    private var agentWithSymbols: AgentProgram {
        AgentProgram(path: "\(directory)/symbols/feedbell-agent", directory: directory)
    }
    private var python: PythonAgent {
        PythonAgent(interpreter: interpreter, script: "Tests/Benchmarks/PythonAgent/agent.py", directory: directory)
    }

    private func measure(_ mode: Mode, _ table: Table) async throws {
        switch mode {
        case .all(let isQuick): try await measureAll(isQuick, table)
        case .comparison: try await compare(isQuick: false, table)
        case .instructions: try await countInstructions(isQuick: false, table)
        case .flood: try await Desktop.with { desktop in try await flood(table, desktop) }
        case .idle(let minutes): try await rest(minutes: minutes, table)
        case .accounts: try await SeveralAccounts(program: agent).measure(into: table)
        case .longInbox: try await longInbox(false, table)
        case .window: try await window(false, table)
        case .functions: try await UsedFunctions(programs: programs, directory: directory).record()
        }
    }

    private func measureAll(_ isQuick: Bool, _ table: Table) async throws {
        try await compare(isQuick: isQuick, table)
        try await countInstructions(isQuick: isQuick, table)
        try await Desktop.with { desktop in
            say("an agent and its notifications")
            try await AgentUnderLoad(program: agent, isQuick: isQuick).measure(into: table, desktop)
            say("starts")
            try await starts(of: agent, isQuick, table, desktop)
            say("the command")
            try await OneCallCommands(programs: programs, agent: agent, isQuick: isQuick).measure(into: table, desktop)
            try await flood(table, desktop)
        }
        try await longInbox(isQuick, table)
        say("lost connections")
        try await Reconnection(program: agent, isQuick: isQuick).measure(into: table)
        try await rest(minutes: isQuick ? 1 : 3, table)
        say("a fleet that loses its server")
        try Fleet().measure(into: table)
        say("the bus library")
        try await BusLibrary(isQuick: isQuick).measure(into: table)
        say("accounts at both services")
        try await SeveralAccounts(program: agent).measure(into: table)
        try await window(isQuick, table)
        say("the files")
        try ProgramFiles(programs: programs, directory: directory).measure(into: table)
    }

    private func compare(isQuick: Bool, _ table: Table) async throws {
        say("the agent beside a Python agent")
        try await Comparison(program: agent, python: python, isQuick: isQuick).measure(into: table)
    }

    private func countInstructions(isQuick: Bool, _ table: Table) async throws {
        say("instructions")
        try await Instructions(program: agentWithSymbols, isQuick: isQuick).measure(into: table)
    }

    private func flood(_ table: Table, _ desktop: Desktop) async throws {
        say("ten thousand notifications in ten seconds")
        try await Flood(program: agent).measure(into: table, desktop)
    }

    private func longInbox(_ isQuick: Bool, _ table: Table) async throws {
        say("an inbox of 50,000 notifications")
        try await LongInbox(program: agent, isQuick: isQuick).measure(into: table)
    }

    private func window(_ isQuick: Bool, _ table: Table) async throws {
        say("the window")
        let figures = WindowFigures(programs: programs, directory: directory, agent: agent, isQuick: isQuick)
        try await figures.measure(into: table)
    }

    private func rest(minutes: Int, _ table: Table) async throws {
        say("an agent at rest, for \(minutes) min")
        try await Desktop.with { desktop in
            try await IdleAgent(program: agent, minutes: minutes).measure(into: table, desktop)
        }
    }

    // MARK: Starts

    private func starts(of program: AgentProgram, _ isQuick: Bool, _ table: Table, _ desktop: Desktop) async throws {
        var named: [Duration] = []
        var online: [Duration] = []
        var busctl: [Duration] = []
        for _ in 0..<(isQuick ? 3 : 10) {
            try await Sandbox.with(SandboxOptions(requireToken: false)) { sandbox in
                let watch = try await desktop.watchAgent()
                let agent = try program.start(port: sandbox.port)
                let appearance = try await watch.appearance()
                named.append(agent.start.duration(to: appearance.named))
                online.append(agent.start.duration(to: appearance.online))
                busctl.append(try OneCallCommands.ping())
                agent.end()
            }
        }
        try table.add(start: "bus name owned", named, busctl, .startToName)
        try table.add(start: "connected (`State` is `online`)", online, busctl, .startToOnline)
    }
}

/// Prints progress to standard error; standard output contains only the table.
private func say(_ text: String) { write(line: "== measuring: \(text)\n") }

/// Prints to standard error what is too long for the table.
func remark(_ text: String) { write(line: "   \(text)\n") }

private func complain(_ text: String) { write(line: "FeedbellBenchmarks: \(text)\n") }

private func write(line: String) {
    var line = line
    line.withUTF8 { bytes in _ = Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
}
