import Basics
import Inbox
import Testing

@testable import Agent

/// The rows of notifications in the copies of the inboxes.
@Suite struct CachedRowsTests {
    private static let notification = Notification(
        id: "n:1",
        title: "T",
        body: "B\u{0}ü",
        subtext: "S",
        subtextURL: "s://u",
        url: "u://1",
        category: "C",
        topic: "P",
        tags: ["a", "", "3:b"],
        created: 5,
        sortTime: 7,
        seen: 8,
        read: 9,
        interacted: 10,
        expires: 11,
        isExpiryVisible: true,
        isArchived: true,
        isPinned: true,
        avatar: "A",
        avatarURL: "a://u",
        actions: [.init(id: "0", name: "Open", url: "o://1", isPrimary: true), .init(id: "1", name: "", url: "")],
        extra: "{}"
    )

    /// What the released versions have written.
    private static let content =
        "1:T4:B\u{0}ü1:S5:u://11:C1:P1:A2:{}2:111:15:s://u5:a://u1:31:a0:3:3:b1:04:Open5:o://11:11:10:0:0:"

    @Test("A notification is written in the form of the released versions, and read as it was") func form() async throws
    {
        let row = CachedNotification(Self.notification, words: "Wörds").row(nil)
        let expected: [Database.Value] = [
            .text("n:1"), .integer(1), .integer(7), .integer(5), .integer(8), .integer(9), .integer(10), .integer(1),
            .text(Self.content), .text("words"),
        ]
        #expect(row == expected)
        #expect(Notification(row, now: 0) == Self.notification)
        let plain = Notification(id: "2", created: 1)
        let plainRow = CachedNotification(plain, words: "").row(nil)
        #expect(plainRow[8] == .text("0:0:0:0:0:0:0:0:1:00:0:0:1:0"))
        #expect(Notification(plainRow, now: .latest) == plain)
    }

    @Test("One that has expired is archived when it is read") func expiry() {
        var current = Self.notification
        current.isArchived = false
        let row = CachedNotification(current, words: "").row(nil)
        #expect(Notification(row, now: 10) == current)
        #expect(Notification(row, now: 11) == Self.notification)
    }

    @Test(
        "Content of another form is not read",
        arguments: [
            "", "1:a", "0:0:0:0:0:0:0:0:1:00:0:0:1:x", "0:0:0:0:0:0:0:0:1:00:0:0:1:1", "0:0:0:0:0:0:0:0:1:00:0:",
        ]
    )
    func otherForm(content: String) {
        var row = CachedNotification(Self.notification, words: "").row(nil)
        row[8] = .text(content)
        #expect(Notification(row, now: 0) == nil)
    }

    @Test("Long texts are truncated between characters, and long data of the sender is left out") func limits() {
        var long = Self.notification
        long.title = String(repeating: "x", count: 16_383) + "ü"
        long.url = String(repeating: "x", count: 16_385)
        long.extra = String(repeating: "x", count: 65_537)
        let cached = CachedNotification(long, words: String(repeating: "ü", count: 16_384))
        #expect(cached.notification.title == String(repeating: "x", count: 16_383))
        #expect(cached.notification.url == String(repeating: "x", count: 16_384))
        #expect(cached.notification.extra.isEmpty)
        #expect(cached.text == String(repeating: "u", count: 8_192))
        #expect(CachedNotification(Self.notification, words: "").notification == Self.notification)
    }
}
