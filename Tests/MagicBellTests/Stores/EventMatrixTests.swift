import Basics
import Testing

@testable import MagicBell

/// Every event for every kind of notification in every kind of store.
@Suite("An event changes a store and its counts by the predicate")
struct EventMatrixTests {
    enum Kind: String, Sendable, CaseIterable {
        case new, seen, read
    }

    enum Step: String, Sendable {
        case nothing, changed, deleted
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var predicate: StorePredicate
        var kind: Kind
        var event: InboxEvent
        /// Total, unread and unseen; 10, 5 and 4 before.
        var counts: [Int]
        var step: Step

        init(_ predicate: StorePredicate, _ kind: Kind, _ event: InboxEvent, _ counts: [Int], _ step: Step) {
            self.predicate = predicate
            self.kind = kind
            self.event = event
            self.counts = counts
            self.step = step
        }

        var testDescription: String { "\(predicate) \(kind) \(event)" }
    }

    private static let all = StorePredicate()
    private static let read = StorePredicate(read: true)
    private static let unread = StorePredicate(read: false)
    private static let seen = StorePredicate(seen: true)
    private static let unseen = StorePredicate(seen: false)
    private static let archive = StorePredicate(archived: true)
    private static let toRead = InboxEvent.changed(id: "b", .read)
    private static let toUnread = InboxEvent.changed(id: "b", .unread)
    private static let toSeen = InboxEvent.changed(id: "b", .seen)
    private static let toArchive = InboxEvent.changed(id: "b", .archived)
    private static let toInbox = InboxEvent.changed(id: "b", .unarchived)
    private static let deletion = InboxEvent.deleted(id: "b")

    static let cases: [Case] = [
        Case(all, .new, toRead, [10, 4, 3], .changed),
        Case(all, .new, toUnread, [10, 5, 4], .nothing),
        Case(all, .new, toSeen, [10, 5, 3], .changed),
        Case(all, .new, toArchive, [9, 4, 3], .deleted),
        Case(all, .new, toInbox, [10, 5, 4], .nothing),
        Case(all, .new, deletion, [9, 4, 3], .deleted),
        Case(all, .seen, toRead, [10, 4, 4], .changed),
        Case(all, .seen, toUnread, [10, 5, 4], .nothing),
        Case(all, .seen, toSeen, [10, 5, 4], .nothing),
        Case(all, .seen, toArchive, [9, 4, 4], .deleted),
        Case(all, .seen, deletion, [9, 4, 4], .deleted),
        Case(all, .read, toRead, [10, 5, 4], .nothing),
        Case(all, .read, toUnread, [10, 6, 4], .changed),
        Case(all, .read, toArchive, [9, 5, 4], .deleted),
        Case(all, .read, deletion, [9, 5, 4], .deleted),
        Case(read, .read, toRead, [10, 5, 4], .nothing),
        Case(read, .read, toUnread, [9, 5, 4], .deleted),
        Case(read, .read, toArchive, [9, 5, 4], .deleted),
        Case(read, .read, deletion, [9, 5, 4], .deleted),
        Case(unread, .new, toRead, [9, 4, 3], .deleted),
        Case(unread, .new, toUnread, [10, 5, 4], .nothing),
        Case(unread, .new, toSeen, [10, 5, 3], .changed),
        Case(unread, .new, toArchive, [9, 4, 3], .deleted),
        Case(unread, .new, deletion, [9, 4, 3], .deleted),
        Case(unread, .seen, toRead, [9, 4, 4], .deleted),
        Case(unread, .seen, toArchive, [9, 4, 4], .deleted),
        Case(unread, .seen, deletion, [9, 4, 4], .deleted),
        Case(seen, .seen, toRead, [10, 4, 4], .changed),
        Case(seen, .seen, toUnread, [10, 5, 4], .nothing),
        Case(seen, .seen, toArchive, [9, 4, 4], .deleted),
        Case(seen, .seen, deletion, [9, 4, 4], .deleted),
        Case(seen, .read, toUnread, [10, 6, 4], .changed),
        Case(seen, .read, toArchive, [9, 5, 4], .deleted),
        Case(unseen, .new, toRead, [9, 4, 3], .deleted),
        Case(unseen, .new, toSeen, [9, 4, 3], .deleted),
        Case(unseen, .new, toUnread, [10, 5, 4], .nothing),
        Case(unseen, .new, toArchive, [9, 4, 3], .deleted),
        Case(unseen, .new, deletion, [9, 4, 3], .deleted),
        Case(archive, .new, toRead, [10, 4, 3], .changed),
        Case(archive, .new, toArchive, [10, 5, 4], .nothing),
        Case(archive, .new, toInbox, [9, 4, 3], .deleted),
        Case(archive, .new, deletion, [9, 4, 3], .deleted),
        Case(archive, .seen, toRead, [10, 4, 4], .changed),
        Case(archive, .seen, toInbox, [9, 4, 4], .deleted),
        Case(archive, .read, toUnread, [10, 6, 4], .changed),
        Case(archive, .read, toInbox, [9, 5, 4], .deleted),
    ]

    /// A store with three loaded notifications of `kind`, further pages, and the counts 10, 5 and 4.
    static func store(_ predicate: StorePredicate, _ kind: Kind) -> (StoresState, StoreNumber) {
        let rows = ["a", "b", "c"].enumerated().map { index, id in
            notification(
                id,
                minute: Int64(9 - index),
                seen: kind != .new,
                read: kind == .read,
                archived: predicate.archived,
                category: predicate.categories.first,
                topic: predicate.topics.first
            )
        }
        return store(predicate, rows)
    }

    static func store(_ predicate: StorePredicate, _ rows: [InboxNotification]) -> (StoresState, StoreNumber) {
        var state = StoresState(pageSize: 3)
        let number = state.build(predicate)
        let page = StorePage(rows, counts: StoreCounts(total: 10, unread: 5, unseen: 4), next: .page(2))
        _ = state.finish(state.beginFetch(number)!, .success(page), jitter: 0)
        _ = state.takeReports()
        return (state, number)
    }

    @Test("An event for a loaded notification changes list and counts", arguments: cases)
    func matrix(expected: Case) throws {
        for filter in [([String](), [String]()), (["ci"], ["builds"])] {
            let predicate = StorePredicate(
                read: expected.predicate.read,
                seen: expected.predicate.seen,
                archived: expected.predicate.archived,
                categories: filter.0,
                topics: filter.1
            )
            var (state, number) = Self.store(predicate, expected.kind)
            state.receive(expected.event, now: base)
            let contents = try #require(state.stores[number]).contents
            #expect(counts(contents) == expected.counts)
            let kinds = (state.takeReports()[number]?.changes ?? []).map(\.kind)
            switch expected.step {
            case .nothing:
                #expect(kinds == [])
                #expect(contents.map(\.id) == ["a", "b", "c"])
            case .changed:
                #expect(kinds == [.changed(at: [1])])
                #expect(contents.map(\.id) == ["a", "b", "c"])
            case .deleted:
                #expect(kinds == [.deleted(at: [1])])
                #expect(contents.map(\.id) == ["a", "c"])
            }
            // Everything was known.
            check(state.takeEffects(), [])
        }
    }

    @Test("The same event again changes nothing and reports nothing", arguments: cases)
    func echo(expected: Case) {
        var (state, number) = Self.store(expected.predicate, expected.kind)
        state.receive(expected.event, now: base)
        let contents = state.stores[number]?.contents
        _ = state.takeReports()
        if expected.step == .deleted { return }
        state.receive(expected.event, now: base.advanced(milliseconds: 1))
        check(state.takeReports(), [:])
        #expect(state.stores[number]?.contents == contents)
    }

    @Test(
        "An event about all empties the store that it excludes, and zeroes the counts of the others",
        arguments: [
            (StorePredicate(), InboxEvent.allRead, [10, 0, 0], 3),
            (StorePredicate(read: false), .allRead, [0, 0, 0], 0),
            (StorePredicate(seen: false), .allRead, [0, 0, 0], 0),
            (StorePredicate(archived: true), .allRead, [10, 0, 0], 3),
            (StorePredicate(), .allSeen, [10, 5, 0], 3),
            (StorePredicate(read: false), .allSeen, [10, 5, 0], 3),
            (StorePredicate(seen: false), .allSeen, [0, 0, 0], 0),
        ] as [(StorePredicate, InboxEvent, [Int], Int)]
    )
    func all(predicate: StorePredicate, event: InboxEvent, expected: [Int], rows: Int) throws {
        var (state, number) = Self.store(predicate, .new)
        state.start()
        state.receive(event, now: base)
        let contents = try #require(state.stores[number]).contents
        #expect(counts(contents) == expected)
        #expect(contents.count == rows)
        // The event does not name the notifications, so the list is loaded again.
        #expect(state.stores[number]?.need == .list)
        check(state.takeEffects().count, 1)
    }

    @Test("No count becomes negative") func clamped() throws {
        var state = StoresState(pageSize: 3)
        let number = state.build(StorePredicate())
        let page = StorePage(
            [notification("a"), notification("b")],
            counts: StoreCounts(total: 1, unread: 0, unseen: 0),
            next: .page(2)
        )
        _ = state.finish(state.beginFetch(number)!, .success(page), jitter: 0)
        for id in ["a", "b"] {
            state.receive(.changed(id: id, .read), now: base)
            state.receive(.deleted(id: id), now: base)
        }
        #expect(counts(try #require(state.stores[number]).contents) == [0, 0, 0])
    }
}
