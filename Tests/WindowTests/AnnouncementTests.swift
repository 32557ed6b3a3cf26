import AgentInterface
import DBus
import Testing

@testable import Window

/// What screen readers say of the inbox page beside the row with the focus.
@Suite struct AnnouncementTests {
    private typealias Fixture = PageFixture

    private static func page(_ count: Int = 3, tabs: [(String, Int)] = []) -> PageFixture {
        let list = (0..<count).map { Fixture.notification("\($0)", age: Int64($0)) }
        return PageFixture([Fixture.account("work", unread: count, tabs: tabs)], [list])
    }

    @Test(
        "Each action says what it has done",
        arguments: [
            (PageKey.character("r"), "1 notification marked as read"),
            (.character("u"), "1 notification marked as unread"), (.control("a"), "3 selected"),
        ]
    )
    func actions(key: PageKey, sentence: String) {
        var page = Self.page()
        _ = page.send(.select([Fixture.row("1")]))
        _ = page.send(.key(key))
        #expect(page.said == [sentence])
    }

    @Test("A selection of several says how many they are") func selection() {
        var page = Self.page()
        _ = page.send(.select([Fixture.row("1")]))
        #expect(page.said == [])
        _ = page.send(.select([Fixture.row("1"), Fixture.row("2")]))
        #expect(page.said == ["2 selected"])
        _ = page.send(.select([Fixture.row("2"), Fixture.row("1")]))
        #expect(page.said == [])
    }

    @Test("While several are selected one by one, each number is said, and the beginning and the end") func mode() {
        var page = Self.page()
        _ = page.send(.selectionMode(true))
        #expect(page.said == ["Selection mode, 0 selected"])
        _ = page.send(.click(Fixture.row("1")))
        #expect(page.said == ["1 selected"])
        _ = page.send(.click(Fixture.row("1")))
        #expect(page.said == ["0 selected"])
        _ = page.send(.key(.escape))
        #expect(page.said == ["Selection ended"])
    }

    @Test("A new notification is said once it is listed, unless it is muted") func arrivals() {
        var page = Self.page(1)
        for (id, isMuted) in [("a", false), ("b", true)] {
            let new = Fixture.notification(id) { $0.isMuted = isMuted }
            _ = page.send(.arrived(Fixture.row(id)))
            #expect(page.said == [])
            _ = page.send(.changed(account: "work", ids: [id]))
            _ = page.send(.listed(page.request("work", .these([id])), .notifications([new], problem: "")))
            #expect(page.said == (isMuted ? [] : ["1 new notification"]))
        }
    }

    @Test("What is opened says that, or else its text") func opening() {
        var page = PageFixture(
            [Fixture.account("work")],
            [[Fixture.notification("1"), Fixture.notification("2", age: 1) { ($0.url, $0.body) = ("", "A text.") }]]
        )
        _ = page.send(.click(Fixture.row("1")))
        #expect(page.said == ["Opening its link"])
        _ = page.send(.click(Fixture.row("2")))
        #expect(page.said == ["A text."])
    }

    @Test("A toast that can be undone says the key for it") func toast() {
        #expect(InboxPage.Toast(number: 1, text: "1 notification archived").spoken == "1 notification archived")
        let undo = InboxPage.Toast(number: 1, text: "1 notification archived", button: "Undo")
        #expect(undo.spoken == "1 notification archived\nPress Control+Z to undo.")
    }

    @Test("What is taken back is said") func undo() {
        var page = Self.page()
        _ = page.send(.select([Fixture.row("1")]))
        _ = page.send(.key(.character("e")))
        _ = page.send(.finished(InboxRequest("work", .archive(["1"])), failure: nil))
        _ = page.send(.undo(1))
        let undone = Undone(account: "work", action: "Archive", ids: ["1"])
        _ = page.send(.tookBack(account: "work", .back(undone)))
        #expect(page.said == ["1 archived notification is back."])
    }

    private func search(_ words: String, finds list: [NotificationRecord], on page: inout PageFixture, _ number: Int) {
        _ = page.send(.search(words))
        #expect(page.said == [], "nothing is found yet")
        let request = page.request("work", .all, generation: number)
        _ = page.send(.listed(request, .notifications(list, problem: "")))
    }

    @Test("A search says how many it has found, each time") func search() {
        var page = Self.page()
        let found = [Fixture.notification("1")]
        search("n", finds: found, on: &page, 1)
        #expect(page.said == ["1 notification found"])
        search("nr", finds: found, on: &page, 2)
        #expect(page.said == ["1 notification found"])
        search("nrx", finds: [], on: &page, 3)
        #expect(page.said == ["Nothing Found. No notification has the words \"nrx\"."])
        search("nrxy", finds: [], on: &page, 4)
        #expect(page.said == ["Nothing Found. No notification has the words \"nrxy\"."])
        _ = page.send(.visible([]))
        #expect(page.said == [])
    }

    @Test("Another place says its name and the number of its notifications") func places() {
        var page = Self.page(tabs: [("builds", 1)])
        var query = InboxQuery()
        query.tab = "builds"
        _ = page.send(.go(query))
        page.answer("work", [Fixture.notification("1")], generation: 1)
        #expect(page.said == ["Builds, 1 notification"])
        _ = page.send(.go(InboxQuery()))
        let whole = (0..<50).map { Fixture.notification("\($0)", age: Int64($0)) }
        _ = page.send(.listed(page.request("work", generation: 2), .notifications(whole, problem: "")))
        #expect(page.said == ["All, at least 50 notifications"])
    }

    @Test("An account that is chosen says its name") func account() {
        let list = [Fixture.notification("1"), Fixture.notification("2", age: 1)]
        var page = PageFixture([Fixture.account("work"), Fixture.account("home")], [list, []])
        var query = InboxQuery()
        query.account = "work"
        _ = page.send(.go(query))
        page.answer("work", list, generation: 1)
        #expect(page.said == ["Inbox, work, 2 notifications"])
    }

    @Test("A line above the list is said once while it is there, when keys go to the window") func banners() {
        var page = Self.page()
        _ = page.send(.activity(false))
        _ = page.send(.agent(.ended))
        #expect(page.said == [])
        _ = page.send(.activity(true))
        #expect(page.said == ["Feedbell has stopped. Press Start to get notifications again."])
        _ = page.send(.visible([]))
        #expect(page.said == [])
        _ = page.send(.agent(.running))
        _ = page.send(.agent(.ended))
        #expect(page.said == ["Feedbell has stopped. Press Start to get notifications again."])
    }

    @Test("A line whose text counts seconds is said once") func countingBanner() {
        var page = Self.page()
        func offline(_ seconds: Int64) -> AccountState {
            let (asOf, next) = (Fixture.now - 60_000, Fixture.now + seconds * 1000)
            return Fixture.account("work", state: "offline", asOf: asOf, nextAttempt: next)
        }
        _ = page.send(.accounts([offline(9)]))
        #expect(page.said.count == 1 && page.said == page.page.banners.map(\.text))
        _ = page.send(.accounts([offline(5)]))
        #expect(page.said == [])
    }

    // MARK: Search

    @Test("The entry of the search says what limits it") func searchLabel() {
        var page = PageFixture([Fixture.account("work", tabs: [("builds", 1)]), Fixture.account("home")])
        #expect(page.page.searchLabel == "Search all that is kept")
        var query = InboxQuery()
        (query.account, query.tab, query.category) = ("work", "builds", "ci")
        _ = page.send(.go(query))
        #expect(page.page.searchLabel == "Search only in: work, Builds, ci")
        query.view = .archive
        (query.account, query.tab, query.category) = (nil, "", nil)
        _ = page.send(.go(query))
        #expect(page.page.searchLabel == "Search all that is kept", "it finds what is not archived, too")
    }

    @Test("Nothing found says where it was searched") func nothingFound() {
        var page = Self.page()
        var query = InboxQuery()
        query.category = "ci"
        _ = page.send(.go(query))
        search("x", finds: [], on: &page, 2)
        let sentence = "No notification has the words \"x\". The search was only in: ci."
        #expect(page.said == ["Nothing Found. " + sentence])
    }

    @Test("Of what a search finds, archived ones are marked") func archived() {
        let archived = Fixture.notification("1") { ($0.isArchived, $0.category) = (true, "ci") }
        var page = Self.page()
        search("x", finds: [archived, Fixture.notification("2", age: 1)], on: &page, 1)
        #expect(page.page.row(Fixture.row("1"))?.source == "Archived · ci")
        #expect(page.page.row(Fixture.row("1"))?.spoken == "Unread, Nr 1, Archived, ci, just now")
        #expect(page.page.row(Fixture.row("2"))?.source == "")
        var query = InboxQuery()
        query.view = .archive
        _ = page.send(.go(query))
        _ = page.send(.listed(page.request("work", generation: 2), .notifications([archived], problem: "")))
        #expect(page.page.row(Fixture.row("1"))?.source == "ci", "all of them are")
    }

    // MARK: Rows

    @Test("A row says what is short before its text, and what can be pressed after it") func spoken() {
        var page = PageFixture(
            [Fixture.account("work"), Fixture.account("home")],
            [
                [
                    Fixture.notification("1") { notification in
                        (notification.body, notification.category, notification.isPinned) = ("A text.", "ci", true)
                        notification.markup = "A <a href=\"https://example.com\">text</a>."
                        notification.actions = ["Open", "Close"].map { ["id": .string($0), "label": .string($0)] }
                    }
                ], [],
            ]
        )
        _ = page.send(.visible([]))
        let row = page.page.row(Fixture.row("1"))
        #expect(
            row?.spoken
                == "Unread, Pinned, Nr 1, ci, work, just now, A text., 2 buttons: Open, Close, 1 link in the text"
        )
        #expect(row?.menuLabel == "More actions: Nr 1")
    }

    @Test("A link whose label is its address has no second text with it") func linkAddress() {
        let page = PageFixture(
            [Fixture.account("work")],
            [
                [
                    Fixture.notification("1") { notification in
                        notification.actions = ["", "Open"].map {
                            ["id": .string("x\($0)"), "label": .string($0), "url": .string("https://example.com")]
                        }
                    }
                ]
            ]
        )
        let links = page.page.row(Fixture.row("1"))?.links
        #expect(links?.map(\.label) == ["https://example.com", "Open"])
        #expect(links?.map(\.url) == ["", "https://example.com"])
    }
}
