import Agent
import AgentInterface
import Inbox
import Testing

/// The findings of `feedbell doctor` about valid rules that probably have a mistake.
@Suite struct RuleFactsTests {
    private func findings(_ rules: String) throws -> [Finding] {
        let configuration = try Configuration(toml: rules, file: "f")
        let facts = RuleFacts(configuration.popups.rules, accounts: ["work", "home"]) { $0 == "/there" }
        return facts.findings
    }

    @Test(
        "A rule without a mistake has no finding",
        arguments: [
            "", "[[rules]]\nmute = true", "[[rules]]\nicon = \"/there\"\nsound = \"/there\"\naccount = \"HOM*\"",
            "[[rules]]\nicon = \"name\"\nsound = \"none\"\naccount = [\"x\", \"work\"]\n[[rules]]",
        ]
    )
    func noFinding(_ rules: String) throws {
        #expect(try findings(rules) == [])
    }

    @Test("Missing files, accounts that do not exist and rules that are never used are found") func found() throws {
        let rules = """
            [[rules]]
            account = "wrok"
            [[rules]]
            sound = "/a.ogg"
            icon = "/a.png"
            [[rules]]
            mute = true
            """
        let expected = [
            ("Rule 1 matches none of the accounts.", "Write the name of one of them: \"work\", \"home\"."),
            ("Rule 2 names the file /a.png, which cannot be read.", "Correct its path."),
            ("Rule 2 names the file /a.ogg, which cannot be read.", "Correct its path."),
            (
                "Rule 2 matches every notification, so later rules are never used.",
                "Move rule 2 to the end, or give it conditions."
            ),
        ]
        #expect(try findings(rules) == expected.map { Finding(.configuration, .warning, $0, remedy: $1) })
    }
}
