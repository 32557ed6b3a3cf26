import FoundationEssentials
import Subprocess
import TestSupport
import Testing

/// Every `--help`, as files hold it: `Tests/AgentTests/Snapshots/help`.
@Suite struct HelpTests {
    @Test(
        "The help of every command matches its snapshot and fits 80 columns",
        arguments: ["feedbell", "feedbell-agent"] + (WindowScreen.isBuilt ? ["feedbell-window"] : [])
    ) func everyHelp(program: String) async throws {
        let dump = try await Programs.run(program, ["--experimental-dump-help"])
        let tool = try JSONDecoder().decode(Tool.self, from: Data(dump.output.utf8))
        for path in tool.command.paths {
            let arguments = path.dropFirst() + ["--help"]
            let help = try await Programs.run(program, Array(arguments), environment: ["COLUMNS": "80"])
            #expect(help.status == .exited(0) && help.errors.isEmpty)
            try Snapshot.expect(help.output, is: "help/\(path.joined(separator: "-"))")
            let lines = help.output.split(separator: "\n")
            #expect(lines.allSatisfy { $0.count <= 80 || $0.hasPrefix("USAGE:") }, "\(path)")
            #expect(help.output.contains("Example"), "\(path) has no example")
        }
    }

    @Test("A snapshot that differs is reported by line") func snapshotDifference() {
        #expect(Snapshot.difference(from: "a\nb\nc\n", to: "a\nB\nc\nd\n") == "-2: b\n+2: B\n+4: d")
    }

    private struct Tool: Decodable {
        var command: Command
    }

    private struct Command: Decodable {
        var commandName: String
        var subcommands: [Command]?

        /// This command and those below, each as the words that call it.
        var paths: [[String]] {
            let below = (subcommands ?? []).filter { $0.commandName != "help" }.flatMap(\.paths)
            return [[commandName]] + below.map { [commandName] + $0 }
        }
    }
}
