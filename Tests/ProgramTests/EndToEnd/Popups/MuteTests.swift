import AgentInterface
import AgentTestSupport
import DBus
import Foundation
import Sandbox
import Subprocess
import TestSupport
import Testing

/// Mutes, and rules that programs make.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct MuteTests {
    private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

    private func publish(_ title: String, _ category: String) async throws -> String {
        try await Sandbox.current.publish([
            "header": .string(title), "text": "x", "n_category": .string(category),
        ])
    }

    private static func category(_ pattern: String) -> [String: Value] {
        var conditions = RuleConditionsRecord()
        conditions.category = [pattern]
        return conditions.values
    }

    private static func rule(
        _ category: String,
        until: Int64 = 0,
        _ body: (inout RuleSettingsRecord) -> Void = { _ in }
    ) -> [String: Value] {
        var settings = RuleSettingsRecord()
        body(&settings)
        var rule = RuleRecord()
        (rule.conditions, rule.settings, rule.until) = (Self.category(category), settings.values, until)
        return rule.values
    }

    private func rules(_ agent: BuiltAgent) async throws -> [RuleRecord] {
        try await agent.root.call(AgentRoot.rules).map { RuleRecord($0) }
    }

    private func error(_ body: () async throws -> Void) async -> DBusError? {
        await #expect(throws: DBusError.self) { try await body() }
    }

    @Test(
        "A muted category has neither popup nor badge, until its end",
        .sandbox(users: ["anna"]),
        .builtAgent()
    )
    func mute() async throws {
        let agent = BuiltAgent.current
        let earlier = try await publish("Build 1", "builds")
        #expect(try await agent.popup().summary == "Build 1")
        let id = try await agent.root.call(AgentRoot.mute, Self.category("builds"), 0)
        try await agent.account.wait(AgentInbox.hiddenUnread, is: ["": 1])
        let muted = try await publish("Build 2", "builds")
        try await agent.account.wait(AgentInbox.hiddenUnread, is: ["": 2])
        _ = try await publish("News", "news")
        #expect(try await agent.popup().summary == "News", "the muted one has no popup")
        try await agent.account.wait(AgentInbox.unreadCount, is: 3)
        let list = try await agent.account.call(AgentInbox.list, [:]).map { NotificationRecord($0) }
        #expect(Set(list.filter(\.isMuted).map(\.id)) == [earlier, muted])
        try await agent.account.call(AgentInbox.snooze, [muted], Self.now + 3_600_000)
        try await agent.account.call(AgentInbox.markRead, [earlier])
        try await agent.account.wait(AgentInbox.hiddenUnread, is: ["": 1])
        let changes = try await agent.root.signals(of: AgentRoot.self)
        let again = try await agent.root.call(AgentRoot.mute, Self.category("builds"), Self.now + 1_500)
        #expect(again == id, "the same mute with an end")
        for _ in 1...2 { _ = await changes.next { (try? AgentRoot.rulesChanged.decode($0)) != nil } }
        #expect(try await rules(agent).map(\.until).allSatisfy { $0 > 0 && $0 <= Self.now })
        _ = try await publish("Build 3", "builds")
        #expect(try await agent.popup().summary == "Build 3")
        #expect(try await agent.account.get(AgentInbox.hiddenUnread) == ["": 1], "one is snoozed")
    }

    @Test(
        "The button of a popup mutes the category of its account for an hour, however long it is",
        .sandbox(users: ["anna"]),
        .builtAgent(configuration: "[popups]\nbuttons = [\"mute\"]\n"),
        arguments: ["builds*", String(repeating: "*", count: 256)]
    )
    func button(category: String) async throws {
        let agent = BuiltAgent.current
        _ = try await publish("Build 1", category)
        let popup = try await agent.popup()
        #expect(popup.actions == ["default", "Done", "feedbell-mute", "Mute for an hour"])
        let begin = Self.now
        try await agent.server.invoke(id: popup.id, action: "feedbell-mute")
        try await agent.account.wait(AgentInbox.hiddenUnread, is: ["": 1])
        let rule = try #require(try await rules(agent).first)
        let conditions = RuleConditionsRecord(rule.conditions)
        #expect(conditions.account == ["work"] && conditions.category == [RulePattern.exact(category)])
        #expect((begin + 3_600_000...Self.now + 3_600_000).contains(rule.until))
    }

    @Test(
        "A popup says that the button has muted nothing",
        .sandbox(users: ["anna"]),
        .builtAgent(configuration: "[popups]\nbuttons = [\"mute\"]\n")
    )
    func failedButton() async throws {
        let agent = BuiltAgent.current
        for number in 1...100 {
            _ = try await agent.root.call(AgentRoot.addRule, Self.rule("c\(number)") { $0.sound = "none" }, "")
        }
        _ = try await publish("Build 1", "builds")
        try await agent.server.invoke(id: try await agent.popup().id, action: "feedbell-mute")
        #expect(try await agent.popup().summary == "Not muted")
    }

    @Test(
        "Rules are added, changed, moved and removed in settings.toml",
        .sandbox(users: ["anna"])
    )
    func edit() async throws {
        let text = AgentConfiguration.account() + "[[rules]]\ncategory = \"own\"\nmute = true\n"
        try await TemporaryFile.with(text) { file in
            let settings = TemporaryFile(path: file.directory + "/settings.toml")
            try settings.write("[popups]\ntimeout = 5\n")
            try await BuiltAgent.alone(file) { agent in
                let root = agent.root
                let end = (Self.now / 1000 + 3_600) * 1000 + 7
                let first = try await root.call(
                    AgentRoot.addRule,
                    Self.rule("a", until: end) {
                        ($0.timeout, $0.digest, $0.ignoreQuiet) = (7_500, 7_200, true)
                    },
                    ""
                )
                let second = try await root.call(AgentRoot.addRule, Self.rule("b") { $0.sound = "none" }, first)
                let mute = try await root.call(AgentRoot.mute, Self.category("c"), 0)
                #expect(try await rules(agent).map(\.id) == [mute, "config-1", second, first])
                let read = try await rules(agent)
                #expect(read.map(\.origin) == ["settings", "config", "settings", "settings"])
                #expect(read.map(\.isEditable) == [true, false, true, true] && read.allSatisfy(\.isEnabled))
                let conditions = RuleConditionsRecord(read[3].conditions)
                let effects = RuleSettingsRecord(read[3].settings)
                #expect(conditions.category == ["a"] && effects.timeout == 7_500 && effects.digest == 7_200)
                #expect(effects.ignoreQuiet == true && read[3].until == end)

                try await root.call(AgentRoot.moveRule, second, "")
                #expect(try await rules(agent).map(\.id) == [mute, "config-1", first, second])
                var changed = read[3]
                (changed.isEnabled, changed.until) = (false, 0)
                try await root.call(AgentRoot.changeRule, first, changed.values)
                #expect(try await rules(agent)[2].isEnabled == false)
                try await root.call(AgentRoot.removeRule, mute)
                try await root.call(AgentRoot.removeRule, second)
                #expect(
                    try settings.read().split(separator: "\n").dropFirst() == [
                        "[popups]", "timeout = 5", "[[rules]]", "id = \"\(first)\"", "enabled = false",
                        "category = [\"a\"]", "ignore_quiet = true", "timeout = 7.5", "digest = \"2h\"",
                    ]
                )
                let listed = try await Programs.run("feedbell", ["rules"])
                #expect(
                    listed.output == "1\tcategory \"own\"\tno popup\n"
                        + "2\tcategory \"a\"\talso in quiet hours, timeout 7500 ms, digest after 2h, off\n"
                )
                try await root.call(AgentRoot.removeRule, first)
                #expect(try await rules(agent).map(\.id) == ["config-1"])
            }
        }
    }

    @Test("A mistake in a rule is one sentence, and changes nothing", .sandbox(users: ["anna"])) func mistakes()
        async throws
    {
        let text = AgentConfiguration.account() + "[[rules]]\ncategory = \"own\"\nmute = true\n"
        try await TemporaryFile.with(text) { file in
            let settings = TemporaryFile(path: file.directory + "/settings.toml")
            try await BuiltAgent.alone(file) { agent in
                let root = agent.root
                let mistakes: [([String: Value], String)] = [
                    (["sound": .string("none")], "\"sound\" is not a key of a rule. The keys are number, id, "),
                    (
                        ["conditions": ["categroy": Value.string("a")].dbusValue],
                        "\"categroy\" is not a key of a rule's conditions. The keys are account, category, "
                    ),
                    (Self.rule("/(/"), "A pattern of \"rules.category\" is invalid: \"/(/\". Error after"),
                    (Self.rule("a") { $0.urgency = "high" }, "\"rules.urgency\" cannot be \"high\". Choose one of"),
                    (
                        Self.rule("a") { ($0.mute, $0.sound) = (true, "none") },
                        "\"rules.sound\" has no effect in a rule with mute = true. Remove one."
                    ),
                    (Self.rule("a") { $0.digest = 59 }, "\"rules.digest\" must be from \"1m\" to \"7d\""),
                    (Self.rule("a", until: 5), "The end of the rule is in the past. Choose a later one."),
                    (Self.rule("a", until: .max), "The end of the rule is after the year 9999. Pass 0"),
                ]
                for (rule, sentence) in mistakes {
                    let error = await error { _ = try await root.call(AgentRoot.addRule, rule, "") }
                    #expect(error?.name == .invalidArgs && error?.message.hasPrefix(sentence) == true, "\(error!)")
                    guard !sentence.contains("past") else { continue }
                    let tried = await self.error { _ = try await root.call(AgentRoot.tryRule, rule) }
                    #expect(tried?.message == error?.message)
                }
                let none = await error { _ = try await root.call(AgentRoot.mute, [:], 0) }
                #expect(none?.message.hasPrefix("A mute needs a condition") == true)
                let missing = await error { try await root.call(AgentRoot.removeRule, "x") }
                #expect(missing?.name == AgentErrors.notFound && missing?.message.contains("\"x\"") == true)
                let place = await error { _ = try await root.call(AgentRoot.addRule, Self.rule("a"), "x") }
                #expect(place?.name == AgentErrors.notFound)
                let own = await error { try await root.call(AgentRoot.changeRule, "config-1", Self.rule("a")) }
                #expect(own?.name == AgentErrors.notEditable)
                #expect(own?.message == "The rule \"config-1\" is in your config.toml. Change it there.")
                #expect(try await rules(agent).count == 1)
                #expect(!settings.exists)
                let mute = try await root.call(AgentRoot.mute, Self.category("a"), 0)
                let before = await error { _ = try await root.call(AgentRoot.addRule, Self.rule("a"), mute) }
                #expect(before?.message.hasPrefix("Mutes are tried before the other rules.") == true)
            }
        }
    }

    @Test(
        "feedbell mute and unmute take a category, a topic or an account, and list what is muted",
        .sandbox(users: ["anna"])
    )
    func command() async throws {
        try await TemporaryFile.with(AgentConfiguration.account()) { file in
            try await BuiltAgent.alone(file) { agent in
                @Sendable func run(_ words: String...) async throws -> Programs.Outcome {
                    try await Programs.run("feedbell", words)
                }
                _ = try await publish("Build", "builds")
                try await agent.waitForList(count: 1)
                #expect(try await run("mute").output.isEmpty)
                #expect(try await run("mute", "--category", "builds", "until", "2020-12-01").status == .exited(64))
                let tomorrow = try await run("mute", "--category", "builds", "--category", "ci*", "until", "tomorrow")
                #expect(tomorrow.status == .exited(0) && tomorrow.output.isEmpty, "\(tomorrow.errors)")
                #expect(try await run("mute", "--topic", "x/1", "--account", "work").status == .exited(0))
                let mutes = try await agent.root.call(AgentRoot.rules).map { RuleRecord($0) }
                let lines = try await run("mute").output.split(separator: "\n")
                try #require(mutes.count == 2 && lines.count == 2)
                #expect(lines[0].hasPrefix("\(mutes[0].id)\tcategory \"builds\" or \"ci*\"\tuntil "))
                #expect(lines[0].hasSuffix(" 09:00") && mutes[0].until > Self.now)
                #expect(lines[1] == "\(mutes[1].id)\taccount \"work\", topic \"x/1\"\tuntil it is unmuted")
                let json = try await run("mute", "--json").output
                #expect(json.hasPrefix("[{\"conditions\":{\"category\":[\"builds\",\"ci*\"]},\"editable\":true,"))
                for words in [["unmute"], ["unmute", "--all", "x"], ["mute", "builds", "news"], ["mute", "1h"]] {
                    #expect(try await Programs.run("feedbell", words).status == .exited(64), "\(words)")
                }
                let unknown = try await run("mute", "--category", "a", "--account", "home")
                #expect(unknown.status == .exited(5) && unknown.errors.contains("\"home\""))
                let missing = try await run("unmute", "build")
                #expect(missing.status == .exited(5))
                #expect(missing.errors.hasPrefix("feedbell: \"build\" is not muted."))
                #expect(missing.errors.contains("builds"))
                #expect(try await run("unmute", "ci*").status == .exited(0))
                #expect(try await run("mute").output.split(separator: "\n") == [lines[1]])
                #expect(try await run("unmute", "--all").status == .exited(0))
                #expect(try await run("mute").output.isEmpty)
            }
        }
    }

    @Test("What mute takes as a name or with an option, unmute takes, too", .sandbox(users: ["anna"])) func mirrors()
        async throws
    {
        try await BuiltAgent.alone { agent in
            _ = try await publish("Build", "builds")
            try await agent.waitForList(count: 1)
            let pairs = [
                (["builds"], ["builds"]), (["BUILDS", "until", "tomorrow"], ["BUILDS"]),
                (["--category", "builds", "1h"], ["--category", "builds"]), (["--topic", "x/1"], ["--topic", "x/1"]),
                (["--account", "work"], ["work"]),
            ]
            for (mute, unmute) in pairs {
                let muted = try await Programs.run("feedbell", ["mute"] + mute)
                #expect(muted.status == .exited(0), "\(mute): \(muted.errors)")
                #expect(try await rules(agent).count == 1)
                let unmuted = try await Programs.run("feedbell", ["unmute"] + unmute)
                #expect(unmuted.status == .exited(0), "\(unmute): \(unmuted.errors)")
                #expect(try await rules(agent).isEmpty)
            }
        }
    }

    @Test("A mute of a category that nothing has asks, and without a terminal needs --yes", .sandbox(users: ["anna"]))
    func unknownCategory() async throws {
        try await BuiltAgent.alone { agent in
            let id = try await publish("Build", "newsletter")
            try await agent.waitForList(count: 1)
            let similar = try await Programs.run("feedbell", ["mute", "--category", "Newsletters"])
            #expect(similar.status == .exited(2))
            let problem = "No notification has the category \"Newsletters\". Did you mean \"newsletter\"?"
            #expect(similar.errors == "feedbell: \(problem) To mute it nevertheless, pass --yes.\n")
            #expect(try await Programs.run("feedbell", ["mute", id]).status == .exited(2))
            #expect(try await rules(agent).isEmpty)

            let question = "Mute it nevertheless? [y/N]: "
            let command = ["feedbell", "mute", "Newsletters"]
            let no = try await TerminalDialogue.run(command, [(question, "\n")])
            #expect(no.status == 64 && no.shown.contains("Did you mean \"newsletter\"?"), "\(no.shown)")
            #expect(try await rules(agent).isEmpty)
            let yes = try await TerminalDialogue.run(command, [(question, "y\n")])
            #expect(yes.status == 0 && yes.shown.contains("Muted: category \"Newsletters\"."), "\(yes.shown)")
            for words in [["other", "--yes"], ["Newsletter"], ["news*"], ["--topic", "none"]] {
                let muted = try await Programs.run("feedbell", ["mute"] + words)
                #expect(muted.status == .exited(0), "\(words): \(muted.errors)")
            }
            #expect(try await rules(agent).count == 5)
        }
    }

    @Test(
        "A rule is tried with the newest notifications, and one that marks as read does so once",
        .sandbox(users: ["anna"]),
        .builtAgent()
    )
    func tryAndRead() async throws {
        let agent = BuiltAgent.current
        let build = try await publish("Build", "builds")
        _ = try await agent.popup()
        let other = try await publish("News", "news")
        _ = try await agent.popup()
        let found = try await agent.root.call(AgentRoot.tryRule, Self.rule("b*"))
        #expect(found.map(\.elements.0) == ["work"] && found.map(\.elements.1) == [build])
        let all = try await agent.root.call(AgentRoot.tryRule, [:])
        #expect(Set(all.map(\.elements.1)) == [build, other])
        let rule = Self.rule("news") { ($0.mute, $0.markRead) = (true, true) }
        _ = try await agent.root.call(AgentRoot.addRule, rule, "")
        let read = try await publish("More news", "news")
        try await agent.waitForRequest("read", of: read)
        try await agent.waitForUnread(2)
        try await agent.account.call(AgentInbox.markUnread, [read])
        try await agent.waitForUnread(3)
    }
}
