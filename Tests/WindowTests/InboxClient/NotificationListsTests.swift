import DBus
import Testing

@testable import AgentInterface

/// The list of the window and of `feedbell inbox`. What they show of it is tested there.
@Suite struct NotificationListsTests {
    private static func records(_ numbers: ClosedRange<Int>) -> [NotificationRecord] {
        numbers.map { number in
            var record = NotificationRecord()
            (record.id, record.account, record.created) = ("\(number)", "work", Int64(1_000_000 - number))
            return record
        }
    }

    private static func row(_ number: Int) -> RowID { RowID(account: "work", id: "\(number)") }

    /// What the agent has loaded is listed.
    private static func lists(_ loaded: [NotificationRecord]) -> NotificationLists {
        var lists = NotificationLists()
        let requests = lists.show(InboxQuery(), of: ["work"])
        lists.finish(requests[0], .notifications(loaded, problem: ""))
        _ = lists.update()
        return lists
    }

    @Test("What the agent has loaded is listed at once, and the rest of the first page as soon as the service has it")
    func start() {
        var lists = NotificationLists()
        #expect(lists.show(InboxQuery(), of: ["work"]).map(\.part) == [.start] && lists.isLoading)
        lists = Self.lists(Self.records(1...3))
        #expect(lists.rows.count == 3 && !lists.isLoading && !lists.hasAll)
        let rest = lists.catchUps()
        #expect(rest.map(\.part) == [.page(offset: 3)] && lists.catchUps() == [])
        lists.finish(rest[0], .notifications(Self.records(3...5), problem: ""))
        _ = lists.update()
        #expect(lists.rows.count == 5 && lists.hasAll && lists.catchUps() == [])
        // Nothing is loaded yet, as in the archive.
        lists = Self.lists([])
        #expect(lists.isLoading)
        let page = lists.catchUps()
        #expect(page.map(\.part) == [.page(offset: 0)])
        lists.finish(page[0], .notifications([], problem: ""))
        #expect(!lists.isLoading && lists.hasAll && lists.catchUps() == [])
    }

    @Test("A hidden row comes back with the agent's reply to a request after its action, and not before") func hidden()
    {
        var lists = Self.lists(Self.records(1...60))
        lists.hide([Self.row(1), Self.row(2)])
        // A change that was reported before the action has ended.
        lists.invalidate(["1"], of: "work")
        let early = lists.refreshes()
        lists.refresh([Self.row(1), Self.row(2)])
        lists.finish(early[0], .notifications(Self.records(1...1), problem: ""))
        _ = lists.update()
        #expect(lists.rows.first == Self.row(3))
        let late = lists.refreshes()
        lists.finish(late[0], .notifications(Self.records(2...2), problem: ""))
        _ = lists.update()
        #expect(lists.rows.first == Self.row(2), "the other one is gone")
        lists.hide([Self.row(2)])
        lists.refresh([Self.row(2)])
        lists.finish(lists.refreshes()[0], .failed("It does not answer."))
        _ = lists.update()
        #expect(lists.rows.first == Self.row(2) && lists.hidden.isEmpty)
    }

    @Test("A row that comes back among others of the same millisecond has the agent's order") func ties() {
        var records = Self.records(1...3)
        for index in records.indices { records[index].created = 7 }
        var lists = Self.lists(records.reversed())
        lists.hide([Self.row(2)])
        lists.refresh([Self.row(2)])
        lists.finish(lists.refreshes()[0], .notifications([], problem: ""))
        lists.unhide([Self.row(2)])
        lists.finish(lists.refreshes()[0], .notifications([records[1]], problem: ""))
        _ = lists.update()
        #expect(lists.rows == [Self.row(3), Self.row(2), Self.row(1)])
    }

    @Test(
        "A pinned notification that is read moves below the last page, and the next page leaves nothing out",
        arguments: [true, false]
    ) func readBelowLastPage(isByUser: Bool) {
        var records = Self.records(1...99)
        records[59].isPinned = true
        var lists = Self.lists([records[59]] + records[0..<49])
        records[59].read = 1
        if isByUser {
            lists.change([Self.row(60)]) { $0.read = 1 }
        } else {
            lists.invalidate(["60"], of: "work")
            lists.finish(lists.refreshes()[0], .notifications([records[59]], problem: ""))
        }
        _ = lists.update()
        #expect(lists.rows == (1...49).map(Self.row) + [Self.row(60)])
        let page = lists.nextPages()
        #expect(page.map(\.part) == [.page(offset: 49)])
        lists.finish(page[0], .notifications(Array(records[48...]), problem: ""))
        _ = lists.update()
        #expect(lists.rows == (1...99).map(Self.row))
    }

    @Test("Notifications that are removed while a page is loaded leave no gap", arguments: [19, 60])
    func removedWhileLoading(count: Int) {
        var lists = Self.lists(Self.records(1...20))
        let page = lists.catchUps()
        #expect(page.map(\.part) == [.page(offset: 20)])
        // The first two were archived: the agent's page begins with the 22nd, or nothing is there.
        let left = Self.records(3...count + 2)
        let options = page[0].options
        let reply = left.dropFirst(Int(options.offset)).prefix(Int(options.limit ?? 0))
        lists.finish(page[0], .notifications(Array(reply), problem: ""))
        let again = lists.catchUps()
        #expect(again.map(\.part) == [.first(50)] && lists.catchUps() == [])
        var failing = lists
        failing.finish(again[0], .failed("It does not answer."))
        #expect(failing.catchUps() == [], "it is not requested again without an end")
        lists.finish(again[0], .notifications(Array(left.prefix(50)), problem: ""))
        _ = lists.update()
        #expect(lists.rows == left.prefix(50).map { RowID($0) } && lists.hasAll == (count < 50))
        #expect(lists.catchUps() == [])
    }

    @Test("A notification that arrives while a pinned one is read is listed") func newBesideRead() {
        var records = Self.records(1...2)
        records[1].isPinned = true
        var lists = Self.lists([records[1]])
        records[1].read = 1
        lists.invalidate(["1", "2"], of: "work")
        lists.finish(lists.refreshes()[0], .notifications(records, problem: ""))
        let page = lists.catchUps()
        #expect(page.map(\.part) == [.page(offset: 0)])
        lists.finish(page[0], .notifications(records, problem: ""))
        _ = lists.update()
        #expect(lists.rows == [Self.row(1), Self.row(2)])
    }

    @Test("A list of one notification takes no other") func single() {
        var query = InboxQuery()
        query.id = "2"
        var lists = NotificationLists()
        let requests = lists.show(query, of: ["work"])
        #expect(requests.map(\.part) == [.all] && requests[0].options.ids == ["2"])
        lists.finish(requests[0], .notifications(Self.records(2...2), problem: ""))
        lists.invalidate(["1"], of: "work")
        #expect(lists.refreshes() == [])
        lists.invalidate(["1", "2"], of: "work")
        #expect(lists.refreshes().map(\.part) == [.these(["2"])])
    }

    @Test("A long list is listed again as a whole, so that no row loses its place") func reload() {
        var lists = Self.lists(Self.records(1...50))
        #expect(lists.reloadAll().map(\.part) == [.first(50)])
        lists = Self.lists(Self.records(1...50))
        let rest = lists.loadedRests()
        #expect(rest.map(\.part) == [.loaded(limit: nil)])
        lists.finish(rest[0], .notifications(Self.records(1...3_000), problem: ""))
        #expect(lists.reloadAll().map(\.part) == [.loaded(limit: nil)] && !lists.hasAll)
    }

    @Test("A listed notification has its topic, which the menu needs, and not what nothing shows") func record() {
        let record = NotificationRecord(listed: [
            "id": .string("1"), "topic": .string("news"), "tags": Value(["a"]), "read": .int64(0),
        ])
        #expect(record.id == "1" && record.topic == "news")
        #expect(record.values["tags"] == nil && record.values["read"] == nil)
    }
}
