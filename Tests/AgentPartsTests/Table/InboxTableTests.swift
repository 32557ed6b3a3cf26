import Basics
import Inbox
import SeededRandom
import Testing

@testable import Agent

/// The table of an inbox in a database in memory.
@Suite struct InboxTableTests {
    private static let ci = InboxTab(id: "ci", label: "CI", predicate: InboxPredicate(tags: ["ci", "a\",\"b"]))

    // MARK: Lists

    @Test("What one list has loaded, every other one has") func oneAnswer() throws {
        var table = try InboxTable.opened(tabs: [Self.ci])
        let rows = (1...50).map { Notification.row($0, category: $0 % 2 == 0 ? "builds" : "news") }
        _ = try table.apply(InboxUpdate(changed: Array(rows.suffix(2)), counts: Counts(unread: 50), hasMore: true))
        try table.loadAll(of: .inbox, in: rows)
        #expect(try table.list(InboxPredicate(read: false), .init()).count == 50)
        #expect(try table.list(InboxPredicate(categories: ["builds"]), .init()).count == 25)
        #expect(try table.list(.inbox, .init(unread: true, category: "news")).count == 25)
        #expect(!table.hasMore(InboxPredicate(read: false)))
    }

    @Test("A view reaches further than the inbox, and leaves out what is not known to be there") func views() throws {
        var table = try InboxTable.opened()
        let rows = (1...30).map { Notification.row($0, category: $0 % 10 == 0 ? "a" : "b") }
        _ = try table.apply(InboxUpdate(changed: Array(rows.suffix(3)), hasMore: true))
        let view = InboxPredicate(categories: ["a"])
        try table.loadAll(of: view, in: rows)
        #expect(try table.ids(view) == ["n30", "n20", "n10"])
        #expect(try table.ids(.inbox) == ["n30", "n29", "n28"])
        let kept = try table.list(.inbox, .init(takesKept: true))
        #expect(kept.map(\.id.rawValue) == ["n30", "n29", "n28", "n20", "n10"])
        #expect(try table.ids(InboxPredicate(read: false)) == ["n30", "n29", "n28"])
        #expect(try table.connected() == [.unloaded("n10"), .unloaded("n20")])
    }

    @Test("Tags, categories and beginnings of ids are found whatever is in them") func filters() throws {
        var table = try InboxTable.opened(tabs: [Self.ci])
        var rows = [Notification.row(1, category: "a'b"), .row(2), .row(3), .row(4)]
        rows[0].tags = ["a\",\"b"]
        rows[1].tags = ["a", "b"]
        rows[2].tags = ["\u{301}x", "\u{1F}"]
        rows[3].tags = ["a\u{0}\u{1B}c", "\u{1A}\u{1B}"]
        _ = try table.apply(InboxUpdate(changed: rows))
        #expect(try table.ids(Self.ci.predicate) == ["n1"])
        #expect(try table.list(.inbox, .init(tag: "b")).map(\.id) == ["n2"])
        #expect(try table.list(.inbox, .init(tag: "\u{1F}")).map(\.tags) == [rows[2].tags])
        #expect(try table.list(.inbox, .init(tag: "a")).map(\.id) == ["n2"])
        #expect(try rows[3].tags.map { try table.list(.inbox, .init(tag: $0)) } == [[rows[3]], [rows[3]]])
        #expect(try table.list(.inbox, .init(tag: "\0")) == [])
        #expect(try table.list(.inbox, .init(category: "a'b")).map(\.id) == ["n1"])
        #expect(try table.list(.inbox, .init(ids: ["n", "n1"])).count == 4, "each once")
        #expect(try table.list(.inbox, .init(ids: ["n3", "n4x"])).map(\.id) == ["n3"])
        #expect(try table.list(.inbox, .init(limit: 2, offset: 1)).map(\.id) == ["n3", "n2"])
        #expect(try table.list(.inbox, .init(since: 2, before: 4)).map(\.id) == ["n3", "n2"])
    }

    @Test("A row keeps everything that the service says of it") func allFields() throws {
        var row = Notification.row(7, category: "c")
        (row.title, row.body, row.subtext, row.subtextURL) = ("t:1", "b\n2\u{0}ü", "s", "https://s.example")
        (row.url, row.avatar, row.avatarURL) = ("u", "a", "https://a.example")
        row.extra = "{\"x\":\"\(String(repeating: "\u{0}x", count: 50_000))\"}"
        (row.topic, row.tags, row.expires, row.isExpiryVisible) = ("top", ["a", "", "3:b"], 99, true)
        (row.isPinned, row.seen, row.read, row.interacted, row.sortTime) = (true, 3, 4, 5, 6)
        row.actions = [.init(id: "a", name: "", url: "u", isPrimary: true), .init(id: "", name: "n", url: "")]
        let storage = StateDatabase.ofInboxes()
        var table = try InboxTable.opened(storage)
        #expect(try table.apply(InboxUpdate(changed: [row])) == [.added(row)])
        #expect(try table.list(.inbox, .init()) == [row] && table["n7"] == row)
        #expect(try table.size(.inbox, .init()) > 100_000, "in bytes")
        #expect(try table.apply(InboxUpdate(changed: [row])) == [], "nothing has changed")
        row.isArchived = true
        #expect(try table.apply(InboxUpdate(changed: [row])) == [.removed("n7")])
        #expect(try table["n7"] == nil && InboxTable.opened(storage).known("n7") == row)
    }

    @Test("Pinned ones are on top until they are read or archived, for the user and for nobody else") func pins() throws
    {
        var table = try InboxTable.opened()
        var rows = (1...4).map { Notification.row($0) }
        rows[0].isPinned = true
        rows[1].isPinned = true
        rows[1].read = 9
        _ = try table.apply(InboxUpdate(changed: rows, hasMore: true))
        #expect(try table.ids(.inbox) == ["n1", "n4", "n3", "n2"])
        let differences = try table.change(adding: [.made(1, .read("n1"))])
        #expect(differences.count == 1)
        #expect(try table.ids(.inbox) == ["n4", "n3", "n2", "n1"])
        #expect(table.reach.inbox.end?.id == "n3", "the service's pages go on below its own order")
    }

    // MARK: Pages

    @Test("More notifications of one time than a page has are asked for twice at most, and named as a gap")
    func ties() throws {
        var table = try InboxTable.opened()
        var rows = (1...200).map { Notification.row($0) }
        for index in 20..<170 { rows[index].sortTime = 100 }
        for index in 170..<200 { rows[index].sortTime = Timestamp(milliseconds: Int64(index)) }
        let first = Array(rows.suffix(5))
        _ = try table.apply(InboxUpdate(changed: first, hasMore: true))
        let requests = try table.loadAll(of: .inbox, in: rows, limit: 100)
        #expect(requests < 12)
        #expect(table.hasGap(.inbox) && !table.hasMore(.inbox))
        let listed = try table.ids(.inbox)
        #expect(Set(listed).count == listed.count && listed.count >= 150)
        #expect(listed.last == "n1")
    }

    @Test("Pages that go on among notifications of one time, and do not repeat them, lose none") func pagesWithoutTies()
        throws
    {
        var table = try InboxTable.opened()
        var rows = (1...9).map { Notification.row($0) }
        for index in 1...7 { rows[index].sortTime = 5 }
        _ = try table.apply(InboxUpdate(changed: rows.suffix(1), hasMore: true))
        for page in [5..<8, 2..<5, 0..<2] {
            let request = try #require(try table.nextPage(of: .inbox))
            let page = ViewPage(rows[page].reversed(), hasMore: page.lowerBound > 0)
            #expect(try table.add(page, for: request).next == nil)
        }
        let ids = try table.ids(.inbox)
        #expect(ids == (1...9).reversed().map { "n\($0)" })
    }

    @Test("A page that goes on among notifications of one time removes what is kept of that time and was never listed")
    func missingTie() throws {
        var table = try InboxTable.opened()
        var rows = (1...9).map { Notification.row($0) }
        for index in 3...7 { rows[index].sortTime = 5 }
        _ = try table.apply(InboxUpdate(changed: rows, hasMore: false))
        // Meanwhile n7 and n4 are deleted.
        table.disconnected()
        let unloaded = [8, 7, 5, 4, 3, 2, 1].map { NotificationID("n\($0)") }
        _ = try table.apply(InboxUpdate(changed: [rows[8], rows[5]], unloaded: unloaded, hasMore: true))
        for page in [[7, 4], [2, 1, 0]] {
            let request = try #require(try table.nextPage(of: .inbox))
            let page = ViewPage(page.map { rows[$0] }, hasMore: page != [2, 1, 0])
            #expect(try table.add(page, for: request).next == nil)
        }
        #expect(try table.ids(.inbox) == ["n9", "n8", "n6", "n5", "n3", "n2", "n1"])
    }

    @Test("What happens after a page was requested is newer than the page") func overtakenPage() throws {
        var table = try InboxTable.opened()
        let rows = (1...9).map { Notification.row($0) }
        _ = try table.apply(InboxUpdate(changed: Array(rows.suffix(3)), hasMore: true))
        let request = try #require(try table.nextPage(of: .inbox))
        var read = rows[4]
        read.read = 50
        _ = try table.apply(changed: read)
        _ = try table.apply(InboxUpdate(removed: ["n4"], hasMore: true))
        _ = try table.change(adding: [.made(1, .read("n3"))])
        _ = try table.add(ViewPage(rows.reversed().dropFirst(3).map(\.self), hasMore: false), for: request)
        #expect(try table.ids(.inbox) == ["n9", "n8", "n7", "n6", "n5", "n3", "n2", "n1"])
        #expect(table["n5"]?.read == 50 && table["n3"]?.read != nil)
        #expect(table.reportedSinceRequest == nil, "what is reported from now on is not collected")
    }

    @Test("A page that belongs to an earlier connection is requested anew") func latePage() throws {
        var table = try InboxTable.opened()
        let rows = (1...9).map { Notification.row($0) }
        _ = try table.apply(InboxUpdate(changed: Array(rows.suffix(3)), hasMore: true))
        let request = try #require(try table.nextPage(of: .inbox))
        table.disconnected()
        _ = try table.connected()
        let result = try table.add(ViewPage(Array(rows.prefix(6)), hasMore: false), for: request)
        #expect(result.differences == [] && result.next?.place?.id == "n7")
    }

    // MARK: The newest part

    @Test("What is kept and not in the newest part is gone, and what is below stays until it is asked for")
    func restart() throws {
        let storage = StateDatabase.ofInboxes()
        var before = try InboxTable.opened(storage)
        let rows = (1...9).map { Notification.row($0) }
        _ = try before.apply(InboxUpdate(changed: rows, counts: Counts(unread: 9)))
        var table = try InboxTable.opened(storage)
        #expect(try table.ids(.inbox) == [])
        #expect(try table.restore(3).count == 3)
        let now = [rows[8], rows[6], rows[5]]
        let differences = try table.apply(InboxUpdate(changed: now, counts: Counts(unread: 8), hasMore: true))
        #expect(differences.contains(.removed("n8")) && differences.contains(.added(rows[5])))
        #expect(try table.ids(.inbox) == ["n9", "n7", "n6"])
        #expect(try table.list(.inbox, .init(takesKept: true)).count == 8)
    }

    @Test("If the newest part does not lead down to what was known, what is below is listed no longer")
    func gap() throws {
        var table = try InboxTable.opened()
        let rows = (1...9).map { Notification.row($0) }
        _ = try table.apply(InboxUpdate(changed: [rows[1], rows[2], rows[3]], hasMore: true))
        _ = try table.apply(InboxUpdate(changed: [rows[4]], unloaded: ["n2"], hasMore: true))
        #expect(try table.ids(.inbox) == ["n5", "n4", "n3", "n2"], "the part has moved, without a gap")
        let far = InboxUpdate(changed: [rows[7], rows[8]], unloaded: ["n3", "n4", "n5"], hasMore: true)
        #expect(try table.apply(far).contains(.unloaded("n5")))
        #expect(try table.ids(.inbox) == ["n9", "n8"])
    }

    // MARK: Failures and restarts

    @Test("A transaction that fails changes nothing, and the next one does") func failure() throws {
        var table = try InboxTable.opened(tabs: [Self.ci])
        _ = try table.apply(InboxUpdate(changed: [.row(1)], counts: Counts(unread: 1)))
        try table.database.execute("PRAGMA query_only = 1")
        #expect(throws: StoreError.self) {
            _ = try table.apply(InboxUpdate(changed: [.row(2)], counts: Counts(unread: 2)))
        }
        #expect(throws: StoreError.self) { _ = try table.change(adding: [.made(1, .read("n1"))]) }
        #expect(try table.ids(.inbox) == ["n1"] && table.shownCounts().unread == 1)
        try table.database.execute("PRAGMA query_only = 0")
        let both = InboxUpdate(changed: [.row(2)], counts: Counts(unread: 2))
        #expect(try table.apply(both) == [.added(.row(2))])
        _ = try table.change(adding: [.made(1, .read("n1"))])
        #expect(try table.shownCounts().unread == 1)
    }
}
