import Sandbox
import Subprocess
import Testing

/// The example of the library's documentation does what it says.
@Suite(.timeLimit(.minutes(1))) struct ExampleTests {
    @Test func watchFeed() async throws {
        try await Sandbox.with(SandboxOptions(users: ["anna"], requireToken: true)) { sandbox in
            try await sandbox.publish(["header": "Old", "text": "was there"])
            let environment: [Environment.Key: String?] = [
                "SUPRSEND_PUBLIC_KEY": "SS.PUBK.sandbox", "SUPRSEND_USER": "anna", "SUPRSEND_URL": sandbox.baseURL,
                "SUPRSEND_TOKEN": try await sandbox.token(for: Recipient("anna")),
            ]
            try await RunningProgram.with("watch-feed", [], environment: environment) { example in
                _ = try await example.wait(for: "-- online")
                let id = try await sandbox.publish(["header": "Build failed", "text": "main"])
                _ = try await example.wait(for: "new: Build failed: main")
                try await sandbox.waitForRequest { $0.path.hasSuffix("\(id)/seen") }
                #expect(!example.log.contains { $0.contains("Old") })
                #expect(await sandbox.violations.isEmpty)
            }
        }
    }

    @Test(
        arguments: [
            (["SUPRSEND_TOKEN": "abc"], "The user token is no JWT"),
            (["SUPRSEND_URL": "http://example.com"], "use https"),
        ] as [([Environment.Key: String?], String)]
    )
    func watchFeedSaysWhatIsWrong(environment: [Environment.Key: String?], said: String) async throws {
        let person: [Environment.Key: String?] = ["SUPRSEND_PUBLIC_KEY": "k", "SUPRSEND_USER": "anna"]
        let outcome = try await Programs.run("watch-feed", [], environment: person.merging(environment) { $1 })
        #expect(outcome.status == .exited(1))
        #expect(outcome.output.contains(said))
        #expect(outcome.errors.isEmpty)
    }

    @Test func watchFeedIsToldWhatIsMissing() async throws {
        let outcome = try await Programs.run("watch-feed", [], environment: ["SUPRSEND_USER": nil])
        #expect(outcome.status == .exited(64))
        #expect(outcome.output.contains("SUPRSEND_PUBLIC_KEY and SUPRSEND_USER"))
    }
}
