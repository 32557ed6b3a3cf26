import Basics
import Inbox
import Testing

@testable import Agent

/// What the lists of an inbox have, and its counts.
@Suite struct InboxTableListTests {
    @Test(
        "A filter selects by state, category, tag and time, then by offset and limit",
        arguments: [
            (NotificationFilter(), [4, 2, 1]), (.init(limit: 2), [4, 2]), (.init(limit: 2, offset: 2), [1]),
            (.init(unread: true), [1]), (.init(unread: false), [4, 2]), (.init(archived: true, takesKept: true), [3]),
            (.init(archived: true), []), (.init(tag: "x"), [2]), (.init(since: 2), [4, 2]), (.init(before: 4), [2, 1]),
            (.init(limit: 1, offset: 1, category: "b"), [2]), (.init(limit: 0), []), (.init(offset: 99), []),
            (.init(ids: []), []), (.init(ids: ["n4", "n2"]), [4, 2]), (.init(offset: 1, ids: ["n", ""]), [2, 1]),
            (.init(snoozed: true), [1]), (.init(snoozed: false), [4, 2]),
        ] as [(NotificationFilter, [Int])]
    )
    func filters(filter: NotificationFilter, expected: [Int]) throws {
        var table = try InboxTable.opened()
        var rows = [Notification.row(1), .row(2, category: "b"), .row(3), .row(4, category: "b")]
        (rows[1].read, rows[1].tags, rows[2].isArchived, rows[3].read) = (1, ["x"], true, 1)
        _ = try table.apply(InboxUpdate(changed: rows))
        _ = try table.snooze(["n1": .init(until: 99, wasRead: false)])
        let view = try #require(InboxPredicate.inbox.narrowed(by: filter))
        #expect(try table.list(view, filter).map(\.id) == expected.map { NotificationID("n\($0)") })
    }

    @Test("A long list is read in parts, from any place to any limit") func parts() throws {
        var table = try InboxTable.opened()
        var rows = (1...250).map { Notification.row($0) }
        for index in rows.indices {
            rows[index].sortTime = Timestamp(milliseconds: Int64(index / 3))
            rows[index].isPinned = index % 2 == 0
        }
        _ = try table.apply(InboxUpdate(changed: rows))
        let all = rows.sorted { SortKey(of: $0) < SortKey(of: $1) }
        #expect(try table.list(.inbox, .init()) == all)
        for (limit, offset) in [(nil, 120), (110, 95), (1, 249), (100, 100), (250, 0), (5, 250)] as [(Int?, Int)] {
            let part = try table.list(.inbox, .init(limit: limit, offset: offset))
            #expect(part == Array(all.dropFirst(offset).prefix(limit ?? .max)))
        }
        var first: [Notification] = []
        try table.forEach(.inbox, .init()) { notification in
            first.append(notification)
            return first.count < 101
        }
        #expect(first == Array(all.prefix(101)))
        #expect(try table.count(.inbox, .init(limit: 1), atMost: 200) == 200)
        #expect(try table.size(.inbox, .init(offset: 249)) < table.size(.inbox, .init(offset: 248)))
    }

    @Test("Ids are found by the bytes that they begin with, however many, and in their inbox only") func ids() throws {
        let storage = StateDatabase.ofInboxes()
        func report(_ ids: [String], to owner: String) throws -> InboxTable {
            var table = try InboxTable.opened(storage, of: owner)
            let rows = ids.map { Notification(id: NotificationID($0), created: 1) }
            _ = try table.apply(InboxUpdate(changed: rows))
            return table
        }
        _ = try report(["a1b"], to: "b")
        let table = try report(["a1", "a10", "a2", "é", "e\u{301}x", "b"], to: "a")
        func found(_ texts: [String]) throws -> Set<String> {
            let found = try table.list(.inbox, .init(ids: texts)).map(\.id.rawValue)
            #expect(Set(found).count == found.count)
            return Set(found)
        }
        #expect(try found(["a1"]) == ["a1", "a10"])
        #expect(try found(["é"]) == ["é"])
        #expect(try found(["x", "a10", "b", "e"]) == ["a10", "b", "e\u{301}x"])
        #expect(try found((0..<1_000).map { "a\($0)" }) == ["a1", "a10", "a2"])
    }

    @Test("What has expired is not in the lists, nor in what a search finds in them") func expiry() throws {
        let storage = StateDatabase.ofInboxes()
        var table = try InboxTable.opened(storage)
        var rows = (1...3).map { Notification.row($0) }
        (rows[0].title, rows[0].expires, rows[1].expires) = ("word", 10, 11)
        _ = try table.apply(InboxUpdate(changed: rows))
        #expect(try table.ids(.inbox) == ["n3", "n2"] && table.count(.inbox, .init(), atMost: 9) == 2)
        #expect(try table.found("word") == [] && table.found("word", nil) == ["n1"])
        #expect(try InboxTable.opened(storage, now: 11).keptIDs() == ["n3"])
    }

    @Test("Counts come from the service or from the newest part") func counts() throws {
        func counts(_ counts: Counts) throws -> ShownCounts {
            var table = try InboxTable.opened(tabs: [InboxTab(id: "t", label: "T", predicate: .inbox)])
            var rows = [Notification.row(1), .row(2)]
            rows[1].read = 3
            _ = try table.apply(InboxUpdate(changed: rows, counts: counts))
            return try table.shownCounts()
        }
        #expect(try counts(Counts()) == ShownCounts(unread: 1, unseen: 2, badge: 2, total: 2, tabs: [0]))
        let reported = Counts(unread: 9, unseen: 8, badge: 7, total: 40, tabs: ["t": 6])
        #expect(try counts(reported) == ShownCounts(unread: 9, unseen: 8, badge: 7, total: 40, tabs: [6]))
    }

    // MARK: Views

    @Test("Nothing is known before a report of the service, unless a previous run has kept it") func known() throws {
        let storage = StateDatabase.ofInboxes()
        var table = try InboxTable.opened(storage)
        #expect(try table.apply(InboxUpdate(isCounted: false, isComplete: false)) == [] && !table.isKnown)
        #expect(try table.restore(9) == [] && !table.isKnown)
        _ = try table.apply(InboxUpdate(isComplete: true))
        #expect(table.isKnown)
        table = try InboxTable.opened(storage)
        #expect(try !table.isKnown && table.restore(9) == [] && table.isKnown && !table.hasMore(.inbox))
    }

    @Test("Without a connection, more of what is kept is listed, until the service reports its newest part")
    func listKept() throws {
        let storage = StateDatabase.ofInboxes()
        var table = try InboxTable.opened(storage)
        let rows = (1...9).map { Notification.row($0) }
        _ = try table.apply(InboxUpdate(changed: rows, hasMore: true))
        table = try InboxTable.opened(storage)
        #expect(try table.restore(3).count == 3)
        let more = try table.listKept(4, of: .inbox)
        #expect(more.added == 4 && more.differences == rows[2...5].map { InboxTable.Difference.added($0) })
        #expect(try table.listKept(4, of: .inbox).added == 2 && table.listKept(4, of: .inbox).added == 0)
        #expect(try table.ids(.inbox).count == 9 && table.hasMore(.inbox))
        let differences = try table.apply(InboxUpdate(changed: Array(rows.suffix(3)), hasMore: true))
        #expect(differences == (1...6).map { InboxTable.Difference.unloaded(Notification.row($0).id) })
        #expect(try table.ids(.inbox) == ["n9", "n8", "n7"] && table.keptIDs().count == 9)
    }

    @Test("What is archived is a list of its own, which is loaded again after a change") func archived() throws {
        let view = InboxPredicate(archived: true)
        var table = try InboxTable.opened()
        _ = try table.apply(InboxUpdate(changed: [.row(8), .row(9)]))
        var old = Notification.row(3)
        old.isArchived = true
        for change in [.row(8), .row(9)] as [Notification] {
            #expect(try table.hasMore(view) && table.ids(view) == [])
            try table.loadAll(of: view, in: [old])
            #expect(try table.ids(view) == ["n3"] && !table.ids(.inbox).contains("n3"))
            let differences = try table.apply(InboxUpdate(removed: [change.id]))
            #expect(differences.contains(.unloaded("n3")) && differences.contains(.removed(change.id)))
        }
        try table.loadAll(of: view, in: [old])
        _ = try table.change(confirmed: TimestampedChange(.archive("n1"), at: 5))
        #expect(table.hasMore(view))
    }

    @Test("Of many views, the one that was used least recently ends") func viewLimit() throws {
        var table = try InboxTable.opened()
        _ = try table.apply(InboxUpdate(changed: [.row(20)], hasMore: true))
        let views = (0...8).map { InboxPredicate(categories: ["\($0)"]) }
        for (index, view) in views.enumerated() {
            try table.loadAll(of: view, in: [.row(index, category: "\(index)")])
        }
        #expect(try table.ids(views[0]) == [] && table.hasMore(views[0]))
        for (index, view) in views.enumerated().dropFirst() {
            #expect(try table.ids(view) == ["n\(index)"] && !table.hasMore(view))
        }
    }

    // MARK: Limits

    private static let day: Int64 = 86_400_000

    private static func at(day: Int64) -> Timestamp { Timestamp(milliseconds: day * Self.day) }

    @Test(
        "The age counts while the list was lately what the service has, so that a wrong clock removes nothing",
        arguments: [
            (200, 200, 20), (200, 199, 20), (200, 170, 20), (200, 169, nil), (200, 0, nil), (36_500, 200, nil),
            (190, 200, 10),
        ] as [(Int64, Int64, Int64?)]
    )
    func age(now: Int64, asOf: Int64, oldest: Int64?) {
        let limits = InboxLimits(days: 180)
        #expect(limits.oldest(now: now * Self.day, asOf: asOf * Self.day) == oldest.map { $0 * Self.day })
    }

    @Test("What is too old or too much is removed, unless it is listed, pinned or snoozed") func trim() throws {
        let storage = StateDatabase.ofInboxes()
        var table = try InboxTable.opened(storage, now: Self.at(day: 200))
        var rows = [1, 2, 20 * Self.day - 1].map { Notification.row($0) }
        rows[0].isPinned = true
        rows += (0..<30).map { .row(20 * Self.day + $0) }
        _ = try table.apply(InboxUpdate(changed: rows))
        _ = try table.snooze(["n2": .init(until: .latest, wasRead: false)])
        #expect(try table.kept(beyond: .init(count: 1, days: 1)).isEmpty, "what is listed is not read")
        try table.trim(to: .init(count: 1, days: 1))
        #expect(try table.keptIDs().count == 33, "all are in the newest part")

        table = try InboxTable.opened(storage, now: Self.at(day: 20_000))
        _ = try table.restore(1)
        try table.trim(to: .init())
        #expect(try table.keptIDs().count == 33, "the clock is wrong")

        table = try InboxTable.opened(storage, now: Self.at(day: 200))
        _ = try table.restore(1)
        try table.trim(to: .init())
        #expect(try Set(rows.map(\.id.rawValue)).subtracting(table.keptIDs()) == ["n\(20 * Self.day - 1)"])
        try table.trim(to: .init(count: 10))
        let newest = rows.suffix(9).reversed().map(\.id.rawValue)
        #expect(try table.keptIDs() == ["n1"] + newest + ["n2"])
    }
}
