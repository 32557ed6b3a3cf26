import Basics
import ClientKit
import MagicBell
import TestSupport
import Testing

private func sample(
    _ id: String,
    sent: Timestamp,
    _ status: ListQuery.Status = .unseen,
    category: String? = nil,
    topic: String? = nil
) -> InboxNotification {
    InboxNotification(
        id: id,
        title: id,
        category: category,
        topic: topic,
        sent: sent,
        seen: status == .unread || status == .read ? sent : nil,
        read: status == .read ? sent : nil,
        archived: status == .archived ? sent : nil
    )
}

@Suite("Pages of the user API")
struct PageAssemblyTests {
    @Test(
        "A predicate is made of these lists",
        arguments: [
            (StorePredicate(archived: true), ["archived"]), (StorePredicate(read: false, archived: true), ["archived"]),
            (StorePredicate(read: true), ["read"]), (StorePredicate(read: true, seen: true), ["read"]),
            (StorePredicate(seen: false), ["unseen"]), (StorePredicate(read: false, seen: false), ["unseen"]),
            (StorePredicate(read: false, seen: true), ["unread"]), (StorePredicate(read: false), ["unread", "unseen"]),
            (StorePredicate(seen: true), ["unread", "read"]), (StorePredicate(), ["any"]),
            (StorePredicate(read: true, seen: false), []),
        ]
    )
    func lists(predicate: StorePredicate, statuses: [String]) throws {
        var service = SimulatedUserAPI([])
        let page = try service.page(predicate, size: 5)
        #expect(service.requests.map { $0.status?.rawValue ?? "any" } == statuses)
        #expect(page == StorePage([], counts: StoreCounts(total: 0, unread: 0, unseen: 0)))
    }

    @Test("One category and one topic are sent, several are applied to larger pages")
    func filters() throws {
        let one = try PageAssembly(StorePredicate(read: true, categories: ["a"], topics: ["t"]), after: nil, size: 5)
        #expect(one.nextQuery?.query == ListQuery(status: .read, category: "a", topic: "t", limit: 5))
        let several = try PageAssembly(StorePredicate(read: true, categories: ["a", "b"]), after: nil, size: 5)
        #expect(several.nextQuery?.query == ListQuery(status: .read, limit: 50))
    }

    @Test("Two lists are merged by time, each continues at its own position, and repetitions are left out")
    func merged() throws {
        let all = (1...9).map {
            sample("n\($0)", sent: Timestamp(milliseconds: $0 * 1_000), $0 % 3 == 0 ? .unread : .unseen)
        }
        var service = SimulatedUserAPI(all)
        service.unreadHasUnseen = true
        let first = try service.page(StorePredicate(read: false), size: 4)
        #expect(first.notifications.map(\.id) == ["n9", "n8", "n7", "n6"])
        let second = try service.page(StorePredicate(read: false), after: first.next, size: 4)
        #expect(second.notifications.map(\.id) == ["n5", "n4", "n3", "n2"])
        let third = try service.page(StorePredicate(read: false), after: second.next, size: 4)
        #expect(third.notifications.map(\.id) == ["n1"] && third.next == nil)
        #expect(third.counts == StoreCounts(), "of a further page, the whole list is not known")
    }

    @Test("The counts of a list that is one page are known")
    func counts() throws {
        var service = SimulatedUserAPI([sample("a", sent: 1, .unread), sample("b", sent: 2)])
        let page = try service.page(StorePredicate(read: false), size: 5)
        #expect(page.counts == StoreCounts(total: 2, unread: 2, unseen: 1) && page.next == nil)
    }

    @Test("A page without matches ends after a number of requests, and its cursor leads on")
    func mostRequests() throws {
        let all = (1...2_000).map { sample("n\($0)", sent: Timestamp(milliseconds: $0), .read, category: "z") }
        var service = SimulatedUserAPI(all + [sample("last", sent: 0, .read, category: "a")])
        let predicate = StorePredicate(read: true, categories: ["a", "b"])
        let first = try service.page(predicate, size: 50)
        #expect(first.notifications.isEmpty && first.next == .after(id: "n1501"))
        #expect(service.requests.count == PageAssembly.mostRequests)
        var (cursor, found) = (first.next, first.notifications)
        while let next = cursor {
            let page = try service.page(predicate, after: next, size: 50)
            (cursor, found) = (page.next, found + page.notifications)
        }
        #expect(found.map(\.id) == ["last"])
    }

    @Test("A service that repeats a page or answers nothing does not keep the client busy")
    func repeatedPages() throws {
        let same = NotificationChunk(
            [sample("a", sent: 1, .read), sample("b", sent: 0, .read)],
            hasMore: true
        )
        var assembly = try PageAssembly(StorePredicate(read: true), after: nil, size: 50)
        var count = 0
        while let (number, _) = assembly.nextQuery {
            assembly.add(same, for: number)
            count += 1
        }
        #expect(count == 2 && assembly.page.notifications.map(\.id) == ["a", "b"] && assembly.page.next == nil)

        var empty = try PageAssembly(StorePredicate(read: true), after: nil, size: 50)
        empty.add(NotificationChunk([], hasMore: true), for: 0)
        #expect(empty.nextQuery == nil && empty.page.next == nil)
    }

    @Test(
        "The cursor of another list is refused",
        arguments: [InboxPageCursor.page(2), .afterEach([.start]), .after(id: "x")]
    )
    func foreignCursors(cursor: InboxPageCursor) {
        let error = #expect(throws: MagicBellError.self) {
            try PageAssembly(StorePredicate(read: false), after: cursor, size: 5)
        }
        #expect(error?.kind == .invalidArgument)
    }

    /// Random inboxes, predicates and sizes, each with its seed.
    @Test("All pages together are exactly what matches, newest first", arguments: 0..<300)
    func pagesAreTheList(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func one<T>(of values: [T]) -> T { values.randomElement(using: &generator) ?? values[0] }
        let names: [String?] = [nil, "a", "b", "c"]
        let all = (0..<Int.random(in: 0...120, using: &generator)).map { number in
            sample(
                "n\(number)",
                sent: Timestamp(milliseconds: Int64.random(in: 0...60, using: &generator)),
                one(of: ListQuery.Status.allCases),
                category: one(of: names),
                topic: one(of: names)
            )
        }
        let lists: [[String]] = [[], [], ["a"], ["a", "b"]]
        let predicate = StorePredicate(
            read: one(of: [nil, true, false]),
            seen: one(of: [nil, true, false]),
            archived: one(of: [false, false, true]),
            categories: one(of: lists),
            topics: one(of: lists)
        )
        var service = SimulatedUserAPI(all)
        service.unreadHasUnseen = Bool.random(using: &generator)
        service.hasLinks = Bool.random(using: &generator)
        let size = Int.random(in: 1...20, using: &generator)
        var pages = [try service.page(predicate, size: size)]
        while let next = pages.last?.next, pages.count < 500 {
            pages.append(try service.page(predicate, after: next, size: size))
        }
        let expected = all.filter(predicate.matches)
            .sorted { $0.sent == $1.sent ? $0.id < $1.id : $0.sent > $1.sent }
        #expect(pages.flatMap(\.notifications).map(\.id) == expected.map(\.id))
        #expect(pages.allSatisfy { $0.notifications.count <= size })
        if pages.count == 1 { #expect(pages[0].counts.total == expected.count) }
    }
}
