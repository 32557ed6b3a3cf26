import AgentInterface
import DBus
import Testing
import VisibleText

@testable import feedbell

/// `feedbell inbox` as a value: keys and replies in, requests and lines out.
@Suite struct InboxScreenTests {
    /// Noon in UTC.
    private static let now: Int64 = 1_763_726_400_000
    private static let plain = Terminal(columns: 80, hasColors: false)
    /// The whole inbox of "work".
    private static let whole = InboxQuery(account: "work")

    private static func query(_ change: (inout InboxQuery) -> Void) -> InboxQuery {
        var query = whole
        change(&query)
        return query
    }

    private static func notification(
        _ id: String,
        _ title: String,
        body: String = "",
        isRead: Bool = false,
        account: String = "work",
        later: Int64 = 0
    ) -> NotificationRecord {
        var notification = NotificationRecord()
        notification.account = account
        (notification.id, notification.title, notification.body) = (id, title, body)
        (notification.created, notification.read) = (now + later, isRead ? now : 0)
        return notification
    }

    private static func contents(
        _ notifications: [NotificationRecord],
        isLoaded: Bool = true
    ) -> TestScreen.Contents {
        let accounts = [
            AccountState.reported("home", unread: 0, capabilities: [.archive, .unarchive, .delete]),
            AccountState.reported(
                "work",
                unread: isLoaded ? 2 : nil,
                state: isLoaded ? "online" : "offline",
                nextAttempt: isLoaded ? 0 : now + 3_500,
                tabs: [("old", "Archive", 0)],
                capabilities: [.archive, .unarchive, .delete]
            ),
        ]
        return TestScreen.Contents(
            accounts: accounts,
            notifications: notifications,
            failure: isLoaded ? nil : "It is offline.",
            now: now
        )
    }

    /// A screen with notifications "n1" to the last one; the second is read.
    private static func screen(_ count: Int = 3, columns: Int = 40, rows: Int = 6) -> TestScreen {
        var screen = TestScreen(account: "work", columns: columns, rows: rows)
        _ = screen.receive(contents(list(count)))
        return screen
    }

    private static func list(_ count: Int) -> [NotificationRecord] {
        (1...count).map { notification("n\($0)", "Nr \($0)", body: "Text", isRead: $0 == 2, later: Int64(500 - $0)) }
    }

    private static func press(_ keys: TerminalKey..., on screen: inout TestScreen) -> [InboxScreen.Effect] {
        keys.flatMap { screen.receive(.key($0)) }
    }

    @Test("A pasted text is added to what the user types, and acts on nothing elsewhere") func paste() {
        var screen = Self.screen()
        #expect(screen.receive(.pasted("d\ra")) == [] && screen.notice == .ignoredPaste && screen.mode == .list)
        _ = Self.press(.enter, on: &screen)
        let mode = screen.mode
        #expect(screen.receive(.pasted("d")) == [] && screen.mode == mode)
        _ = Self.press(.escape, .character("/"), .character("a"), on: &screen)
        #expect(screen.receive(.pasted("b\u{1B}\r\nc\r")) == [] && screen.mode == .search("ab c"))
        _ = Self.press(.escape, .character("z"), on: &screen)
        let typed = screen.mode
        _ = Self.press(.control("u"), on: &screen)
        _ = screen.receive(.pasted("tomorrow\n"))
        #expect(typed != screen.mode && screen.mode == .until("tomorrow", .snooze(["n1"])))
    }

    @Test("The arrow keys move, and at the end of the list the next page is loaded once") func moving() {
        var screen = Self.screen()
        #expect(screen.selected == "n1")
        #expect(Self.press(.down, .character("j"), .down, on: &screen) == [] && screen.selected == "n3")
        #expect(screen.requests == [], "there are no others")
        #expect(Self.press(.home, .up, on: &screen) == [] && screen.selected == "n1")
        #expect(Self.press(.character("G"), on: &screen) == [] && screen.selected == "n3")
        screen = Self.screen(120)
        for _ in 1...45 { _ = Self.press(.down, on: &screen) }
        #expect(screen.requests.isEmpty && screen.selected == "n46")
        _ = Self.press(.down, .down, .down, .down, .down, on: &screen)
        #expect(screen.requests.map(\.part) == [.page(offset: 50)] && screen.selected == "n50")
        #expect(screen.lines(Self.plain).last == "Loading …")
        _ = screen.receive(Self.contents(Self.list(120)))
        #expect(screen.selected == "n51" && screen.notifications.count == 100)
    }

    @Test(
        "Each key asks the agent for one thing",
        arguments: [
            ("o", .open("n1")), ("r", .markRead(["n1"])), ("u", .markUnread(["n1"])), ("a", .archive(["n1"])),
        ] as [(Character, InboxCall)]
    )
    func requests(_ key: Character, _ call: InboxCall) {
        let request = InboxScreen.Request.inbox(call)
        var screen = Self.screen()
        #expect(Self.press(.character(key), on: &screen) == [.send(request, account: "work")])
        #expect(screen.receive(.finished(request, failure: "It is offline.")) == [])
        #expect(screen.lines(Self.plain).last == "It is offline.")
        #expect(Self.press(.down, on: &screen) == [])
        #expect(screen.lines(Self.plain).last?.contains("It is offline.") == false)
    }

    @Test("An inbox that is not loaded yet says why, and is listed as soon as it is") func notLoaded() {
        var screen = TestScreen(account: "work", columns: 60, rows: 6)
        let contents = Self.contents([], isLoaded: false)
        #expect(screen.receive(contents) == [.runClock(number: 1, milliseconds: 500)])
        #expect(screen.lines(Self.plain)[1] == "Not loaded yet: offline, next attempt in 4 s")
        let next = screen.receive(.clock(1), now: Self.now + 500)
        #expect(next == [.runClock(number: 2, milliseconds: 1000)] && screen.requests == [])
        #expect(screen.lines(Self.plain)[1] == "Not loaded yet: offline, next attempt in 3 s")
        #expect(screen.receive(Self.contents(Self.list(1))) == [])
        #expect(screen.notifications.map(\.id) == ["n1"])
    }

    @Test("A slash searches all that is kept, and Escape shows all again") func searching() {
        var screen = Self.screen()
        let search = Self.query { $0.search = "nr 2" }
        #expect(Self.press(.character("/"), .character("n"), .character("x"), .backspace, on: &screen) == [])
        #expect(screen.lines(Self.plain).last == "Search: n▏")
        let rest = Self.press(.character("r"), .character(" "), .character("2"), .enter, on: &screen)
        #expect(rest == [] && screen.queries == [search])
        _ = screen.receive(Self.contents([Self.list(2)[1]]))
        #expect(screen.lines(Self.plain).last == "Enter show  o open link  ? help  q quit")
        #expect(Self.press(.down, on: &screen) == [] && screen.requests == [], "a search has no next page")
        #expect(Self.press(.character("/"), on: &screen) == [])
        #expect(screen.lines(Self.plain).last == "Search: nr 2▏", "to be changed")
        #expect(Self.press(.escape, on: &screen) == [] && screen.requests == [])
        #expect(Self.press(.escape, on: &screen) == [] && screen.queries == [Self.whole])
        _ = screen.receive(Self.contents(Self.list(3)))
        #expect(Self.press(.character("/"), .backspace, on: &screen) == [])
        #expect(Self.press(.escape, on: &screen) == [] && screen.requests == [], "nothing is searched for")
        _ = Self.press(.character("/"), .character("x"), .enter, on: &screen)
        #expect(screen.queries == [Self.query { $0.search = "x" }])
        _ = screen.receive(Self.contents([]))
        #expect(screen.lines(Self.plain)[1] == "Nothing found for \"x\". Escape shows all.")
    }

    @Test("z asks for a time, and snoozes the notification") func snoozing() {
        var screen = Self.screen(columns: 80)
        #expect(Self.press(.character("z"), on: &screen) == [])
        let time = LocalTime(Self.now + 3_600_000).text(now: Self.now)
        #expect(screen.lines(Self.plain).last?.hasSuffix(": 1h▏  = \(time)") == true)
        let hour = InboxScreen.Request.inbox(.snooze(["n1"], until: Self.now + 3_600_000))
        #expect(Self.press(.enter, on: &screen) == [.send(hour, account: "work")])
        #expect(Self.press(.character("z"), .control("u"), .character("x"), .enter, on: &screen) == [])
        #expect(screen.lines(Self.plain).last?.contains("\"x\" is not a valid time") == true)
        #expect(Self.press(.character("z"), .escape, .down, on: &screen) == [] && screen.selected == "n2")
    }

    @Test("m asks until when the category is muted, or the topic without one, and ends the mute of a muted one")
    func muting() {
        var screen = Self.screen(columns: 100)
        #expect(Self.press(.character("m"), on: &screen) == [] && screen.mode == .list)
        #expect(screen.lines(Self.plain).last == "It has neither a category nor a topic.")
        var list = Self.list(3)
        (list[0].category, list[0].topic, list[1].topic) = ("ci*", "x", "deploys")
        (list[2].category, list[2].isMuted) = ("news", true)
        _ = screen.receive(Self.contents(list))
        #expect(Self.press(.character("m"), on: &screen) == [])
        let time = LocalTime(Self.now + 3_600_000).text(now: Self.now)
        #expect(screen.lines(Self.plain).last?.hasPrefix("Mute \"ci*\" (2h, ") == true)
        #expect(screen.lines(Self.plain).last?.hasSuffix(": 1h▏  = \(time)") == true)
        let hour = Mute(account: "work", subject: .category, value: "ci*", until: Self.now + 3_600_000)
        let request = InboxScreen.Request.mute(hour)
        #expect(Self.press(.enter, on: &screen) == [.send(request, account: "work")] && screen.mode == .list)
        #expect(screen.lines(Self.plain).last == "\"ci*\" is muted until \(time).")
        _ = screen.receive(.finished(request, account: "work", failure: nil))
        #expect(screen.notice == .muted("ci*", until: time))
        _ = screen.receive(.finished(request, account: "work", failure: "It cannot be written."))
        #expect(screen.notice == .failed("It cannot be written."))

        let always = InboxScreen.Request.mute(Mute(account: "work", subject: .topic, value: "deploys", until: 0))
        let keys = Self.press(.down, .character("m"), .control("u"), .enter, on: &screen)
        #expect(keys == [.send(always, account: "work")] && screen.notice == .muted("deploys", until: nil))
        #expect(Self.press(.character("m"), .character("x"), .enter, on: &screen) == [])
        #expect(screen.mode == .until("1hx", .mute(Mute(account: "work", subject: .topic, value: "deploys", until: 0))))
        let unmute = Self.press(.escape, .down, .character("m"), on: &screen)
        #expect(unmute == [.send(.unmute("n3"), account: "work")] && screen.notice == .unmuted)
        _ = Self.press(.enter, on: &screen)
        #expect(screen.lines(Self.plain).contains { $0.hasSuffix(" · news · Muted") })
    }

    @Test("A notification to begin with is shown at once, and all are listed after Escape") func shownFirst() {
        var screen = TestScreen(account: "work", shown: "n1", columns: 80, rows: 10)
        #expect(screen.query.id == "n1" && screen.query.isFiltered)
        let effects = screen.receive(Self.contents(Self.list(1)))
        #expect(effects.contains(.send(.inbox(.markRead(["n1"])), account: "work")))
        #expect(screen.mode == .text(from: 0) && screen.lines(Self.plain).joined().contains("Text"))
        _ = screen.receive(Self.contents(Self.list(3)))
        #expect(screen.notifications.count == 1, "the others do not belong to the list")
        #expect(Self.press(.character("q"), on: &screen) == [] && screen.mode == .list)
        _ = screen.receive(Self.contents(Self.list(1)))
        #expect(screen.mode == .list, "once")
        #expect(Self.press(.escape, on: &screen) == [] && screen.queries == [Self.whole])
    }

    @Test("Z shows what is snoozed, with its times, and z ends the snooze there") func snoozedOnes() {
        var screen = Self.screen(columns: 80)
        #expect(Self.press(.character("Z"), on: &screen) == [])
        #expect(screen.queries == [Self.query { $0.view = .snoozed }])
        var list = Self.list(2)
        for index in list.indices { list[index].snoozed = Self.now + 7_200_000 }
        _ = screen.receive(Self.contents(list))
        #expect(screen.lines(Self.plain)[0].contains("snoozed"))
        #expect(screen.lines(Self.plain)[1].contains(LocalTime(Self.now + 7_200_000).text(now: Self.now)))
        let end = InboxScreen.Request.inbox(.unsnooze([list[0].id]))
        #expect(Self.press(.character("z"), on: &screen) == [.send(end, account: "work")])
        #expect(Self.press(.escape, on: &screen) == [] && screen.queries == [Self.whole])
    }

    @Test("The last line keeps help and quit at every width, and names each action in its own words") func hints() {
        let wide = Self.screen(columns: 100).lines(Self.plain).last
        #expect(wide == "Enter show  o open link  r mark as read  e archive  Tab next tab  ? help  q quit")
        for columns in 14...100 {
            #expect(Self.screen(columns: columns).lines(Self.plain).last?.hasSuffix("? help  q quit") == true)
        }
        var screen = Self.screen()
        _ = Self.press(.enter, on: &screen)
        #expect(screen.lines(Self.plain).last == "o open link  ? help  q back")
    }

    @Test("The last line answers an unknown key, until the next one") func unknownKeys() {
        var screen = Self.screen(columns: 80)
        for key in [TerminalKey.character("x"), .escape, .function(1)] {
            #expect(Self.press(key, on: &screen) == [])
            #expect(screen.lines(Self.plain).last == "This key does nothing here. Press ? for help.")
            #expect(Self.press(.up, on: &screen) == [])
            #expect(screen.lines(Self.plain).last?.hasPrefix("Enter show") == true)
        }
    }

    @Test("An error goes when its cause is gone") func errors() {
        func contents(state: String) -> TestScreen.Contents {
            let accounts = [AccountState.reported("work", unread: 2, state: state)]
            return TestScreen.Contents(accounts: accounts, notifications: Self.list(3), now: Self.now)
        }
        var screen = Self.screen(columns: 80)
        func last() -> String? { screen.lines(Self.plain).last }
        _ = screen.receive(contents(state: "online"))
        let hints = last()
        // The agent is restarted.
        #expect(screen.receive(.agent([.missing])) == [])
        #expect(last() == "No Feedbell agent is running in this session. Start it with: feedbell start")
        #expect(screen.receive(contents(state: "connecting")) == [] && last() == hints)
        // The account is online again.
        #expect(
            screen.receive(.finished(.inbox(.refresh), failure: "It is offline.")) == [] && last() == "It is offline."
        )
        #expect(screen.receive(contents(state: "offline")) == [] && last() == "It is offline.")
        #expect(screen.receive(contents(state: "online")) == [] && last() == hints)
        // A refused action is reported while the account is online: changes of the list do not hide it.
        #expect(screen.receive(.finished(.inbox(.delete(["n1"])), failure: "No.")) == [] && last() == "No.")
        #expect(screen.receive(contents(state: "online")) == [] && last() == "No.")
    }

    @Test("An archived notification is unarchived") func unarchive() {
        var screen = TestScreen(account: "work", columns: 40, rows: 6)
        var archived = Self.notification("n1", "Nr 1")
        archived.isArchived = true
        _ = screen.receive(Self.contents([archived]))
        #expect(Self.press(.character("a"), on: &screen) == [.send(.inbox(.unarchive(["n1"])), account: "work")])
    }

    @Test("Enter shows the text and marks it as read; another opens the link; q returns") func reading() {
        var screen = Self.screen()
        #expect(Self.press(.enter, on: &screen) == [.send(.inbox(.markRead(["n1"])), account: "work")])
        #expect(screen.lines(Self.plain)[1] == "Nr 1" && screen.lines(Self.plain).contains("Text"))
        #expect(Self.press(.enter, on: &screen) == [.send(.inbox(.open("n1")), account: "work")])
        #expect(Self.press(.character("q"), on: &screen) == [] && screen.mode == .list)
        #expect(Self.press(.down, .enter, on: &screen) == [], "it is read already")
        #expect(Self.press(.escape, .character("q"), on: &screen) == [.quit])
    }

    @Test("A long text is scrolled up to its end, and cut at the width of the terminal") func scrolling() {
        var screen = TestScreen(account: "work", columns: 20, rows: 6)
        let body =
            (1...30).map { "word\($0)" }.joined(separator: " ") + " https://example.com/"
            + String(repeating: "x", count: 50)
        _ = screen.receive(Self.contents([Self.notification("n1", "Nr 1", body: body, isRead: true)]))
        _ = Self.press(.enter, on: &screen)
        var text = Set<String>()
        for _ in 0..<100 {
            let lines = screen.lines(Self.plain)
            #expect(lines.count == 6 && lines.allSatisfy { $0.columns <= 20 })
            text.formUnion(lines)
            _ = Self.press(.down, on: &screen)
        }
        #expect(text.contains { $0.contains("word30") } && text.contains("https://example.com/"))
        let end = screen.screen
        _ = Self.press(.down, .pageDown, .end, on: &screen)
        #expect(screen.screen == end)
        _ = Self.press(.home, on: &screen)
        #expect(screen.mode == .text(from: 0))
    }

    @Test("Tab turns through the tabs, c through the accounts; late replies to the old query are ignored")
    func queries() {
        var screen = Self.screen()
        #expect(Self.press(.character("n"), .tab, on: &screen) == [])
        #expect(screen.queries == [Self.query { $0.isUnreadOnly = true }, Self.query { $0.tab = "old" }])
        let late = screen.requests[0]
        _ = screen.receive(.listed(late, .notifications(Self.list(3), problem: "")))
        #expect(screen.notifications.isEmpty)
        _ = screen.receive(Self.contents([Self.notification("x", "Old")]))
        #expect(screen.selected == "x" && screen.lines(Self.plain)[0].contains("[Archive]"))
        #expect(Self.press(.tab, on: &screen) == [] && screen.queries == [Self.whole])
        _ = screen.receive(Self.contents(Self.list(3)))
        #expect(Self.press(.character("c"), on: &screen) == [] && screen.queries == [InboxQuery()])
        _ = screen.receive(Self.contents(Self.list(3)))
        #expect(Self.press(.character("c"), on: &screen) == [] && screen.queries == [InboxQuery(account: "home")])
        _ = screen.receive(Self.contents([]))
        #expect(Self.press(.tab, on: &screen) == [] && screen.requests == [], "it has no tabs")
        #expect(Self.press(.character("c"), on: &screen) == [] && screen.queries == [Self.whole])
    }

    @Test("All accounts are one list, whose requests go to the account of a notification, or to all")
    func allAccounts() {
        let list = [
            Self.notification("h1", "Milk", account: "home", later: 2), Self.notification("w1", "Order", later: 1),
            Self.notification("h2", "Tea", account: "home"),
        ]
        var screen = TestScreen(columns: 80, rows: 8)
        _ = screen.receive(Self.contents(list))
        let lines = screen.lines(Self.plain)
        let time = LocalTime(Self.now).text(now: Self.now)
        #expect(lines[0] == "All accounts · [Inbox (2)] Archive ".padded(toColumns: 74) + "1 of 3")
        #expect(lines[2] == " ●  \(time)  work  Order" && lines[3] == " ●  \(time)  home  Tea")
        #expect(Self.press(.character("r"), on: &screen) == [.send(.inbox(.markRead(["h1"])), account: "home")])
        #expect(
            Self.press(.down, .character("a"), on: &screen) == [.send(.inbox(.archive(["w1"])), account: "work")]
        )
        _ = screen.receive(.finished(.inbox(.archive(["w1"])), account: "work", failure: nil))
        _ = screen.receive(Self.contents(list))
        let both = ["home", "work"]
        #expect(Self.press(.character("A"), on: &screen) == [], "not all unread ones are listed")
        #expect(
            Self.press(.character("A"), on: &screen) == both.map { .send(.inbox(.markAllRead), account: $0) }
        )
        // Only one of them has the tab.
        #expect(Self.press(.tab, on: &screen) == [] && screen.requests.map(\.account) == both)
        _ = screen.receive(.listed(screen.requests[0], .noTab))
        _ = screen.receive(Self.contents([list[1]]))
        #expect(screen.notifications.map(\.id) == ["w1"])
        _ = Self.press(.enter, on: &screen)
        #expect(screen.lines(Self.plain)[2] == "\(time) · work")
    }

    @Test("The heading of all accounts names those that are not online") func states() {
        let accounts = [
            AccountState.reported("home", state: "offline", asOf: Self.now - 3_600_000),
            AccountState.reported("work", unread: 2),
        ]
        var screen = TestScreen(columns: 80, rows: 8)
        _ = screen.receive(TestScreen.Contents(accounts: accounts, now: Self.now))
        let time = LocalTime(Self.now - 3_600_000).text(now: Self.now)
        #expect(screen.lines(Self.plain)[0] == "All accounts (home: as of \(time), offline) · [Inbox (2)]")
    }

    @Test("The selection stays on its notification; one that is gone is followed by its neighbour") func changes() {
        var screen = Self.screen()
        _ = Self.press(.down, on: &screen)
        _ = screen.receive(Self.contents([Self.notification("new", "New")] + Self.list(3)))
        #expect(screen.selected == "n2")
        _ = Self.press(.enter, on: &screen)
        _ = screen.receive(Self.contents(Self.list(3).filter { $0.id != "n2" }))
        #expect(screen.mode == .list && screen.selected == "n3")
        _ = screen.receive(Self.contents([]))
        #expect(screen.selected == nil)
        #expect(screen.lines(Self.plain)[1] == "No notifications.")
        let keys = [TerminalKey.up, .down, .enter, .character("o"), .character("d"), .character("a"), .end]
        #expect(keys.flatMap { screen.receive(.key($0)) } == [])
    }

    @Test("Signals of keys suspend and quit") func signals() {
        var screen = Self.screen()
        #expect(Self.press(.control("z"), .control("c"), on: &screen) == [.suspend, .quit])
    }

    @Test("The list has a heading, marks, and hints") func drawing() {
        let lines = Self.screen().lines(Self.plain)
        let time = LocalTime(Self.now).text(now: Self.now)
        #expect(
            lines == [
                "work · [Inbox (2)] Archive        1 of 3",
                "\u{1B}[7m" + ">●  \(time)  Nr 1 — Text".padded(toColumns: 40) + "\u{1B}[0m",
                "    \(time)  Nr 2 — Text", " ●  \(time)  Nr 3 — Text", "",
                "Enter show  o open link  ? help  q quit",
            ]
        )
    }

    /// Terminals become tiny while a window is resized.
    @Test("No screen has other lines than the terminal, whatever its size and whatever the text") func sizes() {
        let long = String(repeating: "長", count: 50)
        let hostile = "\u{1B}]0;title\u{7}\u{202E}日本語のタイトル\u{0}\r\n👨‍👩‍👧‍👦 \u{9B}31m" + long
        for (columns, rows) in [(1, 1), (2, 2), (3, 1), (7, 3), (39, 5), (40, 24), (200, 50)] {
            for hasColors in [false, true] {
                var screen = TestScreen(account: "work", columns: 80, rows: 24)
                let terminal = Terminal(columns: columns, hasColors: hasColors)
                _ = screen.receive(Self.contents((1...40).map { Self.notification("\($0)", hostile, body: hostile) }))
                _ = screen.receive(.resized(columns: columns, rows: rows))
                for key in [TerminalKey.down, .end, .enter, .down, .escape, .character("?"), .escape, .character("d")] {
                    _ = screen.receive(.key(key))
                    let lines = screen.lines(terminal)
                    #expect(lines.count == rows)
                    // A wide character may be wider than a terminal of one column.
                    #expect(lines.allSatisfy { $0.columns <= max(2, columns) }, "\(columns) × \(rows): \(lines)")
                    let shown = lines.joined().replacing(/\u{1B}\[[0-9]*m/, with: "")
                    #expect(shown.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) })
                    #expect(!shown.unicodeScalars.contains("\u{202E}"))
                }
            }
        }
    }
}
