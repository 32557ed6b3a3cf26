import AgentInterface
import InboxPresentation
import Testing

@testable import feedbell

/// A list that has everything, as after "G": changes of notifications load none of the others again.
@Suite struct InboxScreenRowsTests {
    private static let now: Int64 = 1_763_726_400_000
    private static let usual = InboxScreen.Place(account: "work")
    private static let whole: InboxScreen.Place = {
        var place = usual
        place.limit = nil
        return place
    }()

    /// - Parameter number: The larger, the newer.
    private static func notification(_ number: Int, read: Int64 = 0) -> NotificationRecord {
        var notification = NotificationRecord()
        (notification.id, notification.title, notification.account) = ("n\(number)", "Nr \(number)", "work")
        (notification.created, notification.read) = (now + Int64(number), read)
        return notification
    }

    private static func contents(_ list: [NotificationRecord]?, in place: InboxScreen.Place = whole)
        -> InboxScreen.Event
    {
        let accounts = [AccountState.reported("work", unread: 0, capabilities: [.archive, .unarchive, .delete])]
        return .loaded(.init(accounts: accounts, place: place, notifications: list, now: now))
    }

    /// After "G", with 1,000 notifications, of which the last one is selected.
    private static func screen() -> InboxScreen {
        let list = (1...1000).reversed().map { notification($0) }
        var screen = InboxScreen(account: "work", columns: 40, rows: 10)
        _ = screen.receive(contents(Array(list.prefix(InboxScreen.Place.defaultLimit)), in: usual))
        _ = screen.receive(.key(.character("G")))
        _ = screen.receive(contents(list))
        return screen
    }

    private func ids(_ screen: InboxScreen) -> [String] { screen.loaded.map(\.id) }

    @Test("A new, a changed and a removed notification change the list without loading it") func rows() {
        var screen = Self.screen()
        #expect(screen.selected == "n1")
        var snoozed = Self.notification(7)
        snoozed.snoozed = Self.now
        let changes: [InboxScreen.RowChange] = [
            .added(Self.notification(1001)), .changed(Self.notification(1000, read: Self.now)), .removed(id: "n999"),
            .changed(snoozed), .changed(Self.notification(5000)),
        ]
        #expect(screen.receive(.changed(changes)) == [.loadAccounts(Self.whole)])
        #expect(ids(screen).prefix(3) == ["n1001", "n1000", "n998"] && screen.loaded.count == 999)
        #expect(screen.notifications[1].read == Self.now && !ids(screen).contains("n7"))
        #expect(screen.selected == "n1")
        _ = screen.receive(Self.contents(nil))
        #expect(screen.loaded.count == 999, "only accounts were loaded")
    }

    @Test("What another client lists beyond the end, or of another account, is not added") func others() {
        var screen = Self.screen()
        var other = Self.notification(1001)
        other.account = "home"
        _ = screen.receive(.changed([.added(Self.notification(0)), .added(other)]))
        #expect(screen.loaded.count == 1000)
    }

    @Test("A pinned notification moves to its place") func moved() {
        var screen = Self.screen()
        var pinned = Self.notification(500)
        pinned.isPinned = true
        _ = screen.receive(.changed([.changed(pinned)]))
        #expect(ids(screen).first == "n500" && screen.loaded.count == 1000)
        pinned.read = Self.now
        _ = screen.receive(.changed([.changed(pinned)]))
        #expect(ids(screen)[500] == "n500" && screen.loaded.count == 1000)
    }

    @Test("After an action, only the accounts are loaded, and what it removed is gone") func actions() {
        var screen = Self.screen()
        let archive = InboxScreen.Request.inbox(.archive(["n1"]))
        #expect(screen.receive(.key(.character("a"))) == [.perform(archive, account: "work")])
        #expect(
            screen.receive(.finished(archive, account: "work", failure: nil)) == [.loadAccounts(Self.whole)]
        )
        _ = screen.receive(Self.contents(nil))
        #expect(screen.selected == "n2" && screen.loaded.count == 999)
        let readAll = InboxScreen.Request.inbox(.markAllRead)
        #expect(screen.receive(.finished(readAll, account: "work", failure: nil)) == [.loadAccounts(Self.whole)])
        #expect(screen.loaded.allSatisfy { $0.read != 0 })
    }

    @Test("A list with a filter, or one that is cut, is loaded again") func lists() {
        var cut = InboxScreen(account: "work", columns: 40, rows: 10)
        _ = cut.receive(Self.contents([Self.notification(1)], in: Self.usual))
        #expect(cut.receive(.changed([.removed(id: "n1")])) == [.load(Self.usual)])
        var screen = Self.screen()
        #expect(screen.receive(.changed()) == [.load(Self.whole)])
        _ = screen.receive(.key(.character("n")))
        #expect(screen.receive(.changed([.removed(id: "n1")])) == [.load(screen.place)])
    }

    @Test("A change while a list is being loaded leads to one more list") func queue() {
        var queue = LoadQueue()
        let accounts = LoadQueue.Load(place: Self.whole, hasList: false)
        let list = LoadQueue.Load(place: Self.whole)
        #expect(queue.add(accounts) == accounts)
        #expect(queue.add(accounts) == nil && queue.ended() == accounts && queue.ended() == nil)
        #expect(queue.add(list) == list)
        #expect(queue.add(accounts) == nil && queue.ended() == list && queue.ended() == nil)
    }
}
