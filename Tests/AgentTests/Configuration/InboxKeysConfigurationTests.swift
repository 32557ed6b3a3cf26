import Agent
import Testing

/// The table `[inbox.keys]`.
@Suite struct InboxKeysConfigurationTests {
    @Test("A function has one key, several, or none") func keys() throws {
        let text = """
            [inbox]
            keep = 7
            [inbox.keys]
            archive = ["e", "Control-Y"]
            undo = "F2"
            open = []
            """
        let configuration = try Configuration(toml: text, file: "f")
        #expect(configuration.inboxKeys == ["archive": ["e", "Control-Y"], "undo": ["F2"], "open": []])
        #expect(configuration.inbox.count == 7)
        #expect(try Configuration(toml: "", file: "f").inboxKeys.isEmpty)
    }

    @Test(
        "A mistake is a sentence that names it",
        arguments: [
            ("archiv = \"e\"", "\"archiv\" is not a key of [inbox.keys]. The nearest valid key is \"archive\"."),
            (
                "archive = \"Ctrl-E\"",
                "\"Ctrl-E\" in \"inbox.keys.archive\" is not a key. "
                    + "Use a name such as \"e\", \"Control-A\", \"Space\" or \"F5\"."
            ),
            (
                "archive = \"Control-C\"",
                "\"Control-C\" in \"inbox.keys.archive\" is not a key. "
                    + "Use a name such as \"e\", \"Control-A\", \"Space\" or \"F5\"."
            ),
            (
                "archive = \"e\"\nundo = \"e\"",
                "\"e\" is the key of \"inbox.keys.archive\" and of \"inbox.keys.undo\". Remove it from one of them."
            ),
            ("undo = 5", "\"inbox.keys.undo\" must be a string or an array of strings, but it is an integer."),
        ]
    )
    func mistakes(_ line: String, _ problem: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration(toml: "[inbox.keys]\n\(line)", file: "f")
        }
        #expect(error?.problem == problem)
    }
}
