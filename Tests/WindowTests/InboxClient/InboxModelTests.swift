import Testing

@testable import AgentInterface

/// What the window and `feedbell inbox` do alike. What they show of it is tested there.
@Suite struct InboxModelTests {
    private typealias Fixture = PageFixture

    private enum Effect: InboxEffect, Equatable {
        case send(InboxRequest)
        case watchRows
        case runClock(number: Int, milliseconds: Int64)
    }

    private static let reset = Effect.send(InboxRequest("work", .resetBadge))

    private static func seen(_ id: String, of account: String = "work") -> Effect {
        .send(InboxRequest(account, .markSeen([id])))
    }

    /// An inbox with a list of each account.
    private static func inbox(_ accounts: [AccountState], _ lists: [[NotificationRecord]]) -> InboxModel {
        var inbox = InboxModel()
        for (request, list) in zip(inbox.accountsAre(accounts), lists) {
            inbox.listed(request, .notifications(list, problem: ""))
        }
        return inbox
    }

    private static func shows(
        _ ids: [String],
        of account: String = "work",
        in inbox: inout InboxModel,
        isOpen: Bool = true,
        after milliseconds: Int64 = 0
    ) -> [Effect] {
        let rows = ids.map { Fixture.row($0, of: account) }
        return inbox.shows(rows, timedRows: rows, changes: [], isOpen: isOpen, now: Fixture.now + milliseconds)
    }

    @Test("Rows that are on the screen for a second are seen, once; those that follow have a second of their own")
    func seen() {
        let list = (1...5).map { id in Fixture.notification("\(id)") { $0.seen = id == 5 ? 1 : 0 } }
        var inbox = Self.inbox([Fixture.account("work")], [list])
        #expect(Self.shows(["1", "2"], in: &inbox) == [.watchRows])
        #expect(Self.shows(["2", "3", "5"], in: &inbox) == [])
        #expect(inbox.secondPassed() == [Self.seen("2")], "1 has left, 3 is new")
        #expect(Self.shows(["2", "3"], in: &inbox) == [.watchRows])
        #expect(inbox.secondPassed() == [Self.seen("3")])
        #expect(Self.shows(["2", "3", "5"], in: &inbox) == [])
        inbox.lists.hide([Fixture.row("4")])
        #expect(Self.shows(["4"], in: &inbox) == [])
    }

    @Test("Nothing is seen that the user has not looked at for the whole second") func interrupted() {
        var inbox = Self.inbox([Fixture.account("work")], [[Fixture.notification("1")]])
        _ = Self.shows(["1"], in: &inbox)
        inbox.interrupt()
        #expect(Self.shows(["1"], in: &inbox) == [])
        #expect(inbox.secondPassed() == [Effect]() && Self.shows(["1"], in: &inbox) == [.watchRows])
    }

    @Test("Each account gets its own calls, and none that its service does not have") func severalAccounts() {
        let accounts = [
            Fixture.account("a", badge: 1), Fixture.account("b", capabilities: ["server-badge"], badge: 2),
            Fixture.account("c", capabilities: ["seen"], badge: 3),
        ]
        var inbox = Self.inbox(accounts, accounts.map { [Fixture.notification("1", of: $0.name)] })
        let rows = accounts.map { Fixture.row("1", of: $0.name) }
        let resets = ["a", "b"].map { Effect.send(InboxRequest($0, .resetBadge)) }
        #expect(inbox.shows(rows, timedRows: [], changes: [], now: Fixture.now) == resets + [.watchRows])
        #expect(inbox.secondPassed() == ["a", "c"].map { Self.seen("1", of: $0) })
    }

    @Test("The first list restarts the badge, once its number is known, and again when the inbox is opened again")
    func badge() {
        var inbox = Self.inbox([Fixture.account("work", badge: 2)], [])
        #expect(Self.shows([], in: &inbox) == [], "it is not listed")
        inbox = Self.inbox([Fixture.account("work", badge: 2, isCounted: false)], [[]])
        #expect(Self.shows([], in: &inbox) == [])
        _ = inbox.accountsAre([Fixture.account("work", badge: 2)])
        #expect(Self.shows([], in: &inbox, isOpen: false) == [])
        #expect(Self.shows([], in: &inbox) == [Self.reset] && Self.shows([], in: &inbox) == [])
        inbox.open()
        #expect(Self.shows([], in: &inbox) == [Self.reset])
        _ = inbox.accountsAre([Fixture.account("work")])
        inbox.open()
        #expect(Self.shows([], in: &inbox) == [], "it is 0 already")
    }

    @Test("At the end of a countdown the notification is requested again, once") func countdown() {
        let record = Fixture.notification("1") {
            ($0.expires, $0.isExpiryVisible, $0.seen) = (Fixture.now + 1500, true, 1)
        }
        var inbox = Self.inbox([Fixture.account("work")], [[record]])
        #expect(Self.shows(["1"], in: &inbox) == [.runClock(number: 1, milliseconds: 500)])
        inbox.clockPassed(1, now: Fixture.now + 500)
        #expect(inbox.lists.refreshes() == [])
        #expect(Self.shows(["1"], in: &inbox, after: 500) == [.runClock(number: 2, milliseconds: 1000)])
        inbox.clockPassed(1, now: Fixture.now + 1500)
        #expect(inbox.lists.refreshes() == [], "it is the old one")
        inbox.clockPassed(2, now: Fixture.now + 1500)
        #expect(inbox.lists.refreshes().map(\.part) == [.these(["1"])])
        #expect(Self.shows(["1"], in: &inbox, after: 1500) == [])
    }

    @Test("Rows are one request for each account, with at most a thousand ids") func requests() {
        let inbox = Self.inbox([Fixture.account("a"), Fixture.account("b"), Fixture.account("c")], [])
        let rows = [Fixture.row("1", of: "b")] + (1...1_200).map { Fixture.row("\($0)", of: "a") }
        let requests = inbox.requests(for: rows) { .markRead($0) }
        #expect(requests.map(\.account) == ["a", "a", "b"] && requests.map(\.call.ids.count) == [1_000, 200, 1])
    }

    @Test("The categories of all that was listed can be chosen, up to a number") func categories() {
        let list = (1...150).map { id in Fixture.notification("\(id)") { $0.category = id == 1 ? "" : "c\(id)" } }
        var inbox = Self.inbox([Fixture.account("work")], [Array(list.prefix(3))])
        #expect(inbox.categories == ["c2", "c3"])
        let request = inbox.show(InboxQuery(account: "work"))[0]
        inbox.listed(request, .notifications(list, problem: ""))
        #expect(inbox.categories.count == 100 && inbox.categories.isSuperset(of: ["c2", "c3"]))
    }
}
