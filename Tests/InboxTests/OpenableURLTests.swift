import Inbox
import Testing

@Suite struct OpenableURLTests {
    static let schemes: Set<String> = ["https", "http", "mailto"]

    @Test(
        "An address with an allowed scheme opens in its encoded form",
        arguments: [
            ("https://example.com/a?b=c#d", "https://example.com/a?b=c#d"),
            ("HTTPS://Example.com", "https://Example.com"),
            ("  https://example.com/a b\n", "https://example.com/a%20b"),
            ("https://example.com/ü", "https://example.com/%C3%BC"),
            ("https://example.com/\"<>\\^`{|}", "https://example.com/%22%3C%3E%5C%5E%60%7B%7C%7D"),
            ("https://[::1]:8080/x", "https://[::1]:8080/x"),
            ("mailto:anna@example.com", "mailto:anna@example.com"),
            ("https://example.com/@anna?to=b@c#d@e", "https://example.com/@anna?to=b@c#d@e"),
            ("https://example.com?a@b", "https://example.com?a@b"),
        ]
    ) func opens(_ address: String, _ expected: String) {
        #expect(OpenableURL(address, schemes: Self.schemes)?.text == expected)
    }

    @Test(
        "Other schemes, paths and malformed addresses are refused",
        arguments: [
            "", "https", "https:", "https://", "https:///path", "https://@", "file:///etc/passwd",
            "javascript:alert(1)",
            "-https://example.com", "--help", "/etc/passwd", "https://exa\nmple.com", "https://example.com/\u{0}",
            "data:text/html,x", "vbscript:x", "example.com", "ht tps://example.com",
            "https://" + String(repeating: "a", count: 9000), "https://bank.example@evil.example/",
            "http://anna:secret@example.com", "https://@example.com/", "https://bank.example\\@evil.example/",
            "HTTPS://bank.example@evil.example#x",
        ]
    ) func refuses(_ address: String) {
        #expect(OpenableURL(address, schemes: Self.schemes) == nil)
    }

    @Test(
        "A mail link keeps only the fields of RFC 6068: no attachments",
        arguments: [
            ("a@x.org?attach=/etc/passwd", "a@x.org"), ("a@x.org?subject=b&attach=/etc/passwd", "a@x.org?subject=b"),
            ("a@x.org?ATTACHMENT=x&Subject=b", "a@x.org?Subject=b"),
            ("?to=a@x.org&%61ttach=x&cc=b", "?to=a@x.org&cc=b"),
            ("a?body=b%26attach=x&bcc=c", "a?body=b%26attach=x&bcc=c"), ("a?subject=b#&attach=x", "a?subject=b#"),
            ("a?subject=b&amp;attach=x", "a?subject=b"), ("a?x?attach=y", "a"), ("a?&&insert=x&", "a"),
            ("a?attach", "a"),
            ("a?%=x&%6=y&to%=z&%74o=b", "a?%74o=b"),
        ]
    ) func mailFields(_ address: String, _ expected: String) {
        #expect(OpenableURL("mailto:" + address, schemes: Self.schemes)?.text == "mailto:" + expected)
    }

    @Test(
        "An address states the host that it opens",
        arguments: [
            ("https://Example.com:8080/x@y", "example.com"), ("https://[::1]:80/", "[::1]"), ("http://[::1]", "[::1]"),
            ("https://example.com?x", "example.com"), ("mailto:a@Example.com?cc=b@c", "example.com"),
            ("mailto:anna", nil), ("ssh://anna@host:22/x", "host"), ("slack:channel", nil),
        ]
    ) func host(_ address: String, _ expected: String?) {
        #expect(OpenableURL(address, schemes: Self.schemes.union(["ssh", "slack"]))?.host == expected)
    }

    @Test("The configured schemes decide which addresses open") func schemes() {
        #expect(OpenableURL("slack://channel?id=1", schemes: ["slack"])?.text == "slack://channel?id=1")
        #expect(OpenableURL("https://example.com", schemes: ["slack"]) == nil)
    }
}
