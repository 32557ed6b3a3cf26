import AgentInterface
import DBus
import Testing

@testable import Window

/// What the agent takes back for the window.
@Suite struct InboxUndoTests {
    private typealias Fixture = PageFixture
    private static let three = (1...3).map { Fixture.notification("\($0)", age: Int64($0)) }

    private static func page(_ list: [NotificationRecord] = three, unread: Int = 0) -> PageFixture {
        PageFixture([Fixture.account("work", unread: unread)], [list])
    }

    private static func toast(_ number: Int, _ text: String) -> InboxPage.Effect {
        .show(InboxPage.Toast(number: number, text: text, button: "Undo"))
    }

    private static func back(_ action: String, _ ids: String..., of account: String = "work") -> InboxPage.Event {
        .tookBack(account: account, .back(Undone(account: account, action: action, ids: ids)))
    }

    @Test("What is archived is hidden and sent at once, and its toast offers to take it back") func archive() {
        var page = Self.page()
        _ = page.send(.select([Fixture.row("2")]))
        let request = InboxRequest("work", .archive(["2"]))
        #expect(
            page.send(.key(.character("e"))) == [.send(request), Self.toast(1, "1 notification archived")]
        )
        #expect(page.titles == ["Nr 1", "Nr 3"])
        #expect(page.page.selection == [Fixture.row("3")], "the one that took its place")
        // The agent's list decides what is shown after the reply.
        let again = page.request("work", .these(["2"]))
        #expect(page.send(.finished(request, failure: nil)) == [.list(again)])
        _ = page.send(.listed(again, .notifications([], problem: "")))
        #expect(page.titles == ["Nr 1", "Nr 3"])
        #expect(page.send(.closing) == [.quit])
    }

    @Test("Undo waits for the reply, and selects what is back") func undo() {
        var page = Self.page()
        _ = page.send(.select([Fixture.row("2")]))
        _ = page.send(.key(.delete))
        #expect(page.send(.key(.control("z"))) == [.hideToast(1)], "the agent may not know of it yet")
        let request = InboxRequest("work", .delete(["2"]))
        #expect(page.send(.finished(request, failure: nil)).contains(.undo(account: "work")))
        _ = page.send(.listed(page.request("work", .these(["2"])), .notifications([], problem: "")))
        #expect(page.titles == ["Nr 1", "Nr 3"])
        let again = page.request("work", .these(["2"]))
        #expect(page.send(Self.back("Delete", "2")) == [.list(again)])
        let listed = page.send(.listed(again, .notifications([Self.three[1]], problem: "")))
        #expect(listed.contains(.scroll(to: Fixture.row("2"))))
        #expect(page.page.selection == [Fixture.row("2")] && page.titles == ["Nr 1", "Nr 2", "Nr 3"])
        #expect(page.send(.key(.control("z"))) == [], "once")
    }

    @Test("A toast replaces the one before, which can no longer be pressed") func second() {
        var page = Self.page()
        _ = page.send(.select([Fixture.row("1")]))
        _ = page.send(.key(.character("e")))
        _ = page.send(.select([Fixture.row("2")]))
        let second = page.send(.key(.character("e")))
        #expect(second.first == .hideToast(1) && second.last == Self.toast(2, "1 notification archived"))
        #expect(page.send(.undo(1)) == [])
    }

    @Test("An action that fails is not offered to be taken back") func failure() {
        var page = Self.page()
        _ = page.send(.select([Fixture.row("2")]))
        _ = page.send(.key(.character("e")))
        let effects = page.send(.finished(InboxRequest("work", .archive(["2"])), failure: "It is offline."))
        #expect(effects.contains(.hideToast(1)))
        #expect(effects.contains(.show(InboxPage.Toast(number: 2, text: "It is offline."))))
        #expect(page.send(.key(.control("z"))) == [] && page.titles == ["Nr 1", "Nr 2", "Nr 3"])
    }

    @Test("What came back is said if it is not what was shown, with the account among several") func others() {
        var page = PageFixture(
            [Fixture.account("work"), Fixture.account("home")],
            [Self.three, [Fixture.notification("4", of: "home", age: 9)]]
        )
        _ = page.send(.key(.control("a")))
        let requests = [InboxRequest("work", .archive(["1", "2", "3"])), InboxRequest("home", .archive(["4"]))]
        #expect(Array(page.send(.key(.character("e"))).prefix(2)) == requests.map { .send($0) })
        for request in requests { _ = page.send(.finished(request, failure: nil)) }
        #expect(page.send(.undo(1)) == [.hideToast(1), .undo(account: "work"), .undo(account: "home")])
        _ = page.send(Self.back("Archive", "1", "2", "3"))
        let effects = page.send(.tookBack(account: "home", .failed("It was sent.")))
        let text = "work: 3 archived notifications are back. home: It was sent."
        #expect(effects.contains(.show(InboxPage.Toast(number: 2, text: text))))
    }

    @Test(
        "Where a click archives, the row is hidden at once, and its toast offers to take it back",
        arguments: [InboxPage.Event.click(Fixture.row("1")), .press(Fixture.row("1"), link: "buy")]
    ) func archivedByClick(_ event: InboxPage.Event) {
        let account = Fixture.account("work", capabilities: ["archive", "archive-on-click"])
        var page = PageFixture([account], [Self.three])
        let effects = page.send(event)
        guard effects.count == 2, case .send(let request) = effects[0] else {
            Issue.record("\(effects)")
            return
        }
        #expect(request.call.ids == ["1"] && effects[1] == Self.toast(1, "1 notification archived"))
        #expect(page.titles == ["Nr 2", "Nr 3"])
        // Its address could not be opened: nothing was marked.
        let failed = page.send(.finished(request, failure: "Its link is not a valid address."))
        #expect(failed.contains(.hideToast(1)) && page.titles == ["Nr 1", "Nr 2", "Nr 3"])
    }

    @Test("What has no address is not archived by a click") func withoutAddress() {
        let plain = Fixture.notification("1") {
            ($0.url, $0.actions) = ("", [["id": .string("later"), "label": .string("Later")]])
        }
        for event in [InboxPage.Event.click(Fixture.row("1")), .press(Fixture.row("1"), link: "later")] {
            var page = PageFixture([Fixture.account("work", capabilities: ["archive", "archive-on-click"])], [[plain]])
            _ = page.send(event)
            #expect(page.titles == ["Nr 1"])
        }
    }

    @Test("All that is read is archived in one step, also what is not listed yet, and asked for in parts of 1,000")
    func archiveRead() {
        var page = PageFixture(
            [Fixture.account("work"), Fixture.account("home"), Fixture.account("old", capabilities: [])],
            [Self.three + [Fixture.notification("4", age: 4, isRead: true)], [], []]
        )
        let requests = ["work", "home"].map { page.request($0, .first(Int(UInt32.max))) }
        #expect(page.send(.act(.archiveRead)) == requests.map { .listAside($0) })
        #expect(page.send(.act(.archiveRead)) == [], "once")
        let old = (4..<1_204).map { Fixture.notification("\($0)", age: Int64($0), isRead: true) }
        #expect(page.send(.listedAside(requests[0], .notifications(Self.three + old, problem: ""))) == [])
        let effects = page.send(.listedAside(requests[1], .failed("It is offline.")))
        let calls = effects.compactMap { if case .send(let request) = $0 { request } else { nil } }
        #expect(calls.map(\.call.ids.count) == [1_000, 200] && calls.allSatisfy { $0.account == "work" })
        #expect(effects.last == Self.toast(1, "1200 notifications archived"))
        #expect(page.titles == ["Nr 1", "Nr 2", "Nr 3"])
    }

    @Test(
        "If nothing is read, or cannot be listed, a sentence says so",
        arguments: [
            (ListReply.notifications(three, problem: ""), "Nothing is read."),
            (.failed("It is offline."), "It is offline."),
        ]
    ) func nothingRead(_ reply: ListReply, _ text: String) {
        var page = Self.page()
        _ = page.send(.act(.archiveRead))
        let request = page.request("work", .first(Int(UInt32.max)))
        #expect(page.send(.listedAside(request, reply)) == [.show(InboxPage.Toast(number: 1, text: text))])
    }

    @Test("A snooze is offered to be taken back") func snooze() {
        var page = Self.page()
        #expect(page.send(.key(.character("z"))) == [], "nothing is selected")
        _ = page.send(.select([Fixture.row("1")]))
        let effects = page.send(.key(.character("z")))
        #expect(effects.first == .send(InboxRequest("work", .snooze(["1"], until: Fixture.now + 3_600_000))))
        guard case .show(let toast) = effects.last else {
            Issue.record("There is no toast.")
            return
        }
        #expect(toast.text.hasPrefix("Snoozed until ") && toast.button == "Undo")
    }

    @Test("A snooze may end at any time") func anyTime() {
        var page = Self.page()
        _ = page.send(.select([Fixture.row("1")]))
        #expect(page.send(.key(.character("Z"))) == [.askSnoozeTime([Fixture.row("1")])])
        let two = Fixture.now + 7_200_000
        let effects = page.send(.snooze([Fixture.row("1")], until: two))
        #expect(effects.first == .send(InboxRequest("work", .snooze(["1"], until: two))))
    }

    @Test(
        "Marking all as read asks before only where the agent cannot take it back, and offers to archive them",
        arguments: [(3, 3, false), (3, 5, true), (51, 51, true), (50, 50, false)]
    )
    func markAllRead(listed: Int, unread: Int, asks: Bool) {
        let list = (1...listed).map { Fixture.notification("\($0)", age: Int64($0)) }
        var page = Self.page(list, unread: unread)
        let request = InboxPage.Effect.send(InboxRequest("work", .markAllRead))
        let effects = page.send(.key(.character("A")))
        let archive = listed == 3 ? "Archive 3 Read Ones" : "Archive All Read"
        let toast = InboxPage.Toast(number: 1, text: "All marked as read", button: "Undo", archiveLabel: archive)
        #expect(effects == (asks ? [.ask(.markAllRead)] : [request, .show(toast)]))
        guard asks else { return }
        #expect(page.send(.answered(.markAllRead, isYes: false)) == [])
        #expect(page.send(.answered(.markAllRead, isYes: true)) == [request])
    }

    @Test("An inbox that was emptied says that all is done, and one that was empty that there is nothing") func done() {
        #expect(Self.page([]).notice?.title == "No Notifications")
        var page = Self.page()
        _ = page.send(.act(.selectAll))
        _ = page.send(.act(.archive))
        #expect(page.notice?.title == "You Are Done")
    }

    @Test("All are shown as read at once, and a request that takes longer than a second shows") func longWork() {
        var page = PageFixture([Fixture.account("work", unread: 3)], [Self.three])
        let effects = page.page.receive(.act(.markAllRead), now: page.now)
        #expect(effects.contains(.watchWork(1)))
        #expect(page.page.unread == 0 && page.page.rows.allSatisfy { page.page.row($0)?.isUnread == false })
        #expect(!page.page.isWorking)
        _ = page.send(.workIsLong(1))
        #expect(page.page.isWorking)
        let request = InboxRequest("work", .markAllRead)
        let again = page.request("work", .first(ListRequest.pageSize))
        #expect(page.send(.finished(request, failure: "It is offline.")).contains(.list(again)))
        #expect(!page.page.isWorking && page.page.unread == 3)
        _ = page.send(.listed(again, .notifications(Self.three, problem: "")))
        _ = page.send(.act(.markAllRead))
        _ = page.send(.workIsLong(1))
        #expect(!page.page.isWorking, "the second is of other work")
    }
}
