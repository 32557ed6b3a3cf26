import AgentInterface
import DBus
import Testing

@testable import Window

/// The inbox page of the window as a value: what the user does and the agent reports in, requests out.
@Suite struct InboxPageTests {
    private typealias Fixture = PageFixture
    private static let three = (1...3).map { Fixture.notification("\($0)", age: Int64($0)) }

    private static func page(_ list: [NotificationRecord] = three) -> PageFixture {
        PageFixture([Fixture.account("work")], [list])
    }

    @Test("The first page of each account is requested, and several accounts are one list") func firstPages() {
        var page = PageFixture([])
        let accounts = [Fixture.account("work"), Fixture.account("home")]
        #expect(
            page.send(.accounts(accounts)) == [.list(page.request("work")), .list(page.request("home"))]
        )
        #expect(page.page.contents == .loading)
        page.answer("work", [Fixture.notification("1", age: 1), Fixture.notification("3", age: 3)])
        page.answer("home", [Fixture.notification("2", of: "home", age: 2)])
        #expect(page.titles == ["Nr 1", "Nr 2", "Nr 3"])
        #expect(page.page.row(Fixture.row("2", of: "home"))?.source == "home")
        #expect(page.send(.accounts(accounts)) == [], "nothing is requested twice")
    }

    @Test("A click opens the link; without one, it marks as read and shows the whole text") func click() {
        var page = Self.page([Fixture.notification("1"), Fixture.notification("2", age: 1) { $0.url = "" }])
        #expect(page.send(.click(Fixture.row("1"))) == [.send(InboxRequest("work", .open("1")))])
        #expect(page.page.row(Fixture.row("1"))?.isUnread == false, "it is read at once")
        #expect(page.send(.click(Fixture.row("2"))) == [.send(InboxRequest("work", .markRead(["2"])))])
        #expect(page.page.row(Fixture.row("2"))?.isExpanded == true)
    }

    @Test(
        "Each key asks the agent for one thing",
        arguments: [
            ("r", .markRead(["1"])), ("u", .markUnread(["1"])),
        ] as [(Character, InboxCall)]
    )
    func keys(_ key: Character, _ call: InboxCall) {
        var page = Self.page()
        #expect(page.send(.key(.character(key))) == [], "nothing is selected")
        _ = page.send(.select([Fixture.row("1")]))
        #expect(page.send(.key(.character(key))) == [.send(InboxRequest("work", call))])
    }

    @Test("Several selected ones are one request for each account, in the order of the list") func selection() {
        var page = PageFixture(
            [Fixture.account("work"), Fixture.account("home")],
            [Self.three, [Fixture.notification("4", of: "home", age: 9)]]
        )
        _ = page.send(.key(.control("a")))
        #expect(page.page.isSelecting && page.page.selectionTitle == "4 selected")
        #expect(
            page.send(.act(.read)) == [
                .send(InboxRequest("work", .markRead(["1", "2", "3"]))),
                .send(InboxRequest("home", .markRead(["4"]))),
            ]
        )
        #expect(!page.page.isSelecting && page.page.selection.isEmpty)
    }

    @Test("The row below a removed one gets the focus and is selected, or the last one") func successor() {
        var page = Self.page()
        func remove(_ id: String) {
            _ = page.send(.changed(account: "work", ids: [id]))
            _ = page.send(.listed(page.request("work", .these([id])), .notifications([], problem: "")))
        }
        page.page.cursor = Fixture.row("2")
        _ = page.send(.select([Fixture.row("2")]))
        _ = page.send(.act(.archive))
        #expect(page.page.cursor == Fixture.row("3") && page.page.selection == [Fixture.row("3")])
        _ = page.send(.select([Fixture.row("1")]))
        remove("3")
        #expect(page.page.cursor == Fixture.row("1") && page.page.selection == [Fixture.row("1")])
        remove("1")
        #expect(page.page.cursor == nil && page.page.selection.isEmpty)
    }

    @Test("While selecting, a click selects, and Escape ends it") func selecting() {
        var page = Self.page()
        _ = page.send(.selectionMode(true))
        #expect(page.send(.click(Fixture.row("2"))) == [] && page.page.selection == [Fixture.row("2")])
        #expect(page.send(.click(Fixture.row("2"))) == [] && page.page.selection.isEmpty)
        #expect(page.send(.key(.escape)) == [] && !page.page.isSelecting)
    }

    @Test("Several that are selected by the list are selected in the mode for it, in which a click opens none")
    func selectingSeveral() {
        var page = Self.page()
        _ = page.send(.select([Fixture.row("1"), Fixture.row("2")]))
        #expect(page.page.isSelecting)
        #expect(page.send(.click(Fixture.row("1"))) == [] && page.page.selection == [Fixture.row("2")])
    }

    @Test(
        "On more than 20, what the agent cannot take back later is asked about first",
        arguments: [
            (InboxAction.archive, true, 30, false), (.archive, false, 30, true), (.archive, false, 20, false),
            (.delete, true, 21, true), (.delete, true, 20, false), (.read, true, 30, true), (.unread, true, 21, true),
            (.snooze(.hour), true, 30, false),
        ]
    )
    func many(action: InboxAction, canUnarchive: Bool, count: Int, isAsked: Bool) {
        let capabilities = ["archive", "delete"] + (canUnarchive ? ["unarchive"] : [])
        let list = (1...count).map { Fixture.notification("\($0)", age: Int64($0)) }
        var page = PageFixture([Fixture.account("work", capabilities: capabilities)], [list])
        let question = InboxPage.Question.act(action, page.page.rows)
        _ = page.send(.act(.selectAll))
        let effects = page.send(.act(action))
        #expect((effects == [.ask(question)]) == isAsked)
        guard isAsked else { return }
        #expect(page.send(.answered(question, isYes: false)) == [] && page.page.selection.count == count)
        _ = page.send(.answered(question, isYes: true))
        #expect(!page.page.isSelecting && page.page.selection.isEmpty)
        #expect(action != .delete || page.titles.isEmpty)
    }

    @Test("Escape ends a selection of several, then a filter, then any selection") func escape() {
        var page = Self.page()
        var unread = page.page.query
        unread.isUnreadOnly = true
        _ = page.send(.go(unread))
        page.answer("work", Self.three)
        _ = page.send(.select([Fixture.row("1"), Fixture.row("2")]))
        #expect(page.send(.key(.escape)) == [] && page.page.selection.isEmpty && page.page.query == unread)
        #expect(page.send(.key(.escape)) != [] && !page.page.query.isUnreadOnly)
        page.answer("work", Self.three)
        _ = page.send(.select([Fixture.row("1")]))
        #expect(page.send(.key(.escape)) == [] && page.page.selection.isEmpty)
    }

    @Test("A topic can be left where the service has topics, and what has happened is said") func leaveTopic() {
        for (capabilities, topic) in [(["topics"], "build-1"), (["topics"], ""), ([], "build-1")] {
            let list = [Fixture.notification("1") { $0.topic = topic }]
            var page = PageFixture([Fixture.account("work", capabilities: capabilities)], [list])
            _ = page.send(.select([Fixture.row("1")]))
            let isOffered = topic != "" && !capabilities.isEmpty
            #expect(page.page.offers(.leaveTopic, [Fixture.row("1")]) == isOffered)
            #expect(page.send(.act(.leaveTopic)) == (isOffered ? [.leaveTopic(account: "work", "build-1")] : []))
        }
    }

    @Test("What is pressed twice, as by a double click, is opened once; later it is opened again") func twice() {
        let row = Fixture.row("1")
        for event in [.click(row), .press(row, link: "text-1"), .press(row, link: "buy")] as [InboxPage.Event] {
            var page = Self.page()
            #expect(page.send(event).count == 1)
            for milliseconds in [0, 400, 500] as [Int64] {
                page.now += milliseconds
                #expect(page.send(event) == [], "\(event)")
            }
            #expect(page.send(.click(Fixture.row("2"))).count == 1, "another one")
            #expect(page.send(event).count == 1)
            page.now += 1_000
            #expect(page.send(event).count == 1)
            // The clock is set back.
            page.now -= 3_600_000
            #expect(page.send(event).count == 1)
        }
    }

    @Test("Titles and whole texts of the selected notifications are copied") func copy() {
        let long = String(repeating: "word ", count: 400)
        var page = Self.page([
            Fixture.notification("1", age: 1) { $0.body = long }, Fixture.notification("2", age: 2),
        ])
        #expect(page.send(.key(.control("c"))) == [])
        _ = page.send(.select([Fixture.row("1")]))
        #expect(page.send(.key(.control("c"))).first == .copy("Nr 1\n" + long))
        _ = page.send(.select([Fixture.row("1"), Fixture.row("2")]))
        #expect(page.send(.act(.copy)).first == .copy("Nr 1\n\(long)\n\nNr 2"))
    }

    @Test("The link of a picture is opened from the menu of its notification") func pictureLink() {
        var page = Self.page([Fixture.notification("1") { $0.avatarURL = "https://example.com/anna" }])
        _ = page.send(.select([Fixture.row("1")]))
        #expect(page.page.offers(.openPictureLink, page.page.selectedRows))
        let request = InboxPage.Effect.send(InboxRequest("work", .invoke("1", action: "avatar")))
        #expect(page.send(.act(.openPictureLink)) == [request])
    }

    @Test(
        "What happens while the list is scrolled changes no row",
        arguments: [
            .visible([Fixture.row("2")]), .nearEnd, .atTop(false), .select([Fixture.row("1"), Fixture.row("3")]),
        ] as [InboxPage.Event]
    ) func scrolling(event: InboxPage.Event) {
        var page = Self.page(
            [Fixture.notification("1") { $0.avatarURL = "https://example.com/a.png" }] + Self.three[1...]
        )
        let rows = page.page.rows.map(page.page.row)
        #expect(rows.count == 3 && event.keepsRows)
        _ = page.send(event)
        #expect(page.page.rows.map(page.page.row) == rows)
        #expect(!InboxPage.Event.act(.read).keepsRows)
    }

    @Test("The rules are tested for one notification, and explained in a dialogue") func rules() {
        var page = Self.page()
        #expect(page.send(.act(.testRules)) == [] && !page.page.offers(.testRules, []))
        _ = page.send(.select([Fixture.row("2")]))
        #expect(page.send(.act(.testRules)) == [.testRules(Fixture.row("2"))])
        #expect(page.page.selection == [Fixture.row("2")], "it stays selected")
        var check = RuleCheckRecord()
        (check.number, check.unmet) = (1, "topic")
        check.conditions = ["topic": Value(["a"])]
        let sentences = ["Rule 1 does not apply: it has no topic, but needs \"a\".", "No rule applies."]
        #expect(
            page.send(.tested(Fixture.row("2"), .checks([check]))) == [.explain(title: "Nr 2", sentences)]
        )
        let toast = InboxPage.Toast(number: 1, text: "It is offline.")
        #expect(page.send(.tested(Fixture.row("2"), .failed("It is offline."))) == [.show(toast)])
    }

    @Test("A category or topic of a notification is muted, and a muted one is unmuted") func mute() {
        let muted = Fixture.notification("1") { ($0.category, $0.isMuted) = ("builds", true) }
        let other = Fixture.notification("2") { ($0.category, $0.topic) = ("a/*b", "x") }
        var page = PageFixture(
            [Fixture.account("work", capabilities: ["preferences"])],
            [[muted, other, Fixture.notification("3")]]
        )
        func offered(_ id: String) -> [InboxAction] {
            _ = page.send(.select([Fixture.row(id)]))
            let all: [InboxAction] = [
                .mute(.category, .hour), .mute(.topic, .hour), .unmute, .categoryPreferences,
            ]
            return all.filter { page.page.offers($0, page.page.selectedRows) }
        }
        #expect(offered("1") == [.unmute, .categoryPreferences] && offered("3") == [])
        #expect(offered("2") == [.mute(.category, .hour), .mute(.topic, .hour), .categoryPreferences])
        let mute = Mute(account: "work", subject: .category, value: "a/*b", until: 0)
        #expect(page.send(.act(.mute(.category, .always))) == [.mute(mute)])
        #expect(mute.conditions.account == ["work"] && mute.conditions.category == ["a/\\*b"])
        let hour = Mute(account: "work", subject: .topic, value: "x", until: Fixture.now + 3_600_000)
        #expect(page.send(.act(.mute(.topic, .hour))) == [.mute(hour)])
        #expect(page.send(.act(.categoryPreferences)) == [.showCategory(account: "work", "a/*b")])
        #expect(page.send(.act(.unmute)) == [], "it is not muted")
        let toast = InboxPage.Toast(number: 1, text: "\"a/*b\" is muted.", button: "Undo")
        #expect(page.send(.muted(mute, .muted(rule: "r1"))) == [.show(toast)])
        #expect(page.send(.muted(hour, .failed("No."))) == [.show(.init(number: 2, text: "No."))])
        #expect(page.send(.key(.control("z"))) == [.hideToast(1), .removeMute(rule: "r1")])
        #expect(page.send(.key(.control("z"))) == [], "once")
        _ = page.send(.select([Fixture.row("1")]))
        #expect(page.send(.act(.unmute)) == [.unmute(Fixture.row("1"))])
        let row = page.page.row(Fixture.row("1"))
        #expect(row?.isMuted == true && row?.spoken.hasPrefix("Unread, Muted, Nr 1") == true)
    }

    @Test("A failed request is shown, and the notification as it is") func failure() {
        var page = Self.page()
        _ = page.send(.select([Fixture.row("1")]))
        _ = page.send(.key(.character("r")))
        let effects = page.send(.finished(InboxRequest("work", .markRead(["1"])), failure: "It is offline."))
        #expect(effects.first == .show(InboxPage.Toast(number: 1, text: "It is offline.")))
        #expect(effects.contains(.list(page.request("work", .these(["1"])))))
        #expect(page.send(.finished(InboxRequest("work", .markSeen(["1"])), failure: "It is offline.")) == [], "silent")
    }

    @Test("What a service cannot do is not offered") func offers() {
        var page = PageFixture([Fixture.account("work", capabilities: [])], [Self.three])
        _ = page.send(.select([Fixture.row("1")]))
        let selected = page.page.selectedRows
        #expect(!page.page.offers(.archive, selected) && !page.page.offers(.delete, selected))
        #expect(page.page.offers(.read, selected) && !page.page.offers(.unread, selected))
        #expect(page.page.offers(.snooze(.hour), selected) && !page.page.offers(.unsnooze, selected))
        let toast = InboxPage.Toast(number: 1, text: "The account's service does not support this.")
        #expect(page.send(.key(.character("d"))) == [.show(toast)])
    }

    @Test("A notification that was clicked elsewhere is selected as soon as it is listed") func show() {
        var page = PageFixture([])
        #expect(page.send(.show(Fixture.row("2"))) == [])
        _ = page.send(.accounts([Fixture.account("work")]))
        let effects = page.send(.listed(page.request("work"), .notifications(Self.three, problem: "")))
        #expect(effects.contains(.scroll(to: Fixture.row("2"))))
        #expect(page.page.selection == [Fixture.row("2")] && page.page.row(Fixture.row("2"))?.isExpanded == true)
    }
}
