import Basics
import Inbox
import Testing

@testable import Agent

@Suite struct PlainTextCacheTests {
    private static func notification(_ id: NotificationID, _ body: String) -> Inbox.Notification {
        Inbox.Notification(id: id, title: "Tom &amp; Jerry", body: body, created: Timestamp(milliseconds: 0))
    }

    @Test("A text that is replaced by an equivalent one in other bytes is read again") func equivalent() {
        var cache = PlainTextCache(LinkReader(schemes: ["https"]))
        let names = [("re\u{301}sume\u{301}", "re%CC%81sume%CC%81"), ("r\u{E9}sum\u{E9}", "r%C3%A9sum%C3%A9")]
        for (name, encoded) in names {
            let text = cache.text(of: Self.notification("1", "[x](https://example.com/\(name).pdf)"))
            #expect(text.markup.contains(encoded))
            #expect(text.title == "Tom & Jerry")
        }
    }

    @Test("Ids that are the same text in other bytes are of two notifications") func ids() {
        #expect(NotificationID("\u{E9}") != NotificationID("e\u{301}"))
        #expect(Set([NotificationID("\u{E9}"), NotificationID("e\u{301}"), NotificationID("e\u{301}")]).count == 2)
        var cache = PlainTextCache(LinkReader(schemes: ["https"]))
        #expect(cache.text(of: Self.notification("\u{E9}", "a")).body == "a")
        #expect(cache.text(of: Self.notification("e\u{301}", "b")).body == "b")
    }
}
