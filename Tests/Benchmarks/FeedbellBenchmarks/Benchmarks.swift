import DBus
import FoundationEssentials
import Glibc
import Sandbox

/// The figures of the budgets, measured with the release programs on a bus of their own. Run by packaging/benchmark.
///
/// `FeedbellBenchmarks PROGRAMS DIRECTORY [--quick | --flood | --idle MINUTES]`: the directory of the stripped
/// programs, and one for files that are in the way afterwards.
@main
struct Benchmarks {
    private enum Mode {
        /// Everything but the long rest. `isQuick`: less often.
        case all(isQuick: Bool)
        case flood
        case idle(minutes: Int)

        init?(_ words: [String]) {
            switch (words.first, words.count) {
            case (nil, _): self = .all(isQuick: false)
            case ("--quick", 1): self = .all(isQuick: true)
            case ("--flood", 1): self = .flood
            case ("--idle", 2):
                guard let minutes = Int(words[1]), minutes > 0 else { return nil }
                self = .idle(minutes: minutes)
            default: return nil
            }
        }

        /// Seconds after which it hangs.
        var limit: UInt32 {
            switch self {
            case .all, .flood: 900
            case .idle(let minutes): UInt32(clamping: minutes * 60 + 120)
            }
        }
    }

    static func main() async {
        let words = CommandLine.arguments.dropFirst()
        guard let programs = words.first, let directory = words.dropFirst().first,
            let mode = Mode(Array(words.dropFirst(2)))
        else {
            complain("use packaging/benchmark")
            exit(64)
        }
        // What hangs is ended: the bus ends with this program, and the agent with the bus.
        alarm(mode.limit)
        do {
            try await Benchmarks(programs: programs, directory: directory).measure(mode)
        } catch {
            complain("\(error)")
            exit(1)
        }
    }

    let programs: String
    let directory: String

    private var agent: AgentProgram { AgentProgram(path: "\(programs)/feedbell-agent", directory: directory) }

    private func measure(_ mode: Mode) async throws {
        let table = Table()
        switch mode {
        case .all(let isQuick): try await measureAll(isQuick, table)
        case .flood: try await Desktop.with { desktop in try await flood(table, desktop) }
        case .idle(let minutes):
            try await Desktop.with { desktop in
                say("an agent at rest, for \(minutes) minutes")
                try await IdleAgent(program: agent, minutes: minutes).measure(into: table, desktop)
            }
        }
    }

    private func measureAll(_ isQuick: Bool, _ table: Table) async throws {
        try await Desktop.with { desktop in
            say("an agent at rest, and its notifications")
            try await AgentUnderLoad(program: agent, isQuick: isQuick).measure(into: table, desktop)
            say("starts")
            try await starts(of: agent, isQuick, table, desktop)
            say("the command")
            try await OneCallCommands(programs: programs, agent: agent, isQuick: isQuick).measure(into: table, desktop)
            try await flood(table, desktop)
        }
        say("a fleet that loses its server")
        Fleet().measure(into: table)
        say("the bus library")
        try await BusLibrary(isQuick: isQuick).measure(into: table)
    }

    private func flood(_ table: Table, _ desktop: Desktop) async throws {
        say("ten thousand notifications in ten seconds")
        try await Flood(program: agent).measure(into: table, desktop)
    }

    // MARK: Starts

    private func starts(of program: AgentProgram, _ isQuick: Bool, _ table: Table, _ desktop: Desktop) async throws {
        var named: [Duration] = []
        var online: [Duration] = []
        for _ in 0..<(isQuick ? 3 : 10) {
            try await Sandbox.with(SandboxOptions(requireToken: false)) { sandbox in
                let watch = try await desktop.watchAgent()
                let agent = try program.start(port: sandbox.port)
                let appearance = try await watch.appearance()
                named.append(agent.start.duration(to: appearance.named))
                online.append(agent.start.duration(to: appearance.online))
                agent.end()
            }
        }
        guard let toName = named.median, let toOnline = online.median else { return }
        table.add("start to bus name owned, median of \(named.count)", toName.inMilliseconds, "≤ 30 ms")
        table.add(
            "start to connected (`State` is `online`), median of \(online.count)",
            toOnline.inMilliseconds,
            "≤ 80 ms"
        )
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
