import AgentInterface
import AgentTestSupport
import Foundation
import Sandbox
import Subprocess
import Testing

/// `feedbell-agent check` as `feedbell doctor` runs it.
enum AgentCheck {
    /// The findings about a configuration, whose path is replaced by `FILE`.
    static func findings(_ text: String, mode: Int = 0o600) async throws -> [Finding] {
        try await TemporaryFile.with(text) { file in
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
            return try await run(["check", "--config", file.path]).map { finding in
                var finding = finding
                finding.sentence.replace(file.path, with: "FILE")
                finding.remedy?.replace(file.path, with: "FILE")
                return finding
            }
        }
    }

    /// Runs `feedbell-agent` with these arguments.
    static func run(
        _ arguments: [String],
        environment: [Environment.Key: String?] = [:]
    ) async throws -> [Finding] {
        let outcome = try await Programs.run("feedbell-agent", arguments, environment: environment)
        #expect(outcome.status == .exited(0))
        #expect(outcome.errors.isEmpty)
        return try outcome.output.split(separator: "\n").map {
            try JSONDecoder().decode(Finding.self, from: Data($0.utf8))
        }
    }

    /// The findings about the account of `anna` at a sandbox.
    ///
    /// - Parameter prepare: Prepares the sandbox, and returns further lines of the account.
    static func findings(
        requiringTokens: Bool = false,
        clockOffset: Int64 = 0,
        prepare: (Sandbox) async throws -> String = { _ in "" }
    ) async throws -> [Finding] {
        let options = SandboxOptions(
            users: ["anna"],
            requireToken: requiringTokens,
            clockOffset: clockOffset
        )
        return try await Sandbox.with(options) { sandbox in
            let keys = try await prepare(sandbox)
            let findings = try await findings(
                AgentConfiguration.account(url: sandbox.baseURL, hasToken: false) + keys
            )
            #expect(await sandbox.violations.isEmpty)
            #expect(findings.first?.sentence == "FILE is valid and configures the account work.")
            return findings
        }
    }

    /// The findings that are not ``Finding/Level/ok``.
    static func problems(_ findings: [Finding]) -> [Finding] { findings.filter { $0.level != .ok } }
}
