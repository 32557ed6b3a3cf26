import DBus
import FoundationEssentials
import Glibc
import Sandbox

/// The figures of the budgets, measured with the release programs on a bus of their own. Run by packaging/benchmark.
///
/// `FeedbellBenchmarks PROGRAMS DIRECTORY [--quick]`: the directory of the stripped programs, and one for files that are in the way
/// afterwards.
@main
struct Benchmarks {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        guard let programs = arguments.first, let directory = arguments.dropFirst().first else {
            complain("use packaging/benchmark")
            exit(64)
        }
        // What hangs is ended: the bus ends with this program, and the agent with the bus.
        alarm(600)
        do {
            let benchmarks = Benchmarks(
                programs: programs,
                directory: directory,
                isQuick: arguments.contains("--quick")
            )
            try await benchmarks.measure()
        } catch {
            complain("\(error)")
            exit(1)
        }
    }

    let programs: String
    let directory: String
    let isQuick: Bool

    private func measure() async throws {
        let table = Table()
        let agent = AgentProgram(path: "\(programs)/feedbell-agent", directory: directory)
        try await Desktop.with { desktop in
            say("an agent at rest, and its notifications")
            try await AgentLife(program: agent, isQuick: isQuick).measure(into: table, desktop)
            say("starts")
            try await starts(of: agent, table, desktop)
            say("the command")
            try await OneCallCommands(programs: programs, agent: agent, isQuick: isQuick).measure(into: table, desktop)
        }
        say("a fleet that loses its server")
        Fleet().measure(into: table)
        say("the bus library")
        try await BusLibrary(isQuick: isQuick).measure(into: table)
    }

    // MARK: Starts

    private func starts(of program: AgentProgram, _ table: Table, _ desktop: Desktop) async throws {
        var named: [Duration] = []
        var online: [Duration] = []
        for _ in 0..<(isQuick ? 3 : 10) {
            try await Sandbox.with { sandbox in
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

/// Tells on standard error what goes on, so that the table alone is on standard output.
private func say(_ text: String) { write(line: "== measuring: \(text)\n") }

/// Tells on standard error what is too long for the table.
func remark(_ text: String) { write(line: "   \(text)\n") }

private func complain(_ text: String) { write(line: "FeedbellBenchmarks: \(text)\n") }

private func write(line: String) {
    var line = line
    line.withUTF8 { bytes in _ = Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
}
