import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Glibc
import Sandbox
import Subprocess
import TestSupport
import Testing

/// `feedbell follow`, as scripts and status bars run it.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct FollowTests {
    private struct Line: Decodable {
        struct Notification: Decodable {
            var id: String
            var read: Int64
        }
        var event: String
        var account: String?
        var notification: Notification?
        var running: Bool?
        var unread: Int?
        var paused: Bool?
    }

    private func lines(_ log: [String]) throws -> [Line] {
        try log.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    @Test("The follower prints the state at its start, then each event once", .builtAgent()) func events() async throws
    {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        let old = try await sandbox.publish(["header": "Old"])
        _ = try await agent.popup()
        try await agent.account.wait(AgentInbox.unreadCount, is: 1)
        try await agent.root.wait(AgentRoot.unreadCount, is: 1)
        try await agent.waitForList(count: 1)
        let (log, status) = try await RunningProgram.with("feedbell", ["follow"]) { follower in
            _ = try await follower.wait(for: "\"ready\"")
            let new = try await sandbox.publish(["header": "New"])
            _ = try await follower.wait(for: "\"notification-added\"")
            // After it was written to disk.
            _ = try await follower.wait(for: "\"notification-arrived\"")
            try await agent.account.call(AgentInbox.markRead, [new])
            _ = try await follower.wait(for: "\"notification-changed\"")
            try await agent.account.call(AgentInbox.archive, [new])
            _ = try await follower.wait(for: "\"notification-removed\"")
            let events = try lines(follower.log).filter { $0.notification?.id == new }
            #expect(Set(events.prefix(2).map(\.event)) == ["notification-arrived", "notification-added"])
            #expect(events.last?.event == "notification-removed")
            try await agent.root.call(AgentRoot.pause, 0)
            _ = try await follower.wait(for: "\"paused\":true")
            try await agent.account.call(AgentPreferences.setCategory, "refund-news", "opt_out")
            _ = try await follower.wait(for: "\"preferences-updated\"")
            await sandbox.inject(.status(400, path: "/v1/feed/notifications/\(old)"))
            try await agent.account.call(AgentInbox.markRead, [old])
            let failed = try await follower.wait(for: "\"action-failed\"")
            #expect(failed.contains("\"action\":\"MarkRead\"") && failed.contains(old))
            return follower.log
        }
        #expect(status == .signaled(SIGTERM))
        let events = try lines(log)
        let start = events.prefix { $0.event != "ready" }
        #expect(
            start.map(\.event) == ["agent", "totals", "paused", "account", "counts", "notification-listed"]
        )
        #expect(start.first?.running == true && start[1].unread == 1 && start[2].paused == false)
        #expect(start.last?.notification?.id == old)
        for event in ["notification-arrived", "notification-added"] {
            #expect(events.filter { $0.event == event }.count == 1)
        }
        #expect(events.filter { ["agent", "ready", "notification-listed"].contains($0.event) }.count == 3)
    }

    /// It waits, and never starts an agent itself, although the bus could.
    @Test("The follower reports the start and end of the agent without starting it")
    func agentLifetime() async throws {
        try await TemporaryFile.with("") { marker in
            try FileManager.default.removeItem(atPath: marker.path)
            let activation = "[D-BUS Service]\nName=org.feedbell.Agent1\nExec=/usr/bin/touch \(marker.path)\n"
            try await SessionBus.running(serviceFiles: ["org.feedbell.Agent1.service": activation]) {
                try await TemporaryFile.with("") { configuration in
                    try await RunningProgram.with("feedbell", ["follow"]) { follower in
                        _ = try await follower.wait(for: "\"running\":false")
                        let agent = ["--config", configuration.path]
                        for run in 1...2 {
                            try await RunningProgram.with("feedbell-agent", agent) { _ in
                                try await follower.wait(for: "\"ready\"", times: run)
                            }
                            try await follower.wait(for: "\"running\":false", times: run + 1)
                        }
                        let events = try lines(follower.log).map(\.event)
                        let perRun = ["agent", "totals", "paused", "ready"]
                        #expect(events == ["agent"] + perRun + ["agent"] + perRun + ["agent"])
                    }
                }
                #expect(!FileManager.default.fileExists(atPath: marker.path))
            }
        }
    }

    @Test("The follower ends when its output is closed") func closedPipe() async throws {
        let outcome = try await Programs.run("sh", ["-c", "feedbell follow | head -n 1"])
        #expect(outcome.status == .exited(0), "\(outcome.errors)")
        #expect(outcome.output == "{\"event\":\"agent\",\"running\":false}\n")
        #expect(outcome.errors.isEmpty)
    }

    @Test("The follower ends when the session bus ends") func lostBus() async throws {
        let (_, status) = try await RunningProgram.with("feedbell", ["follow"]) { follower in
            _ = try await follower.wait(for: "\"running\":false")
            kill(SessionBus.processID, SIGKILL)
            _ = try await follower.wait(for: "feedbell: The connection to the session bus ended.")
            await follower.ended()
        }
        #expect(status == .exited(3))
    }

    /// Events that exceed the buffers are dropped; the output reports that with the new state.
    @Test("A slow reader loses events, and gets the current state instead") func slowReader() async throws {
        try await TemporaryFile.with("") { configuration in
            try await BuiltAgent.alone(configuration) { agent in
                let script = """
                    cd "$1"
                    feedbell follow | {
                        while read -r line; do case $line in *'"ready"'*) break ;; esac; done
                        : >reading
                        until [ -e "go" ]; do sleep 0.05; done
                        sed '/"ready"/q'
                    }
                    """
                async let outcome = Programs.run("sh", ["-c", script, "sh", configuration.directory])
                let files = FileManager.default
                try await waiting(for: "a reader") { files.fileExists(atPath: configuration.directory + "/reading") }
                let root = agent.root
                // Each call is an event; the pipe holds less than a thousand.
                for _ in 0..<1500 {
                    try await root.call(AgentRoot.pause, 0)
                    try await root.call(AgentRoot.resume)
                }
                try await root.call(AgentRoot.pause, 0)
                #expect(files.createFile(atPath: configuration.directory + "/go", contents: nil))
                let log = try await outcome.output.split(separator: "\n").map(String.init)
                let events = try lines(log)
                let behind = try #require(events.firstIndex { $0.event == "behind" })
                #expect(events[behind...].map(\.event) == ["behind", "agent", "totals", "paused", "ready"])
                #expect(events.last { $0.event == "paused" }?.paused == true)
                #expect(events.count < 3000, "it has not kept everything")
            }
        }
    }

    @Test("What arrives while nobody reads the events is reported once they are read", .builtAgent())
    func slowReaderOfArrivals() async throws {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        try await TemporaryFile.with("") { marks in
            let script = """
                cd "$1"
                feedbell follow | {
                    while read -r line; do case $line in *'"ready"'*) break ;; esac; done
                    : >reading
                    until [ -e "go" ]; do sleep 0.05; done
                    grep -m3 notification-arrived
                }
                """
            async let outcome = Programs.run("sh", ["-c", script, "sh", marks.directory])
            let files = FileManager.default
            try await waiting(for: "a reader") { files.fileExists(atPath: marks.directory + "/reading") }
            var published: [String] = []
            for _ in 0..<3 {
                for _ in 0..<1000 {
                    try await agent.root.call(AgentRoot.pause, 0)
                    try await agent.root.call(AgentRoot.resume)
                }
                published.append(try await sandbox.publish(["header": "New"]))
                try await agent.account.wait(AgentInbox.unreadCount, is: UInt32(published.count))
            }
            try await agent.account.call(AgentInbox.markRead, [published[2]])
            #expect(files.createFile(atPath: marks.directory + "/go", contents: nil))
            let log = try await outcome.output.split(separator: "\n").map(String.init)
            #expect(try lines(log).compactMap(\.notification?.id).sorted() == published.sorted())
        }
    }

    @Test("The formats for waybar and polybar show the unread count and the pause", .builtAgent()) func statusBars()
        async throws
    {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        try await RunningProgram.with("feedbell", ["follow", "--waybar", "--account", "work"]) { waybar in
            try await RunningProgram.with("feedbell", ["follow", "--polybar"]) { polybar in
                _ = try await waybar.wait(for: "\"alt\":\"none\"")
                try await polybar.wait(for: "", times: 1)
                _ = try await sandbox.publish(["header": "Tom & <Jerry>"])
                // The count and the list may change one after the other.
                let line = try await waybar.wait(for: "1 unread\\n• Tom")
                #expect(
                    line == """
                        {"alt":"unread","class":["unread"],"text":"1","tooltip":"1 unread\\n• Tom &amp; &lt;Jerry&gt;"}
                        """
                )
                _ = try await polybar.wait(for: "1")
                try await agent.root.call(AgentRoot.pause, 0)
                _ = try await polybar.wait(for: "1 paused")
                _ = try await waybar.wait(for: "\"class\":[\"paused\",\"unread\"]")
                #expect(polybar.log == ["", "1", "1 paused"])
            }
        }
        let unknown = try await Programs.run("feedbell", ["follow", "--account", "wrk"])
        #expect(unknown.status == .exited(5) && unknown.errors.contains("There is no account \"wrk\"."))
        let both = try await Programs.run("feedbell", ["follow", "--waybar", "--polybar"])
        #expect(both.status == .exited(64))
    }

    @Test("Events are chosen by name and printed as text", .builtAgent()) func filters() async throws {
        let sandbox = Sandbox.current
        let events = ["--event", "ready", "--event", "notification-arrived"]
        try await RunningProgram.with("feedbell", ["follow"] + events + ["--format", "{event} {title}|{url}"]) { text in
            _ = try await text.wait(for: "ready |")
            _ = try await sandbox.publish(["header": "Red\u{1B}[31m", "url": "https://ci.example/1"])
            _ = try await text.wait(for: "notification-arrived Red[31m|https://ci.example/1")
            #expect(text.log.count == 2)
        }
    }

    @Test("A program runs for each arrival of a category; its failure is reported and changes nothing", .builtAgent())
    func programs() async throws {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        let script = """
            set -eu
            read -r json
            echo "$FEEDBELL_ACCOUNT $FEEDBELL_TITLE ($1) $FEEDBELL_TAGS"
            case $json in *'"id":"'"$FEEDBELL_ID"'"'*) echo same id ;; esac
            feedbell read "$FEEDBELL_ID"
            [ "$FEEDBELL_TITLE" != Bad ] || exit 3
            """
        let options = ["follow", "--category", "builds", "--exec", "sh", "-c", script, "sh", "--json"]
        // No line shows when it follows.
        try await RunningProgram.with("feedbell", options) { follower in
            var first = ""
            try await waiting(for: "a line of the follower", every: .milliseconds(100)) {
                if follower.log.contains("same id") { return true }
                first = try await sandbox.publish(["header": "First", "n_category": "builds", "tags": ["a", "b"]])
                _ = try await sandbox.publish(["header": "Other", "n_category": "promo"])
                return false
            }
            #expect(follower.log.prefix(3) == ["work First (--json) a", "b", "same id"])
            try await agent.waitForRequest("read", of: first)
            let bad = try await sandbox.publish(["header": "Bad", "n_category": "builds"])
            _ = try await follower.wait(for: "feedbell: sh ended with exit code 3 for the notification \(bad).")
            _ = try await sandbox.publish(["header": "Last", "n_category": "builds"])
            _ = try await follower.wait(for: "work Last (--json) ")
            #expect(!follower.log.contains { $0.contains("Other") || $0.contains("\"event\"") })
        }
    }

    @Test("With --timeout, four programs that hang are killed and reported, and the next ones run", .builtAgent())
    func hangingPrograms() async throws {
        let sandbox = Sandbox.current
        let script = #"case $FEEDBELL_TITLE in Last) echo last ;; *) echo begin; exec sleep 3600 ;; esac"#
        let options = ["follow", "--timeout", "0.5", "--exec", "sh", "-c", script]
        try await RunningProgram.with("feedbell", options) { follower in
            // No line shows when it follows.
            try await waiting(for: "four programs", every: .milliseconds(50)) {
                if follower.log.count(where: { $0 == "begin" }) >= 4 { return true }
                _ = try await sandbox.publish(["header": "Hang", "text": "x"])
                return false
            }
            _ = try await sandbox.publish(["header": "Last", "text": "x"])
            _ = try await follower.wait(for: "last")
            #expect(follower.log.contains { $0.hasPrefix("feedbell: sh was killed after 0.5 s for the notification ") })
        }
    }

    @Test("At its end, the follower waits for running programs, and starts none of those that wait", .builtAgent())
    func endWithPrograms() async throws {
        let sandbox = Sandbox.current
        try await TemporaryFile.with("") { file in
            let go = file.directory + "/go"
            let script = """
                echo "begin $FEEDBELL_TITLE"
                until [ -e "$0" ]; do sleep 0.05; done
                echo "end $FEEDBELL_TITLE"
                """
            let (log, status) = try await RunningProgram.with(
                "feedbell",
                ["follow", "--category", "builds", "--exec", "sh", "-c", script, go]
            ) { follower in
                // No line shows when it follows.
                try await waiting(for: "a line of the follower", every: .milliseconds(200)) {
                    if !follower.log.isEmpty { return true }
                    _ = try await sandbox.publish(["header": "0", "n_category": "builds"])
                    return false
                }
                for number in 1...6 {
                    _ = try await sandbox.publish(["header": .string("\(number)"), "n_category": "builds"])
                }
                try await follower.wait(for: "begin", times: 4)
                follower.send(SIGTERM)
                _ = try await follower.wait(for: "feedbell: Waiting until sh has ended.")
                #expect(FileManager.default.createFile(atPath: go, contents: nil))
                await follower.ended()
                return follower.log
            }
            #expect(status == .signaled(SIGTERM))
            #expect(log.count { $0.hasPrefix("begin") } == 4 && log.count { $0.hasPrefix("end") } == 4)
        }
    }

    @Test(
        "Options that exclude each other, and names that do not exist, are reported",
        arguments: [
            (["--event", "arrivd"], "There is no event \"arrivd\"."),
            (["--format", "{titel}"], "have no \"titel\". Did you mean \"title\"?"),
            (["--waybar", "--category", "x"], "exclude each other: --waybar, --category."),
            (["--event", "ready", "--exec", "true"], "exclude each other: --event, --exec."),
            (["--exec"], "Give a program after --exec."),
            (["--timeout", "5"], "--timeout needs --exec"),
            (["--exec", "/nonexistent"], "There is no executable program \"/nonexistent\"."),
        ]
    ) func invalid(options: [String], sentence: String) async throws {
        let outcome = try await Programs.run("feedbell", ["follow"] + options)
        #expect(outcome.status == .exited(64) && outcome.output.isEmpty)
        #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
    }

    @Test("A bar never shows 0 while an agent with unread notifications starts", .sandbox(users: ["anna"]))
    func startingAgent() async throws {
        let sandbox = Sandbox.current
        for name in ["One", "Two"] { _ = try await sandbox.publish(["header": .string(name)]) }
        try await RunningProgram.with("feedbell", ["follow", "--waybar"]) { waybar in
            _ = try await waybar.wait(for: "\"class\":[\"offline\"]")
            let text = AgentConfiguration.account()
            try await BuiltAgent.with(text) { _ in
                _ = try await waybar.wait(for: "\"text\":\"2\"")
                #expect(!waybar.log.contains { $0.contains("\"text\":\"0\"") })
            }
        }
    }

    @Test("A bar shows no number for an account that was never reached") func neverReached() async throws {
        try await RunningProgram.with("feedbell", ["follow", "--waybar"]) { waybar in
            try await BuiltAgent.alone(AgentConfiguration.account(url: "http://127.0.0.1:1")) { agent in
                try await agent.account.wait(AgentAccount.state, is: "offline")
                _ = try await waybar.wait(for: "work: offline")
                #expect(waybar.log.allSatisfy { $0.contains("\"text\":\"\"") })
            }
        }
    }
}
