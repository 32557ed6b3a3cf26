import Basics
import ClientKit
import Testing

@testable import MagicBell

@Suite("The values that stores are made of")
struct StoreValueTests {
    @Test("The differences of two lists lead from one to the other, with indexes that a list view accepts")
    func differences() {
        let rows = (0..<6).map { notification("n\($0)", minute: Int64(-$0)) }
        func contents(_ indexes: [Int], read: Set<Int> = []) -> StoreContents {
            StoreContents(
                notifications: indexes.map { index in
                    var row = rows[index]
                    if read.contains(index) { row.apply(.read, at: base) }
                    return row
                }
            )
        }
        let cases: [([Int], [Int], Set<Int>, [StoreChange.Kind])] = [
            ([], [], [], []),
            ([0, 1], [0, 1], [], []),
            ([], [0, 1], [], [.inserted(at: [0, 1])]),
            ([0, 1], [], [], [.deleted(at: [0, 1])]),
            ([0, 2], [0, 1, 2, 3], [], [.inserted(at: [1, 3])]),
            ([0, 1, 2, 3], [1, 3], [], [.deleted(at: [0, 2])]),
            ([0, 1, 2], [0, 1, 2], [1], [.changed(at: [1])]),
            ([1, 2, 4], [0, 2, 4, 5], [4], [.deleted(at: [0]), .inserted(at: [0, 3]), .changed(at: [2])]),
        ]
        for (before, after, read, kinds) in cases {
            let (old, new) = (contents(before), contents(after, read: read))
            let changes = StoreChange.changes(from: old, to: new, isReplaced: false)
            #expect(changes.map(\.kind) == kinds)
            if let last = changes.last { #expect(last.contents == new) }
        }
    }

    @Test("A notification whose time changed is removed and inserted") func moved() {
        let old = StoreContents(notifications: [notification("a", minute: 2), notification("b", minute: 1)])
        let new = StoreContents(notifications: [notification("b", minute: 3), notification("a", minute: 2)])
        let kinds = StoreChange.changes(from: old, to: new, isReplaced: false).map(\.kind)
        #expect(kinds == [.deleted(at: [1]), .inserted(at: [0])])
    }

    @Test("Rows are in the order of their times, then of their ids, and each is there once") func order() {
        var rows = OrderedRows([notification("b"), notification("c", minute: 5), notification("a"), notification("b")])
        #expect(rows.all.map(\.id) == ["c", "b", "a"])
        rows.put(Shared(notification("d", minute: 3)))
        rows.put(Shared(notification("a", minute: 9)))
        rows.remove("b")
        rows.remove("none")
        #expect(rows.all.map(\.id) == ["a", "c", "d"])
    }

    @Test("An action waits for the earlier ones on the same notification, or on all") func actionOrder() {
        var actions = ActionsInFlight()
        actions.begin(1, .read, on: "a")
        actions.begin(2, .read, on: "b")
        actions.begin(3, .unread, on: "a")
        actions.begin(4, .read, on: nil)
        actions.begin(5, .read, on: "c")
        #expect([1, 2, 3, 4, 5].map(actions.isNext) == [true, true, false, false, false])
        _ = actions.end(1)
        #expect([2, 3, 4, 5].map(actions.isNext) == [true, true, false, false])
        _ = actions.end(2)
        _ = actions.end(3)
        #expect([4, 5].map(actions.isNext) == [true, false])
        actions.note(.changed(id: "c", .read), about: "c")
        actions.note(.changed(id: "c", .unread), about: "c")
        _ = actions.end(4)
        #expect(actions.isNext(5))
        check(actions.end(5), .changed(id: "c", .unread))
    }

    @Test(
        "The number of the next page follows the size of pages and the rows that have gone",
        arguments: [
            (InboxPageCursor.page(4), 0, InboxPageCursor.page(4)), (.page(4), -3, .page(4)), (.page(4), 1, .page(3)),
            (.page(4), 50, .page(3)), (.page(4), 51, .page(2)), (.page(2), 500, .page(1)),
            (.after(id: "a"), 7, .after(id: "a")),
        ]
    )
    func movedPages(cursor: InboxPageCursor, rows: Int, expected: InboxPageCursor) {
        #expect(cursor.movedBack(rows: rows, pageSize: 50) == expected)
    }

    @Test("The same rows have other page numbers at another size", arguments: [(100, 3), (73, 2), (50, 2)])
    func convertedPages(size: Int, expected: Int) {
        #expect(InboxPageCursor.page(2).converted(from: size, to: 50) == .page(expected))
        #expect(InboxPageCursor.after(id: "a").converted(from: size, to: 50) == .after(id: "a"))
        #expect(InboxPageCursor.page(.max).converted(from: size, to: 50) == .page(.max))
    }

    @Test("A predicate covers what selects less") func covering() {
        let all = StorePredicate()
        let some = StorePredicate(read: false, seen: true, categories: ["a", "b"], topics: ["t"])
        #expect(all.covers(all) && all.covers(some) && some.covers(some))
        #expect(!some.covers(all))
        #expect(!all.covers(StorePredicate(archived: true)))
        #expect(some.covers(StorePredicate(read: false, seen: true, categories: ["a"], topics: ["t"])))
        #expect(!some.covers(StorePredicate(read: false, seen: true, categories: ["a", "c"], topics: ["t"])))
        #expect(!some.covers(StorePredicate(read: false, seen: true, categories: ["a"])))
        #expect(!StorePredicate(read: true).covers(StorePredicate(read: false)))
    }

    @Test("The journal discards unneeded entries, and reports when it had to discard others") func journal() {
        var journal = Journal()
        journal.add(.update("a", nil), isNeeded: false)
        let start = journal.end
        #expect(start == 1)
        for number in 0..<Journal.capacity { journal.add(.update("\(number)", nil), isNeeded: true) }
        #expect(journal.since(start)?.count == Journal.capacity)
        journal.add(.update("last", nil), isNeeded: true)
        #expect(journal.since(start) == nil)
        #expect(journal.since(journal.end)?.isEmpty == true)
        journal.trim(before: journal.end)
        #expect(journal.since(journal.end - 1) == nil)
    }
}
