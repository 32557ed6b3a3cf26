import AgentInterface
import DBus
import FoundationEssentials
import Sandbox
import Subprocess
import TestSupport
import Testing

/// The example of the library's documentation does what it says.
@Suite(.timeLimit(.minutes(1))) struct ExampleTests {
    private func environment(_ sandbox: Sandbox) async throws -> [Environment.Key: String?] {
        [
            "SUPRSEND_PUBLIC_KEY": "SS.PUBK.sandbox", "SUPRSEND_USER": "anna", "SUPRSEND_URL": sandbox.baseURL,
            "SUPRSEND_TOKEN": try await sandbox.token(for: Recipient("anna")),
        ]
    }

    @Test("watch-feed ends with 0 at the next line when its reader has ended", .sandbox(users: ["anna"]))
    func watchFeedWithoutReader() async throws {
        let sandbox = Sandbox.current
        // The start prints that the account is online and the badge.
        let script = "set -o pipefail; watch-feed | { head -n 2; exec <&-; echo the reader has ended; }"
        let environment = try await environment(sandbox)
        let outcome = try await RunningProgram.with("bash", ["-c", script], environment: environment) { example in
            _ = try await example.wait(for: "the reader has ended")
            try await sandbox.publish(["header": "Build failed", "text": "main"])
            await example.ended()
            return example.log
        }
        #expect(outcome.status == .exited(0))
        #expect(outcome.result.first?.hasPrefix("-- ") == true)
    }

    @Test("watch-feed prints new notifications and marks them as seen", .sandbox(users: ["anna"])) func watchFeed()
        async throws
    {
        let sandbox = Sandbox.current
        try await sandbox.publish(["header": "Old", "text": "was there"])
        let environment = try await environment(sandbox)
        try await RunningProgram.with("watch-feed", [], environment: environment) { example in
            _ = try await example.wait(for: "-- online")
            let id = try await sandbox.publish(["header": "Build failed", "text": "main"])
            _ = try await example.wait(for: "new: Build failed: main")
            try await sandbox.waitForRequest { $0.path.hasSuffix("\(id)/seen") }
            #expect(!example.log.contains { $0.contains("Old") })
            #expect(await sandbox.violations.isEmpty)
        }
    }

    @Test(
        "watch-feed reports an invalid token and a forbidden address",
        arguments: [
            (["SUPRSEND_TOKEN": "abc"], "The user token is not a JWT"),
            (["SUPRSEND_URL": "http://example.com"], "use https"),
        ] as [([Environment.Key: String?], String)]
    )
    func watchFeedErrors(environment: [Environment.Key: String?], sentence: String) async throws {
        let account: [Environment.Key: String?] = ["SUPRSEND_PUBLIC_KEY": "k", "SUPRSEND_USER": "anna"]
        let outcome = try await Programs.run("watch-feed", [], environment: account.merging(environment) { $1 })
        #expect(outcome.status == .exited(1))
        #expect(outcome.output.contains(sentence))
        #expect(outcome.errors.isEmpty)
    }

    @Test("The example watch-feed reports missing variables") func watchFeedUsage() async throws {
        let outcome = try await Programs.run("watch-feed", [], environment: ["SUPRSEND_USER": nil])
        #expect(outcome.status == .exited(64))
        #expect(outcome.output.contains("SUPRSEND_PUBLIC_KEY and SUPRSEND_USER"))
    }

    @Test("The example watch-store reports missing variables") func watchStoreUsage() async throws {
        let outcome = try await Programs.run("watch-store", [], environment: ["MAGICBELL_API_KEY": nil])
        #expect(outcome.status == .exited(64))
        #expect(outcome.output.contains("MAGICBELL_API_KEY and MAGICBELL_EMAIL"))
    }

    @Test(
        "watch-store prints unread notifications as they arrive",
        .sandbox(.magicBell(MagicBellOptions(users: ["anna@example.com"])))
    )
    func watchStore() async throws {
        let sandbox = Sandbox.current
        let environment: [Environment.Key: String?] = [
            "MAGICBELL_API_KEY": "pk_sandbox", "MAGICBELL_EMAIL": "anna@example.com",
            "MAGICBELL_URL": sandbox.baseURL, "MAGICBELL_SOCKET_URL": sandbox.socketURL,
            "MAGICBELL_ABLY_REST_URL": sandbox.baseURL, "MAGICBELL_ABLY_REALTIME_URL": sandbox.socketURL,
        ]
        try await sandbox.publish(["title": "Old"])
        try await RunningProgram.with("watch-store", [], environment: environment) { example in
            _ = try await example.wait(for: "unread: Old")
            _ = try await example.wait(for: "-- online")
            try await sandbox.publish(["title": "Build failed"])
            _ = try await example.wait(for: "unread: Build failed")
            _ = try await example.wait(for: "-- 2 unread, 2 unseen")
        }
    }

    @Test("The example watch-store reports a forbidden address") func watchStoreErrors() async throws {
        let environment: [Environment.Key: String?] = [
            "MAGICBELL_API_KEY": "pk", "MAGICBELL_EMAIL": "anna@example.com",
            "MAGICBELL_URL": "http://example.com",
        ]
        let outcome = try await Programs.run("watch-store", [], environment: environment)
        #expect(outcome.status == .exited(1))
        #expect(outcome.output.contains("use https"))
        #expect(outcome.errors.isEmpty)
    }

    @Test(
        "The example arrivals.py prints new notifications and the number of unread ones",
        .sessionBus,
        .builtAgent(),
        .enabled(
            if: FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/gi"),
            "python3-gi is not installed"
        )
    )
    func arrivals() async throws {
        let script = Checkout.root.appending(path: "Tests/Examples/arrivals.py").path
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        _ = try await sandbox.publish(["header": "Old"])
        try await agent.account.wait(AgentInbox.unreadCount, is: 1)
        try await RunningProgram.with("env", [script]) { example in
            _ = try await example.wait(for: "unread: 1")
            _ = try await sandbox.publish(["header": "Parcel"])
            _ = try await example.wait(for: "new: Parcel")
            _ = try await example.wait(for: "unread: 2")
            #expect(!example.log.contains("new: Old"))
        }
    }

    @Test("The example script inbox.sh works with the agent", .sessionBus, .sandbox(users: ["anna"]))
    func inboxScript() async throws {
        let script = Checkout.root.appending(path: "Tests/Examples/inbox.sh").path
        // Before the agent connects: the first count of a service and an event may both include a notification, which
        // is counted twice until the next count.
        for (title, category) in [("Parcel", "orders"), ("Sale", "promo"), ("More sale", "promo")] {
            _ = try await Sandbox.current.publish([
                "header": .string(title), "text": "x", "n_category": .string(category),
            ])
        }
        try await BuiltAgent.with { agent in
            try await agent.account.wait(AgentInbox.unreadCount, is: 3)
            try await agent.waitForList(count: 3)
            let outcome = try await Programs.run("sh", [script])
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
            #expect(outcome.errors.isEmpty && outcome.output.hasSuffix("passed, 0 failed\n"))
        }
    }
}
