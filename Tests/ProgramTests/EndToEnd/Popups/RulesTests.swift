import AgentInterface
import AgentTestSupport
import DBus
import Sandbox
import Subprocess
import TestSupport
import Testing

/// Rules with the built agent: what arrives at the notification server, and `feedbell rules`.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct RulesTests {
    private static let rules = """
        [[rules]]
        category = ["builds", "ci*"]
        urgency = "critical"
        sound = "dialog-warning"
        timeout = 7.5
        resident = true
        icon = "/usr/share/pixmaps/ci.png"

        [[rules]]
        title = '/^silent (news|mail)$/i'
        sound = "none"
        urgency = "low"
        timeout = "never"

        [[rules]]
        text = "*spam*"
        mute = true

        [[rules]]
        category = "threads"
        sound = "/usr/share/sounds/thread.ogg"
        replace = "category"

        [[rules]]
        tag = "never"
        days = ["mon"]
        digest = "1h"

        """

    private func publish(_ header: String, _ text: String = "x", category: String = "") async throws -> String {
        try await Sandbox.current.publish([
            "header": .string(header), "text": .string(text), "n_category": .string(category),
        ])
    }

    @Test(
        "The settings of rules are hints, timeouts and icons of the call of Notify",
        .builtAgent(configuration: rules)
    )
    func hints() async throws {
        let agent = BuiltAgent.current
        _ = try await publish("Build", category: "ci-main")
        let build = try await agent.popup()
        #expect(
            build.hints == [
                "urgency": .byte(2), "desktop-entry": .string("org.feedbell.Agent"), "resident": .bool(true),
                "category": .string("x-feedbell.inbox.ci-main"), "sound-name": .string("dialog-warning"),
            ]
        )
        #expect(build.expireTimeout == 7_500 && build.appIcon == "/usr/share/pixmaps/ci.png")
        _ = try await publish("Silent NEWS", category: "news")
        let silent = try await agent.popup()
        #expect(silent.hints["urgency"] == .byte(0) && silent.hints["suppress-sound"] == .bool(true))
        #expect(silent.expireTimeout == 0 && silent.appIcon != build.appIcon)
        _ = try await publish("Other", category: "news")
        let other = try await agent.popup()
        #expect(Set(other.hints.keys) == ["urgency", "desktop-entry", "category"] && other.expireTimeout == -1)
    }

    @Test(
        "A pattern that exceeds the limit of a search is logged once, and its rule does not apply",
        .builtAgent(configuration: "[[rules]]\ntitle = '/^(a*)*\\d/'\nmute = true\n")
    )
    func exceedingPattern() async throws {
        let agent = BuiltAgent.current
        for end in ["!", "?"] {
            _ = try await publish(String(repeating: "a", count: 40) + end)
            #expect(try await agent.popup().summary.hasSuffix(end))
        }
        let reports = agent.program.log.filter { $0.contains("a pattern of a rule takes too long") }
        #expect(reports.count == 1 && reports.allSatisfy { $0.contains("rule=1") && $0.contains(#"/^(a*)*\d/"#) })
    }

    @Test("A muted notification is in the inbox and has no popup, also after a restart", .sandbox(users: ["anna"]))
    func mute() async throws {
        let configuration = AgentConfiguration.account() + Self.rules
        try await TemporaryFile.with(configuration) { file in
            for run in 1...2 {
                try await BuiltAgent.keepingState(beside: file) { agent in
                    try await agent.server.serving {
                        try await agent.account.wait(AgentAccount.state, is: "online")
                        _ = try await Sandbox.current.waitForConnection()
                        if run == 1 { _ = try await publish("Muted", "it is spam!") }
                        try await agent.waitForList(count: run)
                        _ = try await publish("Shown")
                        #expect(try await agent.popup().summary == "Shown")
                        #expect(await agent.server.calls.count == 1)
                        try await agent.waitForList(count: run + 1)
                    }
                }
            }
        }
    }

    @Test(
        "A later notification of a thread replaces the open popup, and a click opens it",
        .builtAgent(configuration: rules)
    )
    func replace() async throws {
        let agent = BuiltAgent.current
        _ = try await publish("First", category: "threads")
        let first = try await agent.popup()
        #expect(first.replacesID == 0 && first.hints["sound-file"] == .string("/usr/share/sounds/thread.ogg"))
        let last = try await publish("Second", category: "threads")
        let second = try await agent.popup()
        #expect(second.replacesID == first.id && second.id == first.id && second.summary == "Second")
        #expect(await agent.server.popups.map(\.summary) == ["Second"])
        try await agent.server.invoke(id: second.id)
        try await agent.waitForRequest("interacted", of: last)
        _ = try await publish("Third", category: "threads")
        #expect(try await agent.popup().replacesID == 0, "the popup was closed")
    }

    @Test("A resident popup stays after a click", .builtAgent(configuration: rules)) func resident() async throws {
        let agent = BuiltAgent.current
        let id = try await publish("Build", category: "builds")
        let popup = try await agent.popup()
        try await agent.server.invoke(id: popup.id)
        try await agent.waitForRequest("interacted", of: id)
        let other = try await publish("Other")
        let shown = try await agent.popup()
        try await agent.server.invoke(id: shown.id)
        try await agent.waitForRequest("interacted", of: other)
        try await waiting(for: "a closed popup") { await !agent.server.closeCalls.isEmpty }
        #expect(await agent.server.closeCalls == [shown.id])
        #expect(await agent.server.popups.map(\.summary) == ["Build"])
    }

    @Test("feedbell rules lists the rules", .builtAgent(configuration: rules)) func list() async throws {
        let listed = try await Programs.run("feedbell", ["rules"])
        #expect(listed.status == .exited(0), "\(listed.errors)")
        #expect(
            listed.output == """
                1\tcategory "builds" or "ci*"\turgency critical, sound dialog-warning, timeout 7500 ms, resident, \
                icon /usr/share/pixmaps/ci.png
                2\ttitle "/^silent (news|mail)$/i"\turgency low, sound none, timeout never
                3\ttext "*spam*"\tno popup
                4\tcategory "threads"\tsound /usr/share/sounds/thread.ogg, replaces the same category
                5\ttag "never", on mon\tdigest after 1h

                """
        )
        let json = try await Programs.run("feedbell", ["rules", "--json"])
        #expect(json.status == .exited(0), "\(json.errors)")
        #expect(
            json.output.hasPrefix(
                "[{\"conditions\":{\"category\":[\"builds\",\"ci*\"]},\"editable\":false,\"enabled\":true,"
                    + "\"id\":\"config-1\",\"number\":1,\"origin\":\"config\",\"settings\":{"
            )
        )
        #expect(json.output.contains("\"timeout\":7500"))
    }

    @Test(
        "feedbell rules test says which rule applies and why the earlier ones do not",
        .builtAgent(configuration: rules)
    )
    func test() async throws {
        let id = try await publish("silent mail", category: "news")
        _ = try await BuiltAgent.current.popup()
        let tested = try await Programs.run("feedbell", ["rules", "test", id])
        #expect(tested.status == .exited(0), "\(tested.errors)")
        #expect(
            tested.output == """
                Rule 1 does not apply: category is "news", not "builds" or "ci*".
                Rule 2 applies: urgency low, sound none, timeout never.

                """
        )
        let other = try await publish("Other")
        _ = try await BuiltAgent.current.popup()
        let none = try await Programs.run("feedbell", ["rules", "test", other])
        #expect(none.status == .exited(0), "\(none.errors)")
        let lines = none.output.split(separator: "\n")
        #expect(lines.count == 6 && lines.last == "No rule applies.")
        #expect(lines.first == "Rule 1 does not apply: category is empty, not \"builds\" or \"ci*\".")
        let json = try await Programs.run("feedbell", ["rules", "test", "--json", id])
        #expect(json.status == .exited(0), "\(json.errors)")
        #expect(json.output.contains("\"applies\":true") && json.output.contains("\"unmet\":\"category\""))
        let missing = try await Programs.run("feedbell", ["rules", "test", "no-such-id"])
        #expect(missing.status == .exited(5))
    }

    @Test(
        "A changed rule is applied when the file is written, and a mistake keeps the rules",
        .sandbox(users: ["anna"])
    )
    func reload() async throws {
        let account = AgentConfiguration.account()
        try await TemporaryFile.with(account) { file in
            try await BuiltAgent.alone(file) { agent in
                try await agent.server.serving {
                    try await agent.account.wait(AgentAccount.state, is: "online")
                    _ = try await Sandbox.current.waitForConnection()
                    #expect(try await Programs.output("feedbell", ["rules"]).isEmpty)
                    try file.write(account + "[[rules]]\nurgency = \"low\"\n")
                    try await agent.root.call(AgentRoot.reload)
                    _ = try await publish("One")
                    #expect(try await agent.popup().hints["urgency"] == .byte(0))
                    try file.write(account + "[[rules]]\nurgency = \"low\"\ntitle = \"/(/\"\n")
                    let error = await #expect(throws: DBusError.self) { try await agent.root.call(AgentRoot.reload) }
                    #expect(
                        error?.message == "\(file.path):11: A pattern of \"rules.title\" is invalid: \"/(/\". "
                            + "Error after \"/(\": missing closing parenthesis."
                    )
                    #expect(try await agent.root.call(AgentRoot.rules).count == 1)
                }
            }
        }
    }
}
