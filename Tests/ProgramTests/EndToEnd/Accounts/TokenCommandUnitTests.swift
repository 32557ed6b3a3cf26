import AgentTestSupport
import DBus
import FoundationEssentials
import Sandbox
import Subprocess
import TestSupport
import Testing

/// Where a `token_command` runs.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct TokenCommandUnitTests {
    /// A `systemd-run` and a `systemctl` that do what the real ones do, as far as they are asked here.
    private static func withServiceManager(
        refusing: Bool = false,
        _ body: (_ directory: String) async throws -> Void
    ) async throws {
        let run = """
            #!/bin/sh
            echo "$*" >>"$(dirname "$0")/log"
            \(refusing ? "exit 1" : "while [ \"$1\" != -- ]; do shift; done; shift; exec \"$@\"")

            """
        try await TemporaryFile.with(run, named: "systemd-run") { file in
            let active = "#!/bin/sh\n[ \"$*\" = \"--user --quiet is-active feedbell.service\" ]\n"
            let manager = FileManager.default
            try Data(active.utf8).write(to: URL(filePath: file.directory + "/systemctl"))
            try manager.createDirectory(atPath: file.directory + "/systemd", withIntermediateDirectories: true)
            try Data().write(to: URL(filePath: file.directory + "/systemd/private"))
            for name in ["systemd-run", "systemctl"] {
                try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(file.directory)/\(name)")
            }
            try await body(file.directory)
        }
    }

    @Test("An agent started by systemd gets its token from a unit", .sandbox(users: ["anna"]))
    func agentStartedBySystemd() async throws {
        let sandbox = Sandbox.current
        let token = try await sandbox.token(for: Recipient("anna"))
        let text =
            AgentConfiguration.account(hasToken: false)
            + "token_command = [\"echo\", \"\(token)\"]\n"
        try await TemporaryFile.with(text) { file in
            try await Self.withServiceManager { directory in
                try await withBus { bus -> Void in
                    let start = "SYSTEMD_EXEC_PID=$$ exec feedbell-agent --config \(file.path)"
                    try await RunningProgram.with(
                        "sh",
                        ["-c", start],
                        environment: ["XDG_RUNTIME_DIR": directory],
                        searching: [directory]
                    ) { _ in try await bus.waitForOnlineAgent() }
                }
                let log = try String(contentsOfFile: directory + "/log", encoding: .utf8)
                #expect(log.hasPrefix("--user --pipe --wait --quiet --collect "))
                #expect(log.contains(" -- echo \(token)"))
            }
        }
    }

    @Test(
        "The check runs the token command where the agent runs it, and reports the place",
        .sandbox(users: ["anna"], expectsNoViolations: false),
        arguments: [false, true]
    )
    func check(isRefused: Bool) async throws {
        let sandbox = Sandbox.current
        let token = try await sandbox.token(for: Recipient("anna"))
        let text =
            AgentConfiguration.account(hasToken: false)
            + "token_command = [\"echo\", \"\(token)\"]\n"
        try await TemporaryFile.with(text) { file in
            try await Self.withServiceManager(refusing: isRefused) { directory in
                let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
                let programs = try Programs.directory
                let outcome = try await Programs.run(
                    "feedbell-agent",
                    ["check", "--config", file.path],
                    environment: ["PATH": "\(directory):\(programs):\(path)"]
                )
                #expect(outcome.status == .exited(0), "\(outcome.errors)")
                let sentence = isRefused ? "but not in the agent's environment" : "was run like the agent runs it"
                #expect(outcome.output.contains(sentence), "\(outcome.output)")
                #expect(!outcome.output.contains(token))
            }
        }
    }
}
