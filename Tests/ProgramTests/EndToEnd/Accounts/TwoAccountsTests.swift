import AgentInterface
import AgentTestSupport
import DBus
import Glibc
import Sandbox
import Subprocess
import TestSupport
import Testing

/// Commands with two accounts, of which none is named.
@Suite(.sessionBus, .sandbox(users: ["anna", "ben"]), .timeLimit(.minutes(5))) struct TwoAccountsTests {
    private let sandbox = Sandbox.current

    private func with(_ body: (BuiltAgent) async throws -> Void) async throws {
        let tab = "[[accounts.home.stores]]\nid = \"old\"\narchived = true\n"
        let two = AgentConfiguration.account() + AgentConfiguration.account("home", user: "ben") + tab
        try await BuiltAgent.with(two) { agent in
            try await agent.account("home").wait(AgentAccount.state, is: "online")
            try await body(agent)
        }
    }

    private func run(_ arguments: String...) async throws -> Programs.Outcome {
        try await Programs.run("feedbell", arguments)
    }

    @Test("more loads a page of each account, or of those that have the tab") func more() async throws {
        for user in ["anna", "ben"] {
            for number in 1...25 {
                _ = try await sandbox.publish(["header": .string("\(number)"), "text": "x"], to: Recipient(user))
            }
        }
        try await with { agent in
            for name in ["work", "home"] { try await agent.account(name).wait(AgentInbox.totalCount, is: 25) }
            try await agent.waitForList(count: 20)
            try await agent.waitForList(count: 20, of: "home")
            let all = try await run("more")
            #expect(all.status == .exited(0) && all.output == "10\n", "\(all.errors)")
            let json = try await run("more", "--json", "--tab", "old")
            #expect(json.status == .exited(0) && json.output == "{\"added\":0}\n", "\(json.errors)")
            let none = try await run("more", "--tab", "new")
            #expect(none.status == .exited(5) && none.errors.contains("There is no tab \"new\"."))
        }
    }

    @Test("preferences prints those of each account, and changes what only one has") func preferences() async throws {
        try await with { _ in
            let both = try await run("preferences")
            #expect(both.status == .exited(0), "\(both.errors)")
            #expect(both.output.hasPrefix("Account work\n") && both.output.contains("\n\nAccount home\n"))
            let json = try await run("preferences", "--json")
            for name in ["work", "home"] { #expect(json.output.contains("\"account\":\"\(name)\""), "\(json.errors)") }
            let one = try await run("preferences", "--account", "work", "--json")
            #expect(!one.output.contains("\"account\""))
            let ambiguous = try await run("preferences", "set", "refund-news", "off")
            #expect(ambiguous.status == .exited(64))
            #expect(ambiguous.errors == "feedbell: Several accounts have it. Choose one with --account.\n")
            let unknown = try await run("preferences", "set", "nothing", "off")
            #expect(unknown.status == .exited(5) && unknown.errors.contains("There is no category \"nothing\"."))
            let refresh = try await run("preferences", "refresh")
            #expect(refresh.status == .exited(0), "\(refresh.errors)")
        }
    }

    /// As the scripts of the shells ask, the word before the cursor is at the end.
    private func offers(_ words: String...) async throws -> [String] {
        let script = try await Programs.output("feedbell", ["--generate-completion-script", "bash"])
        return try await TemporaryFile.with(script, named: "_feedbell") { file in
            let line = words.joined(separator: " ") + " "
            let program = """
                source "$1"
                COMP_LINE=$2 COMP_POINT=${#2}
                read -ra COMP_WORDS <<<"$2"
                COMP_WORDS+=('')
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _feedbell feedbell '' "${COMP_WORDS[COMP_CWORD - 1]}"
                printf '%s\\n' "${COMPREPLY[@]}"
                """
            // Nothing is offered when the agent is not quick.
            while true {
                let arguments = ["--norc", "--noprofile", "-c", program, "bash", file.path, line]
                let outcome = try await Programs.run("bash", arguments)
                let offers = outcome.output.split(separator: "\n").map(String.init)
                if !offers.isEmpty { return offers.sorted() }
            }
        }
    }

    @Test("Ids, categories, tags, tabs and preferences of both are completed, and times and values of settings")
    func completion() async throws {
        let row: JSON = ["header": "1", "text": "x", "n_category": "builds", "tags": ["ci"]]
        let first = try await sandbox.publish(row, to: Recipient("anna"))
        let other: JSON = ["header": "2", "text": "x", "n_category": "promo", "tags": ["new"]]
        let second = try await sandbox.publish(other, to: Recipient("ben"))
        try await with { agent in
            try await agent.waitForList(count: 1)
            try await agent.waitForList(count: 1, of: "home")
            #expect(try await offers("feedbell", "read") == [first, second].sorted())
            #expect(try await offers("feedbell", "list", "--category") == ["builds", "promo"])
            #expect(try await offers("feedbell", "list", "--tag") == ["ci", "new"])
            #expect(try await offers("feedbell", "list", "--tab") == ["old"])
            #expect(try await offers("feedbell", "preferences", "set").contains("refund-news"))
            #expect(try await offers("feedbell", "preferences", "channel").contains("email"))
            #expect(try await offers("feedbell", "pause").contains("tomorrow"))
            #expect(try await offers("feedbell", "snooze", first).contains("1h"))
            #expect(try await offers("feedbell", "list", "--since").contains("yesterday"))
            #expect(try await offers("feedbell", "settings", "set", "popups.pictures") == ["false", "true"])
            #expect(try await offers("feedbell", "settings", "set", "popups.locked") == ["hide-text", "hold", "show"])
        }
    }

    @Test("stop ends the agent, and says so when none is running") func stop() async throws {
        try await TemporaryFile.with("") { file in
            try await BuiltAgent.alone(file) { agent in
                let outcome = try await run("stop")
                #expect(
                    outcome.status == .exited(0) && outcome.output == "The agent was stopped.\n",
                    "\(outcome.errors)"
                )
                await agent.program.ended()
                let again = try await run("stop")
                #expect(again.status == .exited(0) && again.output == "The agent is not running.\n")
            }
        }
    }

    @Test("pause takes off and on, and snooze takes off") func offAndOn() async throws {
        let id = try await sandbox.publish(["header": "1", "text": "x"], to: Recipient("anna"))
        try await with { agent in
            try await agent.waitForList(count: 1)
            #expect(try await run("pause", "on").status == .exited(0))
            try await agent.root.wait(AgentRoot.paused, is: true)
            #expect(try await run("pause", "off").status == .exited(0))
            try await agent.root.wait(AgentRoot.paused, is: false)
            #expect(try await run("snooze", id, "monday", "8:00").status == .exited(0))
            #expect(try await run("list", "--snoozed").output.hasPrefix(id))
            let shown = try await run("show", id).output
            #expect(shown.contains("snoozed until ") && shown.contains("account work"), "\(shown)")
            #expect(try await run("snooze", id, "off").status == .exited(0))
            #expect(try await run("list", "--snoozed").output.isEmpty)
            let past = try await run("snooze", id, "2020-01-01")
            #expect(past.status == .exited(64) && past.errors == "feedbell: The time \"2020-01-01\" is past.\n")
        }
    }

    @Test("An empty list is a sentence on a terminal, and nothing in a pipe", arguments: [[], ["--unread"]])
    func emptyList(options: [String]) async throws {
        try await with { _ in
            let terminal = try PseudoTerminal("feedbell", ["list"] + options, columns: 80)
            let end = try await terminal.end()
            #expect(
                end.status == 0
                    && end.written == (options.isEmpty ? "No notifications.\r\n" : "No such notifications.\r\n")
            )
            #expect(try await Programs.run("feedbell", ["list"] + options).output.isEmpty)
        }
    }

    @Test("A pipe gets all that is kept, whatever other clients list, and standard error says what is missing")
    func pipe() async throws {
        for number in 1...60 {
            _ = try await sandbox.publish(["header": .string("\(number)"), "text": "x"], to: Recipient("anna"))
        }
        let configuration = AgentConfiguration.account()
        try await TemporaryFile.with(configuration) { file in
            try await BuiltAgent.keepingState(beside: file) { agent in
                try await agent.waitForList(count: 20)
                let sentence = "Some notifications are missing: Only the newest 20 of 60 notifications are kept"
                let before = try await run("list", "--unread")
                #expect(before.status == .exited(0) && before.output.split(separator: "\n").count == 20)
                #expect(before.errors.contains(sentence), "\(before.errors)")
                #expect(try await run("list", "--limit", "60").status == .exited(0))
            }
            // One page is loaded again, and the copy has all notifications.
            try await BuiltAgent.keepingState(beside: file) { agent in
                try await agent.account.wait(AgentAccount.state, is: "online")
                try await agent.account.wait(AgentInbox.totalCount, is: 60)
                while true {
                    let after = try await run("list", "--unread")
                    guard after.output.split(separator: "\n").count < 60 else {
                        #expect(after.status == .exited(0) && after.errors.isEmpty, "\(after.errors)")
                        break
                    }
                }
                let json = try await run("list", "--json")
                #expect(json.output.split(separator: "\"id\":").count == 61)
                #expect(try await agent.account.call(AgentInbox.list, [:]).count < 60)
            }
        }
    }

    @Test("Lines of errors break between words on a terminal") func brokenLines() async throws {
        let terminal = try PseudoTerminal("feedbell", ["pause", "soon"], columns: 30)
        let written = try await terminal.end().written
        let lines = written.split(separator: "\r\n").map(String.init)
        #expect(lines.count > 2 && lines.allSatisfy { $0.count <= 30 }, "\(lines)")
        let whole = lines.map { $0.trimmingPrefix { $0 == " " } }.joined(separator: " ")
        #expect(whole.hasPrefix("feedbell: \"soon\" is not a valid time. Examples: 30m, 2h, 3d, 1w,"))
    }
}
