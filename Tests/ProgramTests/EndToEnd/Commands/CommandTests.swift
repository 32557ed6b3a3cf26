import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Sandbox
import Subprocess
import TestSupport
import Testing

/// `feedbell` on a terminal and in scripts, with agent and service.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct CommandTests {
    private static let tabs =
        "[[accounts.work.stores]]\nid = \"all\"\n[[accounts.work.stores]]\nid = \"old\"\narchived = true\n"

    private func feedbell(_ arguments: String...) async throws -> Programs.Outcome {
        try await Programs.run("feedbell", arguments)
    }

    /// Runs a command that succeeds. Returns its output.
    private func output(_ arguments: String...) async throws -> String {
        let outcome = try await Programs.run("feedbell", arguments)
        #expect(outcome.status == .exited(0), "\(arguments): \(outcome.errors)")
        #expect(outcome.errors.isEmpty)
        return outcome.output
    }

    /// Its exit code and what it says when it fails.
    private func failure(_ arguments: String...) async throws -> (code: TerminationStatus, sentence: String) {
        let outcome = try await Programs.run("feedbell", arguments)
        #expect(outcome.output.isEmpty)
        return (outcome.status, outcome.errors)
    }

    @Test("The command lists, shows, opens and marks notifications", .builtAgent()) func notifications() async throws {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        let first = try await sandbox.publish([
            "header": "One\u{1B}[31m", "text": "first", "url": "https://a.example",
        ])
        let second = try await sandbox.publish(["header": "Two", "text": "second", "n_category": "promo"])
        _ = try await (agent.popup(), agent.popup())
        try await agent.account.wait(AgentInbox.unreadCount, is: 2)
        try await agent.account.wait(AgentInbox.badgeCount, is: 2)
        try await agent.waitForList(count: 2)

        let list = try await output("list")
        let lines = list.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
        #expect(lines.map { $0[0] } == [second, first])
        #expect(lines.map { $0[1] } == ["unread", "unread"])
        #expect(lines.map { $0[3] } == ["Two", "One[31m"])
        #expect(try await output("list", "--category", "promo", "--limit", "1").hasPrefix(second))
        #expect(try await output("list", "--offset", "1").hasPrefix(first))
        #expect(try await output("list", "--read").isEmpty)
        let json = try await output("list", "--json")
        #expect(json.hasPrefix("[{") && json.contains("\"title\":\"Two\""))
        #expect(!json.contains("\u{1B}"))

        // Ids of the same millisecond share a prefix and differ in the last character.
        let ambiguous = try await failure("read", String(first.prefix(5)))
        #expect(ambiguous.code == .exited(64))
        #expect(ambiguous.sentence.contains(first))
        #expect(ambiguous.sentence.contains("Give more characters of the id."))
        #expect(try await output("read", first).isEmpty)
        try await agent.waitForRequest("read", of: first)
        #expect(try await output("list", "--unread").hasPrefix(second))
        #expect(try await output("unread", first).isEmpty)
        try await agent.waitForRequest("unread", of: first)
        #expect(try await output("open", first).isEmpty)
        // With the activation token in the command's environment.
        #expect(try await agent.opened.next().prefix(2) == ["https://a.example", "stale"])
        #expect(try await output("show", second).contains("Two\nsecond\ncreated "))
        #expect(try await output("show", second, "--json").contains("\"category\":\"promo\""))
        #expect(try await output("badge") == "2\n")
        #expect(try await output("badge", "--json") == "{\"badge\":2}\n")
        _ = try await output("badge", "reset")
        #expect(try await output("badge") == "0\n")
        _ = try await output("seen", second)
        _ = try await output("archive", second)
        try await agent.waitForRequest("archive", of: second)
        #expect(try await output("read-all", "--json") == "{\"unread\":0}\n")
        #expect(try await output("read-all").isEmpty)
        #expect(try await output("list", "--unread").isEmpty)
        #expect(try await output("more") == "0\n")
        #expect(try await output("more", "--json") == "{\"added\":0}\n")

        let refused = try await failure("delete", first)
        #expect(refused.code == .exited(6) && refused.sentence.contains("(suprsend) cannot delete notifications."))
        for command in [["show", "nope"], ["open", "nope"], ["read", first, "nope"], ["rules", "test", "nope"]] {
            let unknown = try await Programs.run("feedbell", command)
            #expect(unknown.status == .exited(5) && unknown.output.isEmpty)
            #expect(unknown.errors == "feedbell: No id begins with \"nope\". feedbell list shows the ids.\n")
        }
        #expect(await !sandbox.requests.contains { $0.path.contains("nope") }, "a typo is no question to the service")
    }

    /// On a terminal: marks, short ids, one line each, cut at the edge; colours unless they are not wanted.
    @Test("On a terminal, lists have marks, short ids, colours and lines cut at the edge", .builtAgent())
    func terminalOutput() async throws {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        let long = String(repeating: "word ", count: 40)
        let id = try await sandbox.publish(["header": "One", "text": .string(long)])
        _ = try await agent.popup()
        try await agent.account.wait(AgentInbox.unreadCount, is: 1)
        try await agent.waitForList(count: 1)
        func shown(_ command: String, _ more: [Environment.Key: String?] = [:], columns: Int = 60) async throws
            -> String
        {
            let terminal = ["-qec", "stty cols \(columns); feedbell \(command)", "/dev/null"]
            let environment = ["TERM": "xterm", "NO_COLOR": nil].merging(more) { $1 }
            return try await Programs.output("script", terminal, environment: environment)
        }
        let line = try #require(try await shown("list", ["NO_COLOR": "1"]).split(whereSeparator: \.isNewline).first)
        #expect(line.hasPrefix("●  \(id.prefix(4))  "))
        #expect(line.hasSuffix("…") && line.count == 60)
        #expect(try await shown("list", ["TERM": "dumb"]).hasPrefix(line))
        #expect(try await shown("list --unread", ["NO_COLOR": "1"]).hasPrefix(line))
        #expect(try await shown("list").contains("\u{1B}[1mOne\u{1B}[0m"))
        #expect(try await shown("status").contains("\u{1B}[32monline\u{1B}[0m"))
        let table = try await shown("preferences", ["NO_COLOR": "1"], columns: 80)
        #expect(table.contains("  Refund news [refund-news]  on    on*"))
        #expect(table.contains("* cannot be changed"))
    }

    @Test("The command lists tabs and their notifications", .builtAgent(configuration: Self.tabs))
    func listedTabs() async throws {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        let kept = try await sandbox.publish(["header": "Kept", "tags": ["tab1"]])
        let archived = try await sandbox.publish(["header": "Archived"])
        _ = try await (agent.popup(), agent.popup())
        try await agent.account.wait(AgentInbox.tabs, is: [Structure("all", "all", 2), Structure("old", "old", 0)])
        try await agent.waitForList(count: 2)
        #expect(try await output("tabs") == "all\tall\t2\nold\told\t0\n")
        #expect(try await output("tabs", "--json").contains("{\"id\":\"old\",\"label\":\"old\",\"unread\":0}"))

        let list = try await output("list", "--tab", "all")
        #expect(list.contains(kept) && list.contains(archived))
        #expect(try await output("list", "--tag", "tab1").hasPrefix(kept))
        #expect(!(try await output("list", "--tag", "tab1")).contains(archived))
        #expect(try await output("list", "--since", "1h").contains(kept))
        #expect(try await output("list", "--since", "4102444800000").isEmpty)
        #expect(try await output("list", "--since", "yesterday").contains(kept))
        #expect(try await failure("list", "--since", "last week").code == .exited(64))

        _ = try await output("archive", archived)
        try await agent.waitForRequest("archive", of: archived)
        #expect(try await output("list", "--tab", "old", "--account", "work", "--archived").hasPrefix(archived))
        #expect(try await output("list").hasPrefix(kept), "no other list changes")
        #expect(try await output("more", "--tab", "old") == "0\n")
        for command in ["list", "more"] {
            let unknown = try await failure(command, "--tab", "nope")
            #expect(unknown.code == .exited(5))
            #expect(unknown.sentence == "feedbell: There is no tab \"nope\". There are: all, old.\n")
        }
    }

    @Test("Without tabs in the configuration, the command says where tabs are defined", .builtAgent())
    func noTabs() async throws {
        #expect(try await output("tabs").isEmpty)
        #expect(try await output("tabs", "--json") == "[]\n")
        let unknown = try await failure("list", "--tab", "nope")
        #expect(unknown.code == .exited(5))
        #expect(
            unknown.sentence == "feedbell: There is no tab \"nope\". The configuration defines none: "
                + "see [[accounts.NAME.stores]] in feedbell.toml(5).\n"
        )
    }

    @Test("The command pauses popups and reports the state", .builtAgent()) func pauseAndState() async throws {
        let root = BuiltAgent.current.root
        _ = try await output("pause", "90m")
        #expect(try await root.get(AgentRoot.paused))
        let until = try await root.get(AgentRoot.pausedUntil)
        _ = try await output("pause", "2h")
        #expect(try await root.get(AgentRoot.pausedUntil) - until >= 1_790_000)
        _ = try await output("pause", "until", "18:00")
        #expect(try await root.get(AgentRoot.pausedUntil) % 60_000 == 0)
        for day in [["tomorrow"], ["until", "tomorrow"], ["until", "monday"], ["until", "2999-12-31"], ["1w"]] {
            _ = try await output("pause", "1h")
            let before = try await root.get(AgentRoot.pausedUntil)
            let outcome = try await Programs.run("feedbell", ["pause"] + day)
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
            #expect(try await root.get(AgentRoot.pausedUntil) != before, "\(day)")
        }
        #expect(try await output("resume", "--json") == "{\"paused\":false,\"paused_until\":0}\n")
        #expect(try await !root.get(AgentRoot.paused))
        #expect(try await output("pause", "--json") == "{\"paused\":true,\"paused_until\":0}\n")
        _ = try await output("resume")
        for (state, isHidden) in [("on", true), ("off", false)] {
            _ = try await output("hide-text", state)
            #expect(try await root.get(AgentRoot.textHidden) == isHidden)
        }
        #expect(try await !root.get(AgentRoot.paused))
        for time in ["soon", "5", "0s", "-1h", "until"] {
            let outcome = try await Programs.run("feedbell", ["pause", "--", time])
            #expect(outcome.status == .exited(64) && outcome.errors.contains("is not a valid time"), "\(time)")
        }
        #expect(try await failure("pause", "yesterday").sentence == "feedbell: The time \"yesterday\" is past.\n")
        let status = try await output("status", "--json")
        #expect(
            status.hasPrefix(
                "{\"accounts\":[{\"as_of\":0,\"attention_needed\":false,\"error\":\"\",\"name\":\"work\","
                    + "\"next_attempt\":0,\"pending\":0,"
            )
        )
        #expect(status.contains("\"state\":\"online\"") && status.contains("\"paused\":false"))
        _ = try await output("reconnect")
        _ = try await output("reload")
    }

    @Test("The command shows and changes preferences", .builtAgent()) func preferences() async throws {
        let sandbox = Sandbox.current
        let shown = try await output("preferences")
        #expect(
            shown.contains(
                """
                Offers
                  Refund news [refund-news]: on
                    androidpush on (fixed), email on (fixed), inbox on, whatsapp off

                """
            )
        )
        #expect(shown.hasSuffix("Channels\n  email: all\n  inbox: all\n  androidpush: all\n  whatsapp: all\n"))
        _ = try await output("preferences", "set", "refund-news", "inbox", "off", "--wait")
        try await sandbox.waitForRequest { $0.method == "PATCH" && $0.path.contains("refund-news") }
        #expect(try await output("preferences").contains("inbox off"))
        _ = try await output("preferences", "set", "refund-news", "off")
        _ = try await output("preferences", "channel", "email", "required", "--wait")
        #expect(try await output("preferences").contains("email: required"))
        #expect(
            try await output("preferences", "--json").contains("{\"channel\":\"email\",\"level\":\"required\"}")
        )

        let fixed = try await failure("preferences", "set", "refund-news", "email", "off")
        #expect(fixed.code == .exited(6) && fixed.sentence.contains("the sender requires it"))
        let category = try await failure("preferences", "set", "nope", "on")
        #expect(category.code == .exited(5))
        #expect(category.sentence.hasPrefix("feedbell: There is no category \"nope\". There are: refund-news, "))
        let channel = try await failure("preferences", "set", "refund-news", "fax", "on")
        #expect(channel.code == .exited(5))
        #expect(channel.sentence.contains("\"refund-news\" has no channel \"fax\". Its channels: "))
        let overall = try await failure("preferences", "channel", "fax", "all")
        #expect(overall.code == .exited(5))
        #expect(overall.sentence.contains("There is no channel \"fax\". There are: email, inbox, "))
        #expect(try await failure("preferences", "set", "refund-news", "maybe").code == .exited(64))
        #expect(try await failure("preferences", "channel", "email", "none").code == .exited(64))
    }

    @Test("What changed at the service shows after preferences --refresh", .builtAgent())
    func refreshedPreferences() async throws {
        let sandbox = Sandbox.current
        #expect(try await output("preferences").contains("[refund-news]"))
        try await sandbox.execute("preferences", ["sections": [], "channel_preferences": []])
        #expect(try await output("preferences").contains("[refund-news]"))
        #expect(!(try await output("preferences", "--refresh")).contains("[refund-news]"))
        #expect(!(try await output("preferences")).contains("[refund-news]"))
    }

    @Test("An inbox that was never loaded is a sentence and 7, and never an empty answer") func neverLoaded()
        async throws
    {
        try await BuiltAgent.alone(AgentConfiguration.account(url: "http://127.0.0.1:1")) { agent in
            try await agent.account.wait(AgentAccount.lastError) { !$0.elements.0.isEmpty }
            let commands = [
                ["list"], ["list", "--json"], ["list", "--tab", "", "--limit", "3"], ["inbox"], ["badge"],
                ["show", "01K1VN"], ["rules", "test", "01K1VN"], ["open", "01K1VN"],
            ]
            for command in commands {
                let outcome = try await Programs.run("feedbell", command)
                #expect(outcome.status == .exited(7) && outcome.output.isEmpty, "\(command): \(outcome.errors)")
                #expect(outcome.errors.hasPrefix("feedbell: "), "\(command)")
            }
            let list = try await failure("list")
            #expect(list.sentence.hasPrefix("feedbell: The inbox of \"work\" is not loaded yet: the account is "))
            let badge = try await failure("badge")
            #expect(badge.sentence.hasPrefix("feedbell: Not loaded yet: "))
            // An action needs no inbox.
            _ = try await output("read", "01K1VNB0E0EXPRE00000000002")
            // Another attempt shows no more of it.
            let before = try await agent.account.get(AgentAccount.stateSince)
            try await agent.account.call(AgentAccount.reconnect)
            try await agent.account.wait(AgentAccount.stateSince) { $0 > before }
            try await agent.account.wait(AgentAccount.state, is: "offline")
            let again = try await failure("list")
            #expect(again.code == .exited(7), "\(again)")
            try await RunningProgram.with("feedbell", ["follow"]) { follow in
                _ = try await follow.wait(for: "\"event\":\"ready\"")
            }
        }
    }

    @Test(
        "An inbox that was never loaded without credentials is 4",
        .sandbox(users: ["anna"], expectsNoViolations: false)
    )
    func neverLoadedUnauthorized() async throws {
        try await BuiltAgent.alone(AgentConfiguration.account(hasToken: false)) { agent in
            try await agent.account.wait(AgentAccount.state, is: "unauthorized")
            for command in ["list", "inbox", "badge"] {
                let refused = try await failure(command)
                #expect(refused.code == .exited(4) && refused.sentence.contains("unauthorized"), "\(refused.sentence)")
            }
        }
    }

    @Test("open ends with 5 and says why nothing opened", .builtAgent()) func nothingOpened() async throws {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        let none = try await sandbox.publish(["header": "No link", "text": "x"])
        let local = try await sandbox.publish(["header": "Local", "text": "x", "url": "file:///etc/passwd"])
        let link = try await sandbox.publish(["header": "Link", "text": "x", "url": "https://example.com"])
        try await agent.waitForList(count: 3)
        _ = try await output("open", link)
        #expect(try await agent.opened.next().first == "https://example.com")
        let sentences = [
            none: "feedbell: The notification has no link.\n",
            local: "feedbell: Links of the scheme \"file\" are not opened. "
                + "To allow them, add it to popups.open_schemes.\n",
        ]
        for (id, sentence) in sentences {
            let failed = try await failure("open", id)
            #expect(failed.code == .exited(5) && failed.sentence == sentence)
        }
        try await agent.waitForRequest("interacted", of: none)
        #expect(await sandbox.inbox("anna").row(local)?["interacted_on"] == .null, "its link cannot be opened")
    }

    @Test("With several accounts, the id of a notification finds its account", .sandbox(users: ["anna", "ben"]))
    func idsOfTwoAccounts() async throws {
        let sandbox = Sandbox.current
        let two = AgentConfiguration.account() + AgentConfiguration.account("home", user: "ben")
        try await BuiltAgent.with(two) { agent in
            try await agent.account("home").wait(AgentAccount.state, is: "online")
            let first = try await sandbox.publish(["header": "Anna's", "text": "x"], to: Recipient("anna"))
            let second = try await sandbox.publish(
                ["header": "Ben's", "text": "x", "url": "https://b.example"],
                to: Recipient("ben")
            )
            try await agent.waitForList(count: 1)
            try await agent.account("home").wait(AgentInbox.totalCount, is: 1)
            try await agent.waitForList(count: 1, of: "home")
            #expect(try await output("show", first).hasPrefix("Anna's\n"))
            #expect(try await output("show", second).hasPrefix("Ben's\n"))
            _ = try await output("read", first, second)
            try await agent.waitForRequest("read", of: first)
            try await agent.waitForRequest("read", of: second)
            _ = try await output("open", second)
            #expect(try await agent.opened.next().first == "https://b.example")
            let ambiguous = try await failure("show", String(first.prefix(5)))
            #expect(ambiguous.code == .exited(64) && ambiguous.sentence.contains("Give more characters of the id."))
            let unknown = try await failure("show", "01K1VNB0E0EXPRE00000000002")
            #expect(unknown.code == .exited(5))
        }
    }

    @Test(
        "list, tabs, badge and read-all are about all accounts together, or about one",
        .sandbox(users: ["anna", "ben"])
    )
    func allAccounts() async throws {
        let sandbox = Sandbox.current
        let two = AgentConfiguration.account() + Self.tabs + AgentConfiguration.account("home", user: "ben")
        try await BuiltAgent.with(two) { agent in
            let home = agent.account("home")
            try await home.wait(AgentAccount.state, is: "online")
            var ids: [String] = []
            for user in ["anna", "ben", "anna"] {
                ids.append(
                    try await sandbox.publish(["header": .string("For \(user)"), "text": "x"], to: Recipient(user))
                )
                try await agent.account(user == "ben" ? "home" : "work").wait(AgentInbox.unreadCount) {
                    $0 == (ids.count == 3 ? 2 : 1)
                }
            }
            try await agent.waitForList(count: 2)
            try await agent.account.wait(AgentInbox.badgeCount, is: 2)
            try await home.wait(AgentInbox.badgeCount, is: 1)
            try await agent.account.wait(AgentInbox.tabs) { $0.first?.elements.2 == 2 }
            func list(_ arguments: [String], environment: [Environment.Key: String?] = [:]) async throws -> [String] {
                let outcome = try await Programs.run("feedbell", ["list"] + arguments, environment: environment)
                #expect(outcome.status == .exited(0), "\(outcome.errors)")
                return outcome.output.split(separator: "\n").map(String.init)
            }
            let rows = try await list([])
            #expect(rows.map { $0.split(separator: "\t").first.map(String.init) } == ids.reversed())
            #expect(rows.map { $0.split(separator: "\t").last } == ["work", "home", "work"])
            #expect(try await list(["--limit", "1", "--offset", "1"]).map { $0.hasPrefix(ids[1]) } == [true])
            let own = try await list(["--account", "home"])
            #expect(own.count == 1 && own[0].hasSuffix("\tFor ben"))
            #expect(try await list([], environment: ["FEEDBELL_ACCOUNT": "home"]) == own)
            #expect(try await list(["--account", "work"], environment: ["FEEDBELL_ACCOUNT": "home"]).count == 2)
            #expect(try await list(["--tab", "all"]).count == 2)
            #expect(try await failure("list", "--tab", "nosuch").code == .exited(5))
            #expect(try await output("tabs") == "all\tall\t2\twork\nold\told\t0\twork\n")
            #expect(try await output("badge") == "3\n")
            _ = try await output("badge", "reset")
            #expect(try await output("badge") == "0\n")
            #expect(try await output("read-all", "--account", "home", "--json") == "{\"unread\":0}\n")
            #expect(try await agent.account.get(AgentInbox.unreadCount) == 2)
            #expect(try await output("read-all", "--json") == "{\"unread\":0}\n")
            let question = "Mark everything in work, home as read? [y/N]: "
            let no = try await TerminalDialogue.run(["feedbell", "read-all"], [(question, "\n")])
            #expect(no.status == 64 && no.shown.contains("Nothing was changed."))
            #expect(try await TerminalDialogue.run(["feedbell", "read-all", "--yes"], []).status == 0)
        }
    }

    @Test("list prints lines of a format, and JSON as its schema describes it", .builtAgent()) func formats()
        async throws
    {
        let agent = BuiltAgent.current
        for (title, tags) in [("One", ["a", "b"]), ("Two", [])] as [(String, [JSON])] {
            try await Sandbox.current.publish([
                "header": .string(title), "text": "x", "url": "https://a.example/1", "tags": .array(tags),
                "actions": [["name": "Buy", "url": "https://b.example"]],
            ])
        }
        try await agent.waitForList(count: 2)
        let lines = try await output("list", "--format", "{title}|{url}|{tags}|{account}|{read}")
        #expect(lines == "Two|https://a.example/1||work|0\nOne|https://a.example/1|a,b|work|0\n")
        #expect(try await output("list", "--limit", "1", "--format", "{title}") == "Two\n")
        #expect(try await output("list", "--read", "--format", "{title}").isEmpty)
        let unknown = try await failure("list", "--format", "{titel}")
        #expect(unknown.code == .exited(64) && unknown.sentence.contains("Did you mean \"title\"?"))
        #expect(try await failure("list", "--json", "--format", "{title}").code == .exited(64))
        let terminal = try await TerminalDialogue.run(["feedbell", "list", "--format", "{title}"], [])
        #expect(terminal.shown == "Two\r\nOne\r\n")

        let id = String(try await output("list", "--limit", "1", "--format", "{id}").dropLast())
        let (followed, _) = try await RunningProgram.with("feedbell", ["follow"]) { follow in
            try await follow.wait(for: "\"notification-listed\"")
        }
        let printed = [
            ("list", try await output("list", "--json")),
            ("status", try await output("status", "--json")),
            ("notification", try await output("show", id, "--json")),
            ("notification", JSON(parsing: followed)?["notification"]?.text ?? ""),
        ]
        for (definition, text) in printed {
            let problem = try await OutputSchema.problem(of: text, as: definition)
            #expect(problem.isEmpty, "\(definition): \(problem)")
        }
    }

    @Test("On a terminal list shows 20 and how many there are, whatever was loaded before", .builtAgent())
    func endingLine() async throws {
        let agent = BuiltAgent.current
        for number in 1...23 {
            try await Sandbox.current.publish(["header": .string("N\(number)"), "text": "x"])
        }
        try await agent.account.wait(AgentInbox.totalCount, is: 23)
        func lines(_ arguments: String...) async throws -> [Substring] {
            let outcome = try await TerminalDialogue.run(["feedbell", "list"] + arguments, [])
            #expect(outcome.status == 0, "\(outcome.shown)")
            return outcome.shown.split { $0.isNewline }
        }
        for _ in 1...2 {
            let usual = try await lines()
            #expect(usual.count == 21 && usual.last?.contains("20 of 23; more: feedbell list --limit 100") == true)
            // All are loaded then.
            #expect(try await output("list", "--limit", "100").split(separator: "\n").count == 23)
        }
        let unread = try await lines("--unread")
        #expect(unread.last?.contains("The first 20; more: feedbell list --unread --limit 100") == true, "\(unread)")
        #expect(try await lines("--limit", "100").count == 23)
        #expect(try await lines("--offset", "10").count == 13)
    }

    @Test("Without an account, and with the name of another one, commands report which there are")
    func accountArgument() async throws {
        try await TemporaryFile.with("") { file in
            try await BuiltAgent.alone(file) { _ in
                let none = try await failure("list")
                #expect(none.code == .exited(5) && none.sentence.contains("No account is configured"))
                let two = ["work", "home"].map {
                    AgentConfiguration.account($0, user: $0, url: "http://127.0.0.1:1")
                }
                try file.write(two.joined())
                _ = try await output("reload")
                #expect(try await failure("more").code == .exited(7))
                let wrong = try await failure("list", "--account", "wrk")
                #expect(wrong.code == .exited(5) && wrong.sentence.contains("There is no account \"wrk\"."))
                let offline = try await failure("more", "--account", "work")
                #expect(offline.code == .exited(7))
                let typo = try await failure("show", "nosuch", "--account", "work")
                #expect(typo.code == .exited(7))
                #expect(typo.sentence.hasPrefix("feedbell: The inbox of \"work\" is not loaded yet: "))
            }
        }
        let noAgent = try await failure("list")
        #expect(noAgent.code == .exited(3) && noAgent.sentence.contains("No Feedbell agent is running"))
    }
}
