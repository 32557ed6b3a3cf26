import Inbox
import Testing

@Suite struct OpenableURLTests {
    static let schemes: Set<String> = ["https", "http", "mailto"]

    @Test(arguments: [
        ("https://example.com/a?b=c#d", "https://example.com/a?b=c#d"),
        ("HTTPS://Example.com", "https://Example.com"),
        ("  https://example.com/a b\n", "https://example.com/a%20b"),
        ("https://example.com/ü", "https://example.com/%C3%BC"),
        ("https://example.com/\"<>\\^`{|}", "https://example.com/%22%3C%3E%5C%5E%60%7B%7C%7D"),
        ("https://[::1]:8080/x", "https://[::1]:8080/x"),
        ("mailto:anna@example.com", "mailto:anna@example.com"),
    ]) func opens(_ address: String, _ expected: String) {
        #expect(OpenableURL(address, schemes: Self.schemes)?.text == expected)
    }

    @Test(arguments: [
        "", "https", "https:", "https://", "https:///path", "https://@", "file:///etc/passwd", "javascript:alert(1)",
        "-https://example.com", "--help", "/etc/passwd", "https://exa\nmple.com", "https://example.com/\u{0}",
        "data:text/html,x", "vbscript:x", "example.com", "ht tps://example.com",
        "https://" + String(repeating: "a", count: 9000),
    ]) func refuses(_ address: String) {
        #expect(OpenableURL(address, schemes: Self.schemes) == nil)
    }

    @Test func schemesAreTheUsersChoice() {
        #expect(OpenableURL("slack://channel?id=1", schemes: ["slack"])?.text == "slack://channel?id=1")
        #expect(OpenableURL("https://example.com", schemes: ["slack"]) == nil)
    }
}
