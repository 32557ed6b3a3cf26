import Testing

@testable import Sandbox

/// What the command `samples` publishes. The agent shows the pictures of the senders in `PictureTests`.
@Suite struct SampleTests {
    private static let suprSend = SampleNotifications.notifications(now: Requests.now, host: "http://127.0.0.1:0")
    private static let magicBell = MagicBellSamples.notifications(now: Requests.now)

    @Test("The samples are complete notifications, no two with the same title") func complete() {
        let titles = Self.suprSend.map { $0["header"]?.string } + Self.magicBell.map { $0["title"]?.string }
        #expect(Set(titles).count == titles.count)
        #expect(!titles.contains(nil))
        #expect((Self.suprSend.count, Self.magicBell.count) == (8, 5))
        let texts = Self.suprSend.map { $0["text"]?.string } + Self.magicBell.map { $0["content"]?.string }
        #expect(texts.allSatisfy { $0?.isEmpty == false })
        let data = Self.suprSend.compactMap { $0["extra_data"]?.string }
        #expect(data.count == 1 && data.allSatisfy { JSON(parsing: $0)?.object != nil })
    }

    @Test("The samples are what a company sends: buttons, pictures of senders, a read, a pinned and an archived one")
    func variety() {
        let buttons = Self.suprSend.flatMap { $0["actions"]?.array ?? [] }.compactMap { $0["name"]?.string }
        #expect(["Approve", "Decline", "Track Parcel", "Open Log"].allSatisfy(buttons.contains))
        #expect(Self.suprSend.count { $0["avatar"] != nil } == SamplePicture.allCases.count)
        #expect(Set(SamplePicture.allCases.map(\.file)).count == SamplePicture.allCases.count)
        #expect(Self.suprSend.count { $0["is_pinned"] == true } == 1)
        #expect(Self.suprSend.count { $0["archived"] == true } == 1)
        #expect(Self.magicBell.count { $0["read_at"] != nil } == 1)
    }
}
