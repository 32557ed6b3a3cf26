import AgentInterface
import DBus
import Testing
import VisibleText

@testable import feedbell

/// Undo in `feedbell inbox`, and actions on several notifications at once.
@Suite struct InboxScreenUndoTests {
    /// Noon in UTC.
    private static let now: Int64 = 1_763_726_400_000
    private static let plain = Terminal(columns: 80, hasColors: false)

    private static func contents(
        _ ids: [String],
        capabilities: [AccountState.Capability],
        unread: Int? = nil,
        url: String = ""
    ) -> TestScreen.Contents {
        let account = AccountState.reported(
            "work",
            unread: unread ?? ids.count,
            capabilities: capabilities,
            total: 320
        )
        let notifications = ids.map { id in
            var notification = NotificationRecord()
            notification.created = now - (Int64(id) ?? 0)
            (notification.id, notification.title, notification.account) = (id, "Nr \(id)", "work")
            notification.url = url
            return notification
        }
        return TestScreen.Contents(accounts: [account], notifications: notifications, now: now)
    }

    private static func screen(_ capabilities: [AccountState.Capability], unread: Int? = nil) -> TestScreen {
        var screen = TestScreen(account: "work", columns: 80, rows: 10)
        _ = screen.receive(contents(["1", "2", "3", "4"], capabilities: capabilities, unread: unread))
        return screen
    }

    private static func press(_ keys: String, on screen: inout TestScreen) -> [InboxScreen.Effect] {
        keys.flatMap { screen.receive(.key(.character($0))) }
    }

    private static func shown(_ screen: TestScreen) -> [String] { screen.notifications.map(\.id) }

    private static func work(_ request: InboxScreen.Request) -> InboxScreen.Effect {
        .send(request, account: "work")
    }

    @Test("While an action is on its way, the position is that among all others") func position() {
        var screen = Self.screen([.archive, .delete])
        #expect(screen.lines(Self.plain)[0].hasSuffix("1 of 320"))
        _ = Self.press("d", on: &screen)
        #expect(screen.lines(Self.plain)[0].hasSuffix("1 of 319"))
        _ = screen.receive(Self.back("Delete", "1"))
        #expect(screen.lines(Self.plain)[0].hasSuffix("1 of 320"))
    }

    private static func back(_ action: String, _ ids: String..., of account: String = "work") -> InboxScreen.Event {
        .tookBack(Undone(account: account, action: action, ids: ids))
    }

    @Test(
        "Where opening archives, the notification is hidden at once, and the agent takes it back",
        arguments: ["key", "click"]
    ) func opened(by input: String) {
        var screen = Self.screen([.archive, .archiveOnClick])
        _ = screen.receive(
            Self.contents(["1", "2"], capabilities: [.archive, .archiveOnClick], url: "https://example.com")
        )
        let open = InboxScreen.Request.inbox(.open("1"))
        let click = InboxScreen.Event.mouse(.press(column: 5, row: 8))
        let effects = input == "key" ? Self.press("o", on: &screen) : screen.receive(click)
        #expect(effects == [Self.work(open)])
        #expect(Self.shown(screen) == ["2"])
        #expect(screen.lines(Self.plain).last == "1 notification archived  U undo")
        // Its address could not be opened: nothing was marked.
        _ = screen.receive(.finished(open, account: "work", failure: "Its link is not a valid address."))
        #expect(Self.shown(screen) == ["1", "2"])
    }

    @Test("An action is sent at once and hides its notification; the agent takes it back") func archived() {
        var screen = Self.screen([.archive, .delete])
        #expect(Self.press("a", on: &screen) == [Self.work(.inbox(.archive(["1"])))])
        #expect(Self.shown(screen) == ["2", "3", "4"] && screen.selected == "2")
        #expect(screen.lines(Self.plain).last == "1 notification archived  U undo")
        #expect(screen.lines(Self.plain)[0].contains("[Inbox (3)]"))
        // A list of before the request.
        _ = screen.receive(Self.contents(["1", "2", "3", "4"], capabilities: [.archive, .delete]))
        #expect(Self.shown(screen) == ["2", "3", "4"])
        let finished = InboxScreen.Event.finished(.inbox(.archive(["1"])), account: "work", failure: nil)
        #expect(screen.receive(finished) == [] && screen.requests.map(\.part) == [.these(["1"])])
        #expect(Self.shown(screen) == ["2", "3", "4"])
        _ = screen.receive(Self.contents(["2", "3", "4"], capabilities: [.archive, .delete]))
        #expect(Self.press("U", on: &screen) == [Self.work(.undo)])
        _ = screen.receive(Self.back("Archive", "1"))
        #expect(screen.lines(Self.plain).last == "Taken back")
        _ = screen.receive(Self.contents(["1", "2", "3", "4"], capabilities: [.archive, .delete]))
        #expect(Self.shown(screen) == ["1", "2", "3", "4"] && screen.selected == "1")
        // A list of before, and the next one.
        _ = screen.receive(Self.contents(["2", "3", "4"], capabilities: [.archive, .delete]))
        _ = screen.receive(Self.contents(["1", "2", "3", "4"], capabilities: [.archive, .delete]))
        #expect(screen.selected == "1")
        _ = Self.press("jj", on: &screen)
        _ = screen.receive(Self.contents(["1", "2", "3", "4"], capabilities: [.archive, .delete]))
        #expect(screen.selected == "3")
    }

    @Test("Without an action of this program, the last one of any is taken back, and said") func ofOthers() {
        var screen = Self.screen([.archive, .delete])
        #expect(Self.press("U", on: &screen) == [Self.work(.undo)])
        _ = screen.receive(Self.back("Delete", "8", "9"))
        #expect(screen.lines(Self.plain).last == "2 deleted notifications are back.")
        #expect(Self.press("U", on: &screen) == [Self.work(.undo)])
        let reason = "There is nothing to take back."
        #expect(screen.receive(.finished(.undo, account: "work", failure: reason)) == [])
        #expect(screen.lines(Self.plain).last == "There is nothing to take back.")
    }

    @Test("What came back is said if it is not what was shown") func others() {
        var screen = Self.screen([.archive, .delete])
        _ = Self.press("aU", on: &screen)
        _ = screen.receive(Self.back("Snooze", "7"))
        #expect(screen.lines(Self.plain).last == "The last snooze was taken back.")
    }

    @Test("A rejected action shows its notification again, with the reason, and is no step") func rejected() {
        var screen = Self.screen([.delete])
        _ = Self.press("d", on: &screen)
        #expect(screen.receive(.finished(.inbox(.delete(["1"])), account: "work", failure: "It is offline.")) == [])
        #expect(Self.shown(screen) == ["1", "2", "3", "4"] && screen.lines(Self.plain).last == "It is offline.")
        #expect(screen.undoable.isEmpty)
    }

    @Test("Quitting sends nothing that waits here; each undo takes back one more") func ending() {
        for end in [InboxScreen.Event.key(.character("q")), .key(.control("c")), .ended] {
            var screen = Self.screen([.archive, .delete])
            #expect(Self.press("ada", on: &screen).count == 3 && Self.shown(screen) == ["4"])
            #expect(Self.press("UU", on: &screen) == [Self.work(.undo), Self.work(.undo)])
            #expect(screen.receive(end) == [.quit])
        }
    }

    @Test("An action on several accounts is taken back in each, and what cannot be is said with its name")
    func severalAccounts() {
        var screen = TestScreen(columns: 120, rows: 10)
        let accounts = ["home", "work"].map { AccountState.reported($0, unread: 1, capabilities: [.archive]) }
        let list = accounts.map { account in
            var notification = NotificationRecord()
            (notification.id, notification.account) = (account.name, account.name)
            return notification
        }
        _ = screen.receive(TestScreen.Contents(accounts: accounts, notifications: list, now: Self.now))
        #expect(
            Self.press("*a", on: &screen) == ["home", "work"].map { .send(.inbox(.archive([$0])), account: $0) }
        )
        #expect(Self.press("U", on: &screen) == ["work", "home"].map { .send(.undo, account: $0) })
        _ = screen.receive(Self.back("Archive", "work"))
        _ = screen.receive(.finished(.undo, account: "home", failure: "It was sent."))
        #expect(screen.lines(Self.plain).last == "work: 1 archived notification is back. home: It was sent.")
    }

    @Test("Marks choose several: a key acts on all of them, and the marks go") func marks() {
        var screen = Self.screen([.archive, .delete])
        #expect(Self.press("  ", on: &screen) == [] && screen.marked == ["1", "2"] && screen.selected == "3")
        #expect(screen.lines(Self.plain)[0].hasSuffix("2 marked · 3 of 320"))
        #expect(screen.lines(Self.plain)[1].hasPrefix(" ●* "))
        #expect(screen.lines(Self.plain).last?.contains("Escape remove marks") == true)
        #expect(Self.press("r", on: &screen) == [Self.work(.inbox(.markRead(["1", "2"])))] && screen.marked.isEmpty)
        #expect(Self.press("*", on: &screen) == [] && screen.marked.count == 4)
        #expect(screen.receive(.key(.escape)) == [] && screen.marked.isEmpty)
        _ = Self.press("*d", on: &screen)
        #expect(Self.shown(screen).isEmpty && screen.lines(Self.plain).last == "4 notifications deleted  U undo")
        #expect(Self.press("U", on: &screen) == [Self.work(.undo)])
        _ = screen.receive(Self.back("Delete", "1", "2", "3", "4"))
        _ = screen.receive(Self.contents(["1", "2", "3", "4"], capabilities: [.archive]))
        #expect(Self.shown(screen) == ["1", "2", "3", "4"])
        // A marked one that is gone is not acted on.
        _ = Self.press(" ", on: &screen)
        _ = screen.receive(Self.contents(["2", "3", "4"], capabilities: [.archive]))
        #expect(screen.marked.isEmpty)
    }

    @Test("All are marked as read at once where the agent can take it back; otherwise after a second press")
    func allRead() {
        var screen = Self.screen([])
        #expect(Self.press("A", on: &screen) == [Self.work(.inbox(.markAllRead))])
        #expect(screen.notifications.allSatisfy { $0.read != 0 })
        #expect(screen.lines(Self.plain)[0].hasPrefix("work [Inbox] "))
        #expect(screen.lines(Self.plain).last == "All marked as read  U undo")
        #expect(Self.press("U", on: &screen) == [Self.work(.undo)])
        _ = screen.receive(Self.back("MarkAllRead", "1", "2", "3", "4"))
        _ = screen.receive(Self.contents(["1", "2", "3", "4"], capabilities: []))
        #expect(screen.notifications.allSatisfy { $0.read == 0 })
        #expect(screen.lines(Self.plain).last == "4 notifications are unread again.")
        var more = Self.screen([], unread: 300)
        #expect(Self.press("A", on: &more) == [] && more.notifications.allSatisfy { $0.read == 0 })
        let question = "This cannot be taken back. Press the key again to mark all as read."
        #expect(more.lines(Self.plain).last == question)
        #expect(Self.press("jA", on: &more) == [] && more.lines(Self.plain).last == question, "after another key")
        #expect(Self.press("A", on: &more) == [Self.work(.inbox(.markAllRead))] && more.undoable.isEmpty)
        #expect(more.lines(Self.plain).last == "All marked as read")
    }

    @Test("A service that cannot do it is named at once, and the marks stay") func unsupported() {
        var screen = Self.screen([.archive])
        _ = Self.press(" d", on: &screen)
        #expect(screen.lines(Self.plain).last == "The account's service does not support this.")
        #expect(Self.shown(screen).count == 4 && screen.marked == ["1"])
    }

    @Test("All marks are those of all that the agent has loaded") func marksOfAll() {
        var screen = TestScreen(account: "work", columns: 80, rows: 10)
        let ids = (1...3_000).map { "\($0)" }
        let contents = Self.contents(ids, capabilities: [])
        _ = screen.receive(contents)
        #expect(screen.notifications.count == 50)
        #expect(Self.press("*", on: &screen) == [] && screen.requests.map(\.part) == [.loaded(limit: nil)])
        _ = screen.receive(contents)
        #expect(screen.marked.count == 3_000)
    }
}
