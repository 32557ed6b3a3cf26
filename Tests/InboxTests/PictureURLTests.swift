import Inbox
import Testing

@Suite struct PictureURLTests {
    @Test(
        "Only https is requested, without user name and password",
        arguments: [
            ("https://example.com/a.png", "example.com"), ("HTTPS://Example.COM:8443/a?b=c", "example.com"),
            ("https://[2606:4700::1111]/a", "2606:4700::1111"), (" https://example.com/ü ", "example.com"),
        ]
    )
    func accepted(_ text: String, _ host: String) {
        let url = PictureURL(text)
        #expect(url?.host == host)
        #expect(url?.text.hasPrefix("https://") == true)
    }

    @Test(
        "Other URLs are not requested",
        arguments: [
            "", "a.png", "//example.com/a.png", "http://example.com/a.png", "http://localhost/a.png",
            "http://127.0.0.1/a.png", "file:///etc/passwd", "data:image/png;base64,AA==", "https://", "https:///a.png",
            "https://anna@example.com/", "https://anna:secret@example.com/", "https://:@example.com/",
            "https://exa mple.com/", "https://example.com/\u{1}", "ftp://example.com/a.png",
        ]
    )
    func refused(_ text: String) { #expect(PictureURL(text) == nil) }

    @Test("Plain http is for this computer, if the user allows it") func plain() {
        let hosts: Set<String> = ["127.0.0.1", "localhost", "intern.example", "::1"]
        #expect(PictureURL("http://127.0.0.1:8080/a", privateHosts: hosts)?.host == "127.0.0.1")
        #expect(PictureURL("http://LOCALHOST/a", privateHosts: hosts)?.host == "localhost")
        #expect(PictureURL("http://[::1]/a", privateHosts: hosts)?.host == "::1")
        #expect(PictureURL("http://intern.example/a", privateHosts: hosts) == nil)
        #expect(PictureURL("http://127.0.0.2/a", privateHosts: hosts) == nil)
        #expect(PictureURL("https://intern.example/a", privateHosts: hosts)?.privateHosts == hosts)
    }

    @Test(
        "A redirect is relative to its URL",
        arguments: [
            ("b.png", "https://example.com/x/b.png"), ("/b.png", "https://example.com/b.png"),
            ("//cdn.example/b", "https://cdn.example/b"), ("https://cdn.example/b", "https://cdn.example/b"),
            ("?s=2", "https://example.com/x/a.png?s=2"), ("http://example.com/b.png", nil), ("file:///b.png", nil),
        ]
    )
    func redirects(_ location: String, _ target: String?) {
        #expect(PictureURL("https://example.com/x/a.png")?.redirected(to: location)?.text == target)
    }
}
