import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Sandbox
import Subprocess
import TestSupport
import Testing

/// The example of the library's documentation does what it says.
@Suite(.timeLimit(.minutes(5))) struct ExampleTests {
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

    @Test("kept-feed shows its list before the network answers", .sandbox(users: ["anna"])) func keptFeed()
        async throws
    {
        let sandbox = Sandbox.current
        for title in ["One", "Two"] { try await sandbox.publish(["header": .string(title), "text": "x"]) }
        var environment = try await environment(sandbox)
        try await TemporaryFile.with("", named: "file") { file in
            let directory = file.directory + "/kept"
            try await RunningProgram.with("kept-feed", [directory], environment: environment) { example in
                _ = try await example.wait(for: "as of the last time: badge 0; ")
                _ = try await example.wait(for: "now: badge 2; Two, One")
                // A second later.
                let files = FileManager.default
                try await waiting(for: "the kept badge") {
                    (try? files.contentsOfDirectory(atPath: directory))?.contains {
                        $0.hasPrefix("suprsend-ss_feed")
                            && files.contents(atPath: "\(directory)/\($0)").map { String(decoding: $0, as: UTF8.self) }?
                                .contains("\"badge\":2") == true
                    } == true
                }
            }
            // No service is there.
            environment["SUPRSEND_URL"] = "http://127.0.0.1:1"
            try await RunningProgram.with("kept-feed", [directory], environment: environment) { example in
                _ = try await example.wait(for: "as of the last time: badge 2; Two, One")
            }
        }
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

    @Test(
        "kept-store shows its list before the network answers",
        .sandbox(.magicBell(MagicBellOptions(users: ["anna@example.com"])))
    )
    func keptStore() async throws {
        let sandbox = Sandbox.current
        for (title, sent) in [("One", 1_700_000_000), ("Two", 1_700_000_060)] as [(String, Int64)] {
            try await sandbox.publish(["title": .string(title), "sent_at": .integer(sent)])
        }
        var environment: [Environment.Key: String?] = [
            "MAGICBELL_API_KEY": "pk_sandbox", "MAGICBELL_EMAIL": "anna@example.com", "MAGICBELL_URL": sandbox.baseURL,
        ]
        try await TemporaryFile.with("", named: "file") { file in
            let arguments = [file.directory + "/kept"]
            let first = try await Programs.run("kept-store", arguments, environment: environment)
            #expect(first.status == .exited(0), "\(first.errors)")
            #expect(first.output == "as of the last time: 0 unread; \nnow: 2 unread; Two, One\n")
            // No service is there.
            environment["MAGICBELL_URL"] = "http://127.0.0.1:1"
            let second = try await Programs.run("kept-store", arguments, environment: environment)
            #expect(second.status == .exited(1))
            #expect(second.output.hasPrefix("as of the last time: 2 unread; Two, One\n"))
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

    @Test("The example bus.sh prints what is unread, and marks a category as read", .sessionBus, .builtAgent())
    func busScript() async throws {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        let first = try await sandbox.publish(["header": "Parcel", "text": "x", "n_category": "orders"])
        _ = try await sandbox.publish(["header": "Sale", "text": "x", "n_category": "promo"])
        try await agent.waitForList(count: 2)
        let outcome = try await Programs.run("sh", [script("bus.sh"), "orders"])
        #expect(outcome.status == .exited(0), "\(outcome.errors)")
        #expect(outcome.output.hasPrefix("Sale\nParcel\n"), "\(outcome.output)")
        try await agent.waitForRequest("read", of: first)
    }

    private func script(_ name: String) -> String {
        Checkout.root.appending(path: "Tests/Examples/\(name)").path
    }

    @Test(
        "The example builds.sh writes the arrivals of a category to a log and marks them as read",
        .sessionBus,
        .builtAgent()
    )
    func builds() async throws {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        try await TemporaryFile.with("", named: "builds.log") { log in
            try await RunningProgram.with("sh", [script("builds.sh"), log.path]) { _ in
                // No line shows when it follows.
                try await waiting(for: "a line of the log", every: .milliseconds(100)) {
                    if try !log.read().isEmpty { return true }
                    _ = try await sandbox.publish(["header": "Sale", "n_category": "promo"])
                    _ = try await sandbox.publish([
                        "header": "Build failed", "n_category": "builds", "url": "https://ci.example/1",
                    ])
                    return false
                }
                let last = try await sandbox.publish(["header": "Build passed", "n_category": "builds"])
                try await agent.waitForRequest("read", of: last)
                let lines = Set(try log.read().split(separator: "\n"))
                #expect(lines == ["Build failed\thttps://ci.example/1", "Build passed\t"])
            }
        }
    }

    @Test("The example week-old.sh marks what is older than a week as read", .sessionBus, .sandbox(users: ["anna"]))
    func weekOld() async throws {
        let now = Int64(Date().timeIntervalSince1970) * 1000
        for (title, category, days) in [("Old", "orders", 8), ("New", "orders", 6), ("Sale", "promo", 2)] {
            _ = try await Sandbox.current.publish([
                "header": .string(title), "n_category": .string(category),
                "created_on": .integer(now - Int64(days) * 86_400_000),
            ])
        }
        try await BuiltAgent.with { agent in
            try await agent.account.wait(AgentInbox.unreadCount, is: 3)
            try await agent.waitForList(count: 3)
            let outcome = try await Programs.run("sh", [script("week-old.sh")])
            #expect(outcome.status == .exited(0) && outcome.errors.isEmpty, "\(outcome.errors)")
            #expect(outcome.output == "1 notification was marked as read.\n1 notification was archived.\n")
            let left = try await Programs.output("feedbell", ["list", "--json"])
            #expect(left.contains("\"New\"") && left.contains("\"Old\"") && !left.contains("\"Sale\""))
            #expect(try await agent.account.call(AgentInbox.list, ["unread": .bool(true)]).count == 1)
        }
    }

    @Test(
        "The example bar.sh prints the number of unread notifications and toggles the pause",
        .sessionBus,
        .builtAgent()
    )
    func bar() async throws {
        let toggle = [script("bar.sh"), "toggle"]
        try await RunningProgram.with("sh", [script("bar.sh")]) { bar in
            try await bar.wait(for: "", times: 1)
            _ = try await Sandbox.current.publish(["header": "One"])
            _ = try await bar.wait(for: "1")
            #expect(try await Programs.run("sh", toggle).status == .exited(0))
            _ = try await bar.wait(for: "1 paused")
            #expect(try await Programs.run("sh", toggle).status == .exited(0))
            try await bar.wait(for: "1", times: 3)
            #expect(bar.log == ["", "1", "1 paused", "1"])
        }
    }
}
