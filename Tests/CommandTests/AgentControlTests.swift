import Testing

@testable import feedbell

@Suite struct AgentControlTests {
    @Test(
        "The most similar command is suggested, if one is similar",
        arguments: [
            ("lits", "Did you mean \"list\"?"), ("statu", "Did you mean \"status\"?"),
            ("recconnect", "Did you mean \"reconnect\"?"), ("foo", nil), ("x", nil),
        ]
    )
    func similarCommand(word: String, suggestion: String?) {
        #expect(Suggestion.of(["status", "list", "follow", "reconnect"], for: word) == suggestion)
    }
}
