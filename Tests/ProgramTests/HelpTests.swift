import AgentTestSupport
import Subprocess
import TestSupport
import Testing

/// Every `--help`, as files hold it: `Tests/ProgramTests/Snapshots/help`.
@Suite struct HelpTests {
    @Test(
        "The help of every command matches its snapshot and fits 80 columns",
        arguments: ["feedbell", "feedbell-agent"] + (WindowScreen.isBuilt ? ["feedbell-window"] : [])
    ) func everyHelp(program: String) async throws {
        for path in try await CommandTree.read(program).paths {
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
}
