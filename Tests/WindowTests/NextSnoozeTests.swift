import AgentInterface
import Testing

@testable import Window

/// What an empty inbox says of snoozes.
@Suite struct NextSnoozeTests {
    private typealias Fixture = PageFixture

    private static func request(_ account: String) -> ListRequest {
        var query = InboxQuery()
        query.view = .snoozed
        return ListRequest(account: account, query: query, part: .all, generation: 0)
    }

    private static func reply(_ account: String, _ list: NotificationRecord...) -> InboxPage.Event {
        .listedAside(request(account), .notifications(list, problem: ""))
    }

    /// - Parameter time: In hours from now.
    private static func snoozed(_ title: String, _ time: Int64) -> NotificationRecord {
        Fixture.notification(title) { ($0.title, $0.snoozed) = (title, Fixture.now + time * 3_600_000) }
    }

    @Test("An empty inbox says what is shown again next, of all its accounts, and when") func next() {
        let accounts = ["work", "home"].map { Fixture.account($0) }
        var page = PageFixture(accounts, [[Fixture.notification("1")], []])
        #expect(page.send(.atTop(true)) == [], "there are rows")
        let effects = page.send(.archive(Fixture.row("1")))
        #expect(effects.suffix(2) == accounts.map { .listAside(Self.request($0.name)) })
        #expect(page.notice?.text == "New ones appear here as soon as they arrive.")
        #expect(page.send(.atTop(true)) == [], "once")
        _ = page.send(Self.reply("work", Self.snoozed("Far", 100), Self.snoozed("Near", 24)))
        #expect(page.said == [], "it is not known yet what is next")
        _ = page.send(Self.reply("home", Self.snoozed("", 25), Fixture.notification("Ended")))
        let time = LocalTime(Fixture.now).clock
        #expect(page.said.count == 1 && page.said[0].hasPrefix("You Are Done. New ones appear"))
        #expect(page.said[0].hasSuffix("Next: \"Near\", tomorrow, \(time)"))
        #expect(page.notice?.text.hasSuffix("arrive.\nNext: \"Near\", tomorrow, \(time)") == true)
        page.now += 24 * 3_600_000
        _ = page.send(.clock(0))
        #expect(page.notice?.text.hasSuffix("Next: \"Near\", \(time)") == true)
        var query = InboxQuery()
        query.account = "home"
        _ = page.send(.go(query))
        page.answer("home", [], generation: 1)
        _ = page.send(Self.reply("home", Self.snoozed("", 25)))
        #expect(page.notice?.text.contains("Next: \"(no title)\", ") == true)
    }

    @Test("Snoozes are listed again only of an account that has changed, and one request at a time") func changes() {
        let accounts = ["work", "home"].map { Fixture.account($0) }
        var page = PageFixture(accounts, [[], []])
        let changed = InboxPage.Event.changed(account: "work", ids: ["1"])
        let again = InboxPage.Effect.listAside(Self.request("work"))
        #expect(!page.send(changed).contains(again), "the first request has no reply yet")
        #expect(page.send(Self.reply("work", Self.snoozed("Near", 1))) == [again])
        #expect(page.send(Self.reply("work", Self.snoozed("Near", 1))) == [])
        #expect(page.send(changed).contains(again))
        #expect(page.notice?.text.contains("Near") == true, "until the reply")
        #expect(page.send(Self.reply("work")) == [])
        #expect(page.notice?.text.contains("Next") == false)
    }

    @Test("No other empty list says it", arguments: [InboxQuery.View.snoozed, .archive, .inbox])
    func others(_ view: InboxQuery.View) {
        var page = PageFixture([Fixture.account("work", tabs: [("builds", 0)])], [[]])
        _ = page.send(Self.reply("work", Self.snoozed("Near", 1)))
        #expect(page.notice?.text.contains("Near") == true)
        var query = InboxQuery()
        (query.view, query.tab) = (view, view == .inbox ? "builds" : "")
        _ = page.send(.go(query))
        page.answer("work", [], generation: 1)
        _ = page.send(Self.reply("work", Self.snoozed("Near", 1)))
        #expect(page.notice?.text.contains("Near") == false)
    }
}
