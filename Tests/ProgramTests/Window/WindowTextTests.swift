import AgentInterface
import Sandbox
import Subprocess
import TestSupport
import Testing

/// Texts with markup, and rules, in the built window.
@Suite(
    .sessionBus,
    .builtAgent(configuration: "[[rules]]\ncategory = \"news\"\nurgency = \"low\"\n"),
    .timeLimit(.minutes(5)),
    .enabled(if: WindowScreen.isBuilt, "libadwaita is not installed")
) struct WindowTextTests {
    private let sandbox = Sandbox.current
    private let agent = BuiltAgent.current

    @Test("The links in a text are opened by the agent, also one that is not allowed") func links() async throws {
        let id = try await sandbox.publish([
            "header": "One", "text": "A **bold** word, [ours](https://example.com/a?b=1&c=2) and [bad](javascript:x).",
        ])
        try await agent.waitForList(count: 1)
        try await WindowScreen.with(environment: Self.strict) { screen in
            let rows = try await screen.wait(rows: 1)
            #expect(rows[0].hasPrefix("Unread, One, ") && rows[0].contains(", A bold word, ours and bad."))
            try await screen.waitForFocusedRow()
            try await screen.keepPicture("markup")
            try await screen.key("Right")
            while try await !screen.elements().contains(where: { $0.name.hasPrefix("A bold") && $0.has(.focused) }) {
                try await screen.key("Tab")
            }
            try await screen.key("Return")
            #expect(try await agent.opened.next().first == "https://example.com/a?b=1&c=2")
            try await agent.waitForRequest("interacted", of: id)
            try await screen.key("Tab", "Return")
            try await screen.wait(for: "javascript")
        }
    }

    /// GTK reports markup that it cannot read as a warning.
    private static let strict: [Environment.Key: String?] = ["G_DEBUG": "fatal-warnings"]

    @Test("Hostile texts are shown, and GTK can read them") func hostile() async throws {
        let texts = [
            "<b>open", "a </b></i> b", "<span size=\"100000\">x</span> **b**", "&#0;&#1;&amp;<i>x</i>",
            "[a\"b'c<d>&e](https://example.com/\"'<>&?a=&lt;b) **x**", "<a href=\"https://e.example/&quot;><b>\">x</a>",
            "**\u{202E}** *\u{0301}* [\u{200D}](https://example.com)",
            "<a href='https://e.example'>\n\n\n**x\n\n\ny**</a>",
            String(repeating: "**x** [y](https://example.com) ", count: 200), "~~ ** ** ~~ <u></u><b></b>z<i></i>",
        ]
        for (number, text) in texts.enumerated() {
            try await sandbox.publish(["header": .string("Nr \(number)"), "text": .string(text)])
        }
        try await agent.waitForList(count: texts.count)
        try await WindowScreen.with(size: (640, 2_000), environment: Self.strict) { screen in
            try await screen.resize(width: 640, height: 2_000)
            try await screen.wait(rows: texts.count)
            try await screen.keepPicture("hostile")
            try await screen.key("ctrl+a")
            try await screen.wait(for: "\(texts.count) selected")
            try await screen.close()
        }
    }

    @Test("The menu of a notification says which rule applies to it") func rules() async throws {
        try await sandbox.publish(["header": "One", "text": "x", "n_category": "news"])
        try await sandbox.publish(["header": "Two", "text": "x", "n_category": "builds"])
        try await agent.waitForList(count: 2)
        try await WindowScreen.with { screen in
            try await screen.wait(rows: 2)
            let sentences = [
                "Rule 1 does not apply: category is \"builds\", not \"news\".\nNo rule applies.",
                "Rule 1 applies: urgency low.",
            ]
            for (row, sentence) in sentences.enumerated() {
                let buttons = try await screen.elements().filter { $0.name.hasPrefix("More actions: ") }
                _ = try await #require(buttons.dropFirst(row).first).press()
                try await screen.choose("Which Rule Applies")
                try await screen.wait(for: sentence)
                try await screen.keepPicture("rules")
                try await screen.answer("Close")
                try await screen.waitForNo(sentence)
            }
        }
    }
}
