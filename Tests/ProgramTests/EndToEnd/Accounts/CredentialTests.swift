import AgentInterface
import AgentTestSupport
import FoundationEssentials
import Sandbox
import Subprocess
import TestSupport
import Testing

/// Tokens that systemd passes to the agent's unit.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct CredentialTests {
    /// Runs `body` with an account whose token is a credential, and the directory of the credentials.
    private func withCredential(
        mode: Int = 0o400,
        _ body: (_ configuration: TemporaryFile, _ environment: [Environment.Key: String?]) async throws -> Void
    ) async throws {
        let token = SandboxToken.make(entityID: "anna", expiresAt: 4_102_444_800)
        try await TemporaryFile.with(token + "\n", named: "feedbell-work") { credential in
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: credential.path)
            let account = AgentConfiguration.account(hasToken: false) + "token_credential = \"feedbell-work\"\n"
            try await TemporaryFile.with(account) { file in
                try await body(file, ["CREDENTIALS_DIRECTORY": credential.directory])
            }
        }
    }

    @Test(
        "The agent signs in with a credential of its unit",
        .sandbox(SandboxOptions(users: ["anna"], requireToken: true))
    ) func signIn() async throws {
        try await withCredential { file, environment in
            try await BuiltAgent.alone(file, environment: environment) { agent in
                try await agent.account.wait(AgentAccount.state, is: "online")
                let doctor = try await Programs.run(
                    "feedbell-agent",
                    ["check", "--config", file.path],
                    environment: environment
                )
                #expect(doctor.status == .exited(0), "\(doctor.errors)")
                #expect(doctor.output.contains("The token is well-formed"), "\(doctor.output)")
            }
        }
    }

    @Test(
        "A credential that is missing or readable by others is reported with the remedy",
        .sandbox(SandboxOptions(users: ["anna"], requireToken: true), expectsNoViolations: false)
    ) func missing() async throws {
        try await withCredential { file, _ in
            let none = try await Programs.run("feedbell-agent", ["check", "--config", file.path])
            #expect(none.status == .exited(0), "\(none.errors)")
            #expect(
                none.output.contains(
                    "The credential \\\"feedbell-work\\\" (token_credential) cannot be read: systemd passes "
                        + "credentials only to a unit, and the agent's unit has none."
                ),
                "\(none.output)"
            )
            #expect(none.output.contains("Add LoadCredential=feedbell-work:FILE to [Service] with"))
            let other: [Environment.Key: String?] = ["CREDENTIALS_DIRECTORY": "/nonexistent"]
            let unknown = try await Programs.run(
                "feedbell-agent",
                ["check", "--config", file.path],
                environment: other
            )
            #expect(unknown.status == .exited(0), "\(unknown.errors)")
            #expect(unknown.output.contains("(token_credential) is not one of the agent's unit."), "\(unknown.output)")
        }
        try await withCredential(mode: 0o444) { file, environment in
            let open = try await Programs.run(
                "feedbell-agent",
                ["check", "--config", file.path],
                environment: environment
            )
            #expect(open.status == .exited(0), "\(open.errors)")
            #expect(open.output.contains("(token_credential) is not used. Other users can read"), "\(open.output)")
        }
    }
}
