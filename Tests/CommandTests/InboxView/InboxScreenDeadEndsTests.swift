import AgentInterface
import Testing

@testable import feedbell

/// The notices and the selection of `feedbell inbox` after keys that have no effect or an unexpected one.
@Suite struct InboxScreenDeadEndsTests {
    /// Noon in UTC.
    private static let now: Int64 = 1_763_726_400_000
    private static let plain = Terminal(columns: 80, hasColors: false)

    /// - Parameter number: The larger, the older.
    private static func notification(_ number: Int, isPinned: Bool = false, isRead: Bool = false) -> NotificationRecord
    {
        var notification = NotificationRecord()
        (notification.id, notification.title, notification.account) = ("n\(number)", "Nr \(number)", "work")
        (notification.created, notification.read) = (now - Int64(number) * 1000, isRead ? now : 0)
        notification.isPinned = isPinned
        return notification
    }

    private static func contents(
        _ list: [NotificationRecord],
        tabs: [(String, String, UInt32)] = [],
        capabilities: [AccountState.Capability] = [.archive, .delete],
        total: Int? = nil
    ) -> TestScreen.Contents {
        let account = AccountState.reported(
            "work",
            unread: 2,
            tabs: tabs,
            capabilities: capabilities,
            total: total
        )
        return TestScreen.Contents(accounts: [account], notifications: list, now: now)
    }

    private static func screen(_ count: Int = 20, rows: Int = 10) -> TestScreen {
        var screen = TestScreen(account: "work", columns: 80, rows: rows)
        _ = screen.receive(contents((1...count).map { notification($0) }))
        return screen
    }

    @discardableResult
    private static func press(_ keys: TerminalKey..., on screen: inout TestScreen) -> [InboxScreen.Effect] {
        keys.flatMap { screen.receive(.key($0)) }
    }

    // MARK: Cursor

    @Test("The cursor is on the selected row, at the end of what is typed, and at the beginning of a text")
    func cursor() {
        var screen = Self.screen()
        #expect(screen.cursor == .init(row: 1))
        Self.press(.down, .down, on: &screen)
        #expect(screen.cursor == .init(row: 3))
        Self.press(.end, on: &screen)
        #expect(screen.cursor == .init(row: 7), "the list has scrolled")
        Self.press(.enter, on: &screen)
        #expect(screen.cursor == .init(row: 1))
        Self.press(.escape, .character("/"), .character("a"), on: &screen)
        #expect(screen.cursor == .init(row: 9, column: "Search: a▏".count - 1))
        var category = CategoryRecord()
        (category.id, category.name) = ("builds", "Builds")
        var table = PreferenceTable(account: "work", hasCategorySwitches: true)
        table.load([category, category], failure: nil)
        table.move(rows: 1, columns: 0)
        var other = screen.screen
        other.mode = .preferences(table)
        #expect(other.cursor == .init(row: 3), "below the heading")
        #expect(other.lines(Self.plain)[3].hasPrefix(">Builds"))
        let empty = TestScreen(account: "work", columns: 1, rows: 1)
        #expect(empty.cursor == .init(row: 0))
    }

    @Test("The help names the output for screen readers") func plainIsNamed() {
        #expect(Self.screen().help.last == "For a screen reader: feedbell inbox --plain")
    }

    // MARK: Silence

    @Test("An agent that does not answer is named instead of the hints, until it answers") func silence() {
        var screen = Self.screen()
        let sentence = "The agent does not answer. If this lasts, see: feedbell doctor"
        #expect(screen.receive(.agentSilent) == [])
        #expect(screen.lines(Self.plain).last == sentence && screen.spoken.last == sentence)
        Self.press(.down, on: &screen)
        #expect(screen.lines(Self.plain).last == sentence)
        Self.press(.character("/"), .character("x"), on: &screen)
        #expect(screen.lines(Self.plain).last == "Search: x▏", "what is typed is shown")
        Self.press(.enter, on: &screen)
        #expect(screen.lines(Self.plain).last == sentence)
        _ = screen.receive(.agentAnswered)
        #expect(screen.lines(Self.plain).last?.contains("does not answer") == false)
    }

    @Test("What is loaded or changed needs the agent, and timers do not") func effects() {
        let needing: [InboxScreen.Effect] = [
            .list(ListRequest(account: "x", query: .init(), part: .start, generation: 0)),
            .loadPreferences(account: "x"), .send(.pause, account: ""),
        ]
        #expect(needing.allSatisfy { $0.needsAgent })
        #expect(![InboxScreen.Effect.watchRows, .suspend, .quit].contains { $0.needsAgent })
    }

    // MARK: Snooze

    @Test("A wrong time leaves the prompt and its text, and says why", arguments: [10, 6]) func wrongTime(rows: Int) {
        var screen = Self.screen(rows: rows)
        #expect(Self.press(.character("z"), .character("x"), .enter, on: &screen) == [])
        #expect(screen.mode == .until("1hx", .snooze(["n1"])))
        let shown = screen.lines(Self.plain).suffix(rows >= 8 ? 2 : 1)
        #expect(shown.first?.hasPrefix("\"1hx\" is not a valid time. Examples: ") == true)
        if rows >= 8 { #expect(shown.last?.hasSuffix(": 1hx▏") == true) }
        #expect(screen.spoken.last?.hasPrefix("\"1hx\" is not a valid time.") == true)
        Self.press(.backspace, on: &screen)
        #expect(screen.lines(Self.plain).last?.contains(": 1h▏") == true)
        let until = Self.now + 3_600_000
        let request = InboxScreen.Request.inbox(.snooze(["n1"], until: until))
        #expect(Self.press(.enter, on: &screen) == [.send(request, account: "work")])
        let sentence = "Snoozed until \(LocalTime(until).text(now: Self.now)).  U undo"
        #expect(screen.mode == .list && screen.lines(Self.plain).last == sentence)
        _ = screen.receive(.finished(request, account: "work", failure: nil))
        #expect(screen.lines(Self.plain).last == sentence)
        _ = screen.receive(.finished(request, account: "work", failure: "It is offline."))
        #expect(screen.lines(Self.plain).last == "It is offline.")
    }

    // MARK: Selection

    /// The list after the pinned notification was read, which is then no longer on top.
    private static let afterReading =
        (1...78).map { notification($0) } + [notification(79, isPinned: true, isRead: true)]

    private static func pinnedOnTop() -> TestScreen {
        var screen = TestScreen(account: "work", columns: 80, rows: 10)
        _ = screen.receive(contents([notification(79, isPinned: true)] + (1...78).map { notification($0) }))
        return screen
    }

    @Test("A pinned notification that is read leaves the top, and the selection stays there") func pinned() {
        var screen = Self.pinnedOnTop()
        #expect(screen.selected == "n79")
        Self.press(.character("r"), on: &screen)
        _ = screen.receive(Self.contents(Self.afterReading))
        #expect(screen.selected == "n1" && screen.top == 0)
    }

    @Test("Its text stays open, and then the list selects the one that has taken its place") func pinnedText() {
        var screen = Self.pinnedOnTop()
        Self.press(.enter, on: &screen)
        _ = screen.receive(Self.contents(Self.afterReading))
        _ = screen.receive(Self.contents(Self.afterReading))
        #expect(screen.selected == "n79" && screen.textLines.first == "Nr 79")
        Self.press(.escape, on: &screen)
        #expect(screen.selected == "n1" && screen.top == 0)
    }

    @Test("End lists what the agent has loaded and selects the last one; again, that of the next page") func end() {
        var screen = TestScreen(account: "work", columns: 80, rows: 10)
        let list = (1...400).map { Self.notification($0) }
        _ = screen.receive(Self.contents(Array(list.prefix(300))))
        #expect(screen.notifications.count == 50)
        Self.press(.end, on: &screen)
        #expect(screen.requests.map(\.part) == [.loaded(limit: nil)] && screen.lines(Self.plain).last == "Loading …")
        _ = screen.receive(.listed(screen.requests[0], .notifications(Array(list.prefix(300)), problem: "")))
        #expect(screen.selected == "n300")
        // The next page is requested before it is needed.
        #expect(screen.requests.last?.part == .page(offset: 300))
        Self.press(.end, on: &screen)
        _ = screen.receive(.listed(screen.requests[1], .notifications(Array(list[299..<350]), problem: "")))
        #expect(screen.selected == "n350" && screen.lines(Self.plain).last?.hasPrefix("Enter") == true)
        // The service cannot be reached: the selection is the user's again.
        Self.press(.down, on: &screen)
        _ = screen.receive(.listed(screen.requests[2], .failed("It is offline.")))
        #expect(screen.selected == "n350" && screen.lines(Self.plain).last == "It is offline.")
        Self.press(.up, on: &screen)
        #expect(screen.selected == "n349")
    }

    @Test("A page that may lack some says why") func problem() {
        var screen = TestScreen(account: "work", columns: 80, rows: 10)
        _ = screen.receive(Self.contents((1...50).map { Self.notification($0) }))
        for _ in 1...50 { Self.press(.down, on: &screen) }
        _ = screen.receive(.listed(screen.requests[0], .notifications([], problem: "The service is not reachable.")))
        #expect(screen.selected == "n50" && screen.lines(Self.plain).last == "The service is not reachable.")
    }

    @Test("Others that come and go do not change the selection") func others() {
        var screen = Self.screen()
        Self.press(.down, .down, on: &screen)
        _ = screen.receive(Self.contents([0, 1, 3, 4].map { Self.notification($0) }))
        #expect(screen.selected == "n3")
        _ = screen.receive(Self.contents([0, 3, 9].map { Self.notification($0) }))
        #expect(screen.selected == "n3")
    }

    // MARK: Hints

    @Test("Only keys that have an effect are offered") func offers() {
        var screen = TestScreen(account: "work", columns: 80, rows: 60)
        _ = screen.receive(Self.contents([Self.notification(1)], capabilities: [.archive]))
        #expect(screen.lastLine == "Enter show  o open link  r mark as read  e archive  ? help  q quit")
        #expect(!screen.help.contains { $0.contains("tab") || $0.contains("Delete") || $0.contains("account") })
        Self.press(.enter, on: &screen)
        #expect(!screen.lastLine.contains("delete"))
        Self.press(.escape, on: &screen)
        let all = Self.contents([Self.notification(1)], tabs: [("old", "Old", 0)])
        _ = screen.receive(all)
        #expect(screen.lastLine.contains("Tab next tab") && screen.help.contains { $0.contains("Delete") })
        Self.press(.enter, on: &screen)
        #expect(screen.lastLine.contains("d delete"))
    }
}
