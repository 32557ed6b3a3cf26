import AgentInterface
import Foundation
import Subprocess
import TestSupport
import Testing

/// `feedbell-agent check` as `feedbell doctor` runs it.
@Suite(.timeLimit(.minutes(1))) struct CheckTests {
    private func check(_ text: String, mode: Int = 0o600) async throws -> [Finding] {
        try await TemporaryFile.with(text) { file in
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
            return try await Self.findings(["check", "--config", file.path]).map { finding in
                var finding = finding
                finding.sentence.replace(file.path, with: "FILE")
                finding.remedy?.replace(file.path, with: "FILE")
                return finding
            }
        }
    }

    private static func findings(_ arguments: [String]) async throws -> [Finding] {
        let outcome = try await Programs.run("feedbell-agent", arguments)
        #expect(outcome.status == .exited(0))
        #expect(outcome.errors.isEmpty)
        return try outcome.output.split(separator: "\n").map {
            try JSONDecoder().decode(Finding.self, from: Data($0.utf8))
        }
    }

    @Test func noConfiguration() async throws {
        let findings = try await Self.findings(["check"])
        #expect(
            findings == [
                Finding(
                    .configuration,
                    .problem,
                    "There is no configuration at /nonexistent/feedbell/config.toml.",
                    remedy: "Add an account with: feedbell accounts add"
                )
            ]
        )
        let named = try await Self.findings(["check", "--config", "/nonexistent.toml"])
        #expect(named.map(\.level) == [.problem])
        #expect(named.first?.sentence.hasPrefix("/nonexistent.toml: This file cannot be read.") == true)
    }

    @Test func mistakeInTheConfiguration() async throws {
        let findings = try await check("[popups]\ngroup_abov = 3\n")
        #expect(findings.map(\.level) == [.problem])
        #expect(
            findings.first?.sentence
                == "FILE:2: \"group_abov\" is not a key of [popups]. The nearest valid key is \"group_above\"."
        )
    }

    @Test func permissionsOfTheConfiguration() async throws {
        let writable = try await check("", mode: 0o662)
        #expect(writable.map(\.level) == [.problem, .warning])
        #expect(writable.last?.remedy == "Keep it for yourself: chmod go-w FILE")
        let words = AgentConfiguration.account("work", user: "anna", url: "http://127.0.0.1:1")
        let secret = words + "token_command = [\"echo\", \"eyJhbGciOiJub25lIn0.e30.\"]\n"
        let readable = try await check(secret, mode: 0o644)
        #expect(readable.contains { $0.remedy == "Keep it for yourself: chmod 600 FILE" })
        #expect(try await check(secret).filter { $0.topic == .configuration }.map(\.level) == [.ok])
        #expect(try await check(words, mode: 0o644).filter { $0.topic == .configuration }.map(\.level) == [.ok])
    }
}
