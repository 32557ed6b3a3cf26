import AgentInterface
import DBus
import Testing

@testable import Window

/// The effects of time, and what the page shows of accounts and times.
@Suite struct InboxTimeTests {
    private typealias Fixture = PageFixture

    @Test("Rows are seen only while the window is on the screen and keys go to it, for a second from then on")
    func seen() {
        var page = PageFixture([Fixture.account("work")], [[Fixture.notification("1")]])
        #expect(page.send(.visible([Fixture.row("1")])) == [.watchRows])
        _ = page.send(.activity(false))
        #expect(page.send(.secondPassed) == [], "another window may cover it")
        #expect(page.send(.activity(true)) == [.watchRows])
        _ = page.send(.visibility(false))
        #expect(page.send(.secondPassed) == [] && page.send(.visibility(true)) == [.watchRows])
        #expect(page.send(.secondPassed) == [.send(InboxRequest("work", .markSeen(["1"])))])
    }

    @Test("Opening the window resets the badge of each account, again when it is opened again") func badge() {
        var page = PageFixture([])
        _ = page.send(.accounts([Fixture.account("work", badge: 2)]))
        let reset = InboxPage.Effect.send(InboxRequest("work", .resetBadge))
        let effects = page.send(.listed(page.request("work"), .notifications([], problem: "")))
        #expect(effects == [.list(page.request("work", .page(offset: 0))), reset])
        #expect(page.send(.accounts([Fixture.account("work", badge: 1)])) == [])
        #expect(page.send(.opened) == [reset])
    }

    @Test("The clock runs only for what is on the screen, and to its next change") func clock() {
        var page = PageFixture([Fixture.account("work")], [[Fixture.notification("1", age: 90)]])
        #expect(page.page.receive(.atTop(true), now: page.now) == [])
        let effects = page.page.receive(.visible([Fixture.row("1")]), now: page.now)
        #expect(effects.contains(.runClock(number: 1, milliseconds: 30_000)))
        #expect(page.page.row(Fixture.row("1"))?.time == "1 min ago")
        let next = page.page.receive(.clock(1), now: page.now + 30_000)
        #expect(next.contains(.runClock(number: 2, milliseconds: 60_000)))
        #expect(page.page.row(Fixture.row("1"))?.time == "2 min ago")
        _ = page.page.receive(.visibility(false), now: page.now + 30_000)
        #expect(page.page.receive(.clock(2), now: page.now + 90_000) == [])
    }

    @Test("A countdown is urgent in its last hour") func expiry() {
        let end = Fixture.now + 60_000
        let list = [Fixture.notification("1") { ($0.expires, $0.isExpiryVisible) = (end, true) }]
        let page = PageFixture([Fixture.account("work")], [list])
        let expiry = page.page.row(Fixture.row("1"))?.expiry
        #expect(expiry?.text == "expires in 1:00" && expiry?.isUrgent == true)
    }

    @Test(
        "Relative times",
        arguments: [
            (-5, "just now", 60), (0, "just now", 60), (59, "just now", 1), (60, "1 min ago", 60),
            (150, "2 min ago", 30), (3600, "1 h ago", 3600), (7200 + 60, "2 h ago", 3540),
            (86_400, "1 day ago", 86_400),
            (3 * 86_400, "3 days ago", 86_400),
        ] as [(Int64, String, Int64)]
    )
    func relativeTime(_ age: Int64, _ text: String, _ next: Int64) {
        let time = RelativeTime(Fixture.now - age * 1000, now: Fixture.now)
        #expect(time.text == text && time.nextChange == next * 1000)
    }

    @Test("After a week, the date is shown, which does not change") func date() {
        let time = RelativeTime(Fixture.now - 8 * 86_400_000, now: Fixture.now)
        #expect(time.text == "Nov 13" && time.nextChange == nil)
    }

    @Test("Snooze choices are in the future, and mornings at nine") func snooze() {
        for choice in SnoozeChoice.allCases { #expect(choice.until(now: Fixture.now) > Fixture.now) }
        let week: Int64 = 7 * 86_400_000
        #expect(SnoozeChoice.nextWeek.until(now: Fixture.now) <= Fixture.now + week)
    }

    // MARK: What is shown

    @Test("A disconnected account is reported in words for people, and is connected at once on request") func offline()
    {
        let account = Fixture.account(
            "work",
            state: "offline",
            asOf: Fixture.now - 60_000,
            nextAttempt: Fixture.now + 4000
        )
        var page = PageFixture([account], [[Fixture.notification("1")]])
        let banner = page.page.banners.first
        #expect(banner?.button == .init(action: .retry, label: "Try Now"))
        #expect(banner?.text == "Not connected. Notifications come as soon as there is a connection.")
        #expect(page.page.contents == .list)
        #expect(page.send(.retry) == [.send(InboxRequest("work", .reconnect))])
        // The list is the service's again.
        let effects = page.send(.accounts([Fixture.account("work")]))
        #expect(effects == [.list(page.request("work", .first(50)))] && page.page.banners.isEmpty)
    }

    @Test("An inbox that is not known says why, and is listed when it is") func notLoaded() {
        var page = PageFixture([Fixture.account("work", state: "offline", isCounted: false)])
        _ = page.send(.listed(page.request("work"), .failed("The service is unreachable.")))
        #expect(page.notice?.title == "The Inbox Cannot Be Loaded")
        #expect(page.notice?.text.hasPrefix("Not connected.") == true)
        let effects = page.send(.accounts([Fixture.account("work")]))
        #expect(effects.contains(.list(page.request("work", .first(50)))))
    }

    @Test("Without an agent, the reason and a button are shown; one that ended leaves the list") func agent() {
        var page = PageFixture([Fixture.account("work")], [[Fixture.notification("1")]])
        _ = page.send(.agent(.ended))
        #expect(
            page.page.contents == .list && page.page.banners.map(\.button) == [.init(action: .retry, label: "Start")]
        )
        #expect(page.send(.retry) == [.startAgent])
        #expect(page.send(.agent(.running)) == [.list(page.request("work", .first(50)))], "it may have changed")
        var none = PageFixture([])
        _ = none.send(.agent(.unavailable("No bus.")))
        #expect(none.notice?.text == "No bus." && none.notice?.button?.label == "Start")
    }

    @Test("Text of others is shown plain, without characters that disguise it") func hostileText() {
        let row = PageFixture(
            [Fixture.account("work")],
            [
                [
                    Fixture.notification("1") {
                        $0.title = "a\u{202E}b\n<b>c</b>"
                        $0.body = "\n\n1\u{1B}[31m\n\n2\n3\n4\n5"
                    }
                ]
            ]
        ).page.row(Fixture.row("1"))
        #expect(
            row?.title == "ab <b>c</b>" && row?.texts.map(\.plain) == ["1[31m\n2\n3\n4\u{A0}…"] && row?.isLong == true
        )
    }

    @Test("Buttons and the link of the subtext are there; that of the picture is opened by itself") func links() {
        let row = PageFixture(
            [Fixture.account("work")],
            [
                [
                    Fixture.notification("1") {
                        $0.actions = [["id": .string("a"), "label": .string("Buy"), "primary": .bool(true)]]
                        ($0.subtext, $0.subtextURL) = ("Shop", "https://example.com/shop")
                        $0.avatarURL = "https://example.com/anna"
                    }
                ]
            ]
        ).page.row(Fixture.row("1"))
        #expect(row?.links.map(\.id) == ["a", "subtext"] && row?.links.map(\.isPrimary) == [true, false])
        #expect(row?.details == "", "the subtext is a button")
        #expect(row?.pictureURL == "https://example.com/anna")
    }
}
