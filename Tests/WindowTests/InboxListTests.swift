import AgentInterface
import DBus
import Testing

@testable import Window

/// How the page lists: pages, changes, filters, tabs.
@Suite struct InboxListTests {
    private typealias Fixture = PageFixture

    private static func many(_ range: ClosedRange<Int>) -> [NotificationRecord] {
        range.map { Fixture.notification("\($0)", age: Int64($0)) }
    }

    @Test("The next page is requested once near the end, until a page is not full") func pages() {
        var page = PageFixture([Fixture.account("work")], [Self.many(1...50)])
        let next = page.request("work", .page(offset: 50))
        #expect(page.send(.nearEnd) == [.list(next)] && page.send(.nearEnd) == [])
        _ = page.send(.listed(next, .notifications(Self.many(50...70), problem: "")))
        #expect(page.page.rows.count == 70 && page.titles.last == "Nr 70" && page.send(.nearEnd) == [])
    }

    @Test("To the end, all that the agent has is listed, then page after page, and then the last one is selected")
    func end() {
        var page = PageFixture([Fixture.account("work")], [Self.many(1...50)])
        let rest = page.request("work", .loaded(limit: nil))
        #expect(page.send(.end) == [.list(rest)])
        #expect(page.page.listEnd == InboxPage.ListEnd(text: "Loading …", isLoading: true))
        let next = page.request("work", .page(offset: 70))
        #expect(page.send(.listed(rest, .notifications(Self.many(1...70), problem: ""))) == [.list(next)])
        let last = Fixture.row("75")
        #expect(page.send(.listed(next, .notifications(Self.many(70...75), problem: ""))) == [.scroll(to: last)])
        #expect(page.said == ["75 of 75"])
        #expect(page.page.selection == [last] && page.page.cursor == last)
        #expect(page.page.listEnd == InboxPage.ListEnd(text: "75 notifications", isLoading: false))
    }

    @Test("Who selects something on the way to the end stays there") func leftEnd() {
        var page = PageFixture([Fixture.account("work")], [Self.many(1...50)])
        _ = page.send(.end)
        _ = page.send(.select([Fixture.row("3")]))
        let rest = page.request("work", .loaded(limit: nil))
        #expect(page.send(.listed(rest, .notifications(Self.many(1...70), problem: ""))) == [])
        #expect(page.page.selection == [Fixture.row("3")])
    }

    @Test("Older ones of another account wait until they cannot be between others") func horizon() {
        let old = Fixture.notification("old", of: "home", age: 1000)
        var page = PageFixture([Fixture.account("work"), Fixture.account("home")], [Self.many(1...50), [old]])
        #expect(page.titles.last == "Nr 50")
        let next = page.request("work", .page(offset: 50))
        _ = page.send(.nearEnd)
        _ = page.send(.listed(next, .notifications(Self.many(50...52), problem: "")))
        #expect(page.titles.last == "Nr old" && page.page.rows.count == 53)
    }

    @Test("Others do not wait longer than a second for the pages of a slow account") func slowAccount() {
        let old = Fixture.notification("old", of: "home", age: 1000)
        var page = PageFixture([Fixture.account("work"), Fixture.account("home")], [Self.many(1...50), [old]])
        let next = page.request("work", .page(offset: 50))
        #expect(page.send(.nearEnd) == [.list(next), .watchPage(next)] && page.titles.last == "Nr 50")
        _ = page.send(.pageIsLate(next))
        #expect(page.titles.last == "Nr old" && page.page.rows.count == 51)
        // What comes late goes between them, up to the last one that is shown.
        let further = page.request("work", .page(offset: 100))
        #expect(page.send(.listed(next, .notifications(Self.many(50...100), problem: ""))) == [.list(further)])
        #expect(page.titles.suffix(2) == ["Nr 100", "Nr old"])
        let oldest = Self.many(100...100) + Self.many(1001...1050)
        #expect(page.send(.listed(further, .notifications(oldest, problem: ""))) == [])
        #expect(page.titles.contains("Nr old") && page.titles.last == "Nr 1050")
        // A reply that has come is not late.
        _ = page.send(.pageIsLate(next))
        #expect(page.page.rows.count == 151)
    }

    @Test("Changed ones are requested again by their ids, together") func changes() {
        var page = PageFixture([Fixture.account("work")], [Self.many(1...3)])
        let first = page.request("work", .these(["2"]))
        #expect(page.send(.changed(account: "work", ids: ["2"])) == [.list(first)])
        #expect(page.send(.changed(account: "work", ids: ["4"])) == [])
        #expect(page.send(.changed(account: "work", ids: ["1"])) == [])
        var effects = page.send(.listed(first, .notifications([], problem: "")))
        #expect(page.titles == ["Nr 1", "Nr 3"], "it does not belong to the place any more")
        guard case .list(let second)? = effects.first, case .these(let ids) = second.part else {
            Issue.record("\(effects)")
            return
        }
        #expect(Set(ids) == ["1", "4"] && effects.count == 1)
        let new = [Fixture.notification("4", age: -1), Fixture.notification("1", age: 1, isRead: true)]
        effects = page.send(.listed(second, .notifications(new, problem: "")))
        #expect(page.titles == ["Nr 4", "Nr 1", "Nr 3"] && effects == [])
        #expect(page.page.row(Fixture.row("1"))?.isUnread == false)
    }

    @Test("A pinned one that is read goes to its place by time at once, and the others keep theirs") func readPinned() {
        let pinned = Fixture.notification("pinned", age: 2) { $0.isPinned = true }
        let home = Fixture.notification("home", of: "home", age: 4)
        var page = PageFixture(
            [Fixture.account("work"), Fixture.account("home")],
            [[pinned, Fixture.notification("1", age: 1), Fixture.notification("3", age: 3)], [home]]
        )
        #expect(page.titles == ["Nr pinned", "Nr 1", "Nr 3", "Nr home"])
        _ = page.send(.select([Fixture.row("pinned")]))
        let request = InboxRequest("work", .markRead(["pinned"]))
        #expect(page.send(.key(.character("r"))).first == .send(request))
        #expect(page.titles == ["Nr 1", "Nr pinned", "Nr 3", "Nr home"])
        let again = page.request("work", .these(["pinned"]))
        #expect(page.send(.finished(request, failure: nil)).contains(.list(again)))
        let read = Fixture.notification("pinned", age: 2, isRead: true) { $0.isPinned = true }
        _ = page.send(.listed(again, .notifications([read], problem: "")))
        #expect(page.titles == ["Nr 1", "Nr pinned", "Nr 3", "Nr home"])
    }

    @Test("A changed notification stays where it is among those of the same time") func sameTime() {
        var page = PageFixture([Fixture.account("work")], [["1", "2", "3"].map { Fixture.notification($0) }])
        for id in ["1", "2"] {
            _ = page.send(.changed(account: "work", ids: [id]))
            let read = Fixture.notification(id, isRead: true)
            _ = page.send(.listed(page.request("work", .these([id])), .notifications([read], problem: "")))
            #expect(page.titles == ["Nr 1", "Nr 2", "Nr 3"])
            #expect(page.page.row(Fixture.row(id))?.isUnread == false)
        }
    }

    @Test("A pinned notification is above newer ones until it is read") func pinned() {
        var list = Self.many(1...2)
        list.insert(Fixture.notification("p", age: 100) { $0.isPinned = true }, at: 0)
        var page = PageFixture([Fixture.account("work")], [list])
        #expect(page.titles.first == "Nr p")
        _ = page.send(.changed(account: "work", ids: ["p"]))
        let read = Fixture.notification("p", age: 100, isRead: true) { $0.isPinned = true }
        _ = page.send(.listed(page.request("work", .these(["p"])), .notifications([read], problem: "")))
        #expect(page.titles.last == "Nr p")
    }

    @Test("A new notification is counted while others are read, and not at the top") func newAbove() {
        var page = PageFixture([Fixture.account("work")], [Self.many(1...3)])
        _ = page.send(.arrived(Fixture.row("9")))
        #expect(page.page.newAboveTitle == nil)
        _ = page.send(.atTop(false))
        _ = page.send(.arrived(Fixture.row("10")))
        #expect(page.page.newAboveTitle == "1 new notification")
        _ = page.send(.atTop(true))
        #expect(page.page.newAboveTitle == nil)
    }

    @Test("Each place is listed with its options") func options() {
        let expected: [((inout InboxQuery) -> Void, [String: Value])] = [
            ({ _ in }, ["snoozed": .bool(false), "archived": .bool(false)]),
            ({ $0.view = .archive }, ["archived": .bool(true)]),
            ({ $0.view = .snoozed }, ["snoozed": .bool(true)]),
            ({ $0.isUnreadOnly = true }, ["snoozed": .bool(false), "archived": .bool(false), "unread": .bool(true)]),
            (
                { $0.category = "builds" },
                ["snoozed": .bool(false), "archived": .bool(false), "category": .string("builds")]
            ),
            ({ $0.tab = "t" }, ["snoozed": .bool(false), "tab": .string("t")]),
            ({ $0.search = "key" }, ["text": .string("key"), "kept": .bool(true)]),
            ({ ($0.search, $0.view) = ("key", .archive) }, ["text": .string("key"), "kept": .bool(true)]),
        ]
        for (change, options) in expected {
            var query = InboxQuery()
            change(&query)
            #expect(query.options.values == options)
        }
    }

    @Test("A search lists all that is found, and a reply for words that changed meanwhile is ignored") func search() {
        var page = PageFixture([Fixture.account("work")], [Self.many(1...3)])
        let first = page.send(.search("ke"))
        guard case .list(let early)? = first.first else {
            Issue.record("\(first)")
            return
        }
        #expect(early.part == .all && early.options.limit == nil && page.page.contents == .loading)
        guard case .list(let late)? = page.send(.search("key")).first else {
            Issue.record("no request")
            return
        }
        _ = page.send(.listed(early, .notifications(Self.many(1...3), problem: "")))
        #expect(page.page.rows.isEmpty)
        _ = page.send(.listed(late, .notifications(Self.many(2...2), problem: "")))
        #expect(page.titles == ["Nr 2"])
        #expect(page.send(.key(.escape)).contains { if case .list = $0 { true } else { false } })
        #expect(page.page.query == InboxQuery())
    }

    @Test("The tabs of all accounts are together, with the sum of their counts") func tabs() {
        let page = PageFixture([
            Fixture.account("work", unread: 5, tabs: [("mentions", 2), ("builds", 0)]),
            Fixture.account("home", unread: 1, tabs: [("mentions", 1)]),
        ])
        #expect(page.page.tabs.map(\.label) == ["All", "Mentions", "Builds"])
        #expect(page.page.tabs.map(\.unread) == [6, 3, 0] && page.page.tabs.map(\.isChosen) == [true, false, false])
        #expect(PageFixture([Fixture.account("work")]).page.tabs.isEmpty)
    }

    @Test("An account without the tab adds nothing to it") func noTab() {
        var page = PageFixture([Fixture.account("work", tabs: [("t", 0)]), Fixture.account("home")])
        var query = InboxQuery()
        query.tab = "t"
        let requests = page.send(.go(query))
        #expect(requests.count == 3 && requests.contains(.scrollToTop))
        for case .list(let request) in requests where request.account == "home" {
            _ = page.send(.listed(request, .noTab))
        }
        page.answer("work", [], generation: 1)
        #expect(page.notice?.title == "No Notifications")
    }
}
