import Inbox
import Testing

@Suite struct InboxContentsTests {
    static func item(_ id: String, read: Int64? = nil, archived: Bool = false, category: String = "a") -> Item {
        let read = read.map(Timestamp.init(milliseconds:))
        return Item(
            id: ItemID(id),
            category: category,
            created: Timestamp(milliseconds: 1),
            read: read,
            isArchived: archived
        )
    }

    @Test func differences() {
        let before = InboxContents(items: [Self.item("1"), Self.item("2"), Self.item("3")])
        let after = InboxContents(items: [Self.item("4"), Self.item("1"), Self.item("3", read: 5)])
        #expect(
            after.differences(since: before) == [
                .removed("2"), .added(Self.item("4")), .changed(Self.item("3", read: 5)),
            ]
        )
        #expect(after.differences(since: after) == [])
    }

    @Test func whatFallsOffTheEndIsNotGone() {
        func item(_ id: ItemID, _ created: Int64) -> Item { Item(id: id, created: Timestamp(milliseconds: created)) }
        let before = InboxContents(items: [item("3", 3), item("2", 2), item("1", 1)])
        let after = InboxContents(items: [item("4", 4), item("2", 2)])
        #expect(after.differences(since: before) == [.removed("3"), .unloaded("1"), .added(item("4", 4))])
    }

    @Test func doublesAreDropped() {
        let contents = InboxContents(items: [Self.item("1"), Self.item("1", read: 2)])
        #expect(contents.items == [Self.item("1")])
        #expect(contents["1"]?.read == nil)
        #expect(contents["2"] == nil)
    }

    @Test func countsComeFromTheServiceOrFromWhatIsLoaded() {
        let items = [Self.item("1"), Self.item("2", read: 3)]
        #expect(InboxContents(items: items).unreadCount == 1)
        #expect(InboxContents(items: items).totalCount == 2)
        let counted = InboxContents(items: items, counts: Counts(unread: 9, unseen: 8, badge: 7, total: 40))
        #expect([counted.unreadCount, counted.unseenCount, counted.badgeCount, counted.totalCount] == [9, 8, 7, 40])
    }

    @Test(arguments: [
        (ItemFilter(), ["1", "2", "3", "4"]), (ItemFilter(limit: 2), ["1", "2"]),
        (ItemFilter(limit: 2, offset: 3), ["4"]),
        (ItemFilter(unread: true), ["1", "3"]), (ItemFilter(unread: false), ["2", "4"]),
        (ItemFilter(archived: true), ["3"]),
        (ItemFilter(limit: 1, offset: 1, category: "b"), ["4"]), (ItemFilter(limit: 0), []),
        (ItemFilter(offset: 99), []),
    ]) func filters(_ filter: ItemFilter, _ expected: [ItemID]) {
        let items = [
            Self.item("1"), Self.item("2", read: 1, category: "b"), Self.item("3", archived: true),
            Self.item("4", read: 1, category: "b"),
        ]
        #expect(filter.apply(to: items).map(\.id) == expected)
    }
}
