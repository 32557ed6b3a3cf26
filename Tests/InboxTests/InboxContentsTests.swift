import Basics
import Inbox
import Testing

@Suite struct InboxContentsTests {
    private static let rules = ServiceRules(interactedIsRead: true, readIsSeen: true)

    static func notification(_ id: String, read: Int64? = nil, archived: Bool = false, category: String = "a")
        -> Notification
    {
        let read = read.map(Timestamp.init(milliseconds:))
        return Notification(
            id: NotificationID(id),
            category: category,
            created: Timestamp(milliseconds: 1),
            read: read,
            isArchived: archived
        )
    }

    @Test("Differences are removals, additions and changes") func differences() {
        let before = InboxContents(notifications: [
            Self.notification("1"), Self.notification("2"), Self.notification("3"),
        ])
        let after = InboxContents(notifications: [
            Self.notification("4"), Self.notification("1"), Self.notification("3", read: 5),
        ])
        #expect(
            after.differences(since: before) == [
                .removed("2"), .added(Self.notification("4")), .changed(Self.notification("3", read: 5)),
            ]
        )
        #expect(after.differences(since: after) == [])
    }

    @Test("Notifications beyond the end of the list are not removed") func truncation() {
        func notification(_ id: NotificationID, _ created: Int64) -> Notification {
            Notification(id: id, created: Timestamp(milliseconds: created))
        }
        let before = InboxContents(notifications: [notification("3", 3), notification("2", 2), notification("1", 1)])
        let after = InboxContents(notifications: [notification("4", 4), notification("2", 2)])
        #expect(after.differences(since: before) == [.removed("3"), .unloaded("1"), .added(notification("4", 4))])
    }

    @Test("Of duplicate notifications the first is kept") func duplicates() {
        let contents = InboxContents(notifications: [Self.notification("1"), Self.notification("1", read: 2)])
        #expect(contents.notifications == [Self.notification("1")])
        #expect(contents["1"]?.read == nil)
        #expect(contents["2"] == nil)
    }

    @Test("Counts come from the service or from loaded notifications") func counts() {
        let notifications = [Self.notification("1"), Self.notification("2", read: 3)]
        #expect(InboxContents(notifications: notifications).unreadCount == 1)
        #expect(InboxContents(notifications: notifications).totalCount == 2)
        let counted = InboxContents(
            notifications: notifications,
            counts: Counts(unread: 9, unseen: 8, badge: 7, total: 40)
        )
        #expect([counted.unreadCount, counted.unseenCount, counted.badgeCount, counted.totalCount] == [9, 8, 7, 40])
    }

    @Test(
        "A filter selects by state and category, then by offset and limit",
        arguments: [
            (NotificationFilter(), ["1", "2", "3", "4"]), (NotificationFilter(limit: 2), ["1", "2"]),
            (NotificationFilter(limit: 2, offset: 3), ["4"]),
            (NotificationFilter(unread: true), ["1", "3"]), (NotificationFilter(unread: false), ["2", "4"]),
            (NotificationFilter(archived: true), ["3"]),
            (NotificationFilter(limit: 1, offset: 1, category: "b"), ["4"]), (NotificationFilter(limit: 0), []),
            (NotificationFilter(offset: 99), []),
        ]
    ) func filters(_ filter: NotificationFilter, _ expected: [NotificationID]) {
        let notifications = [
            Self.notification("1"), Self.notification("2", read: 1, category: "b"),
            Self.notification("3", archived: true),
            Self.notification("4", read: 1, category: "b"),
        ]
        #expect(filter.apply(to: notifications).map(\.id) == expected)
    }

    @Test(
        "A pending change shows in the list and in the counts",
        arguments: [
            (.read("1"), "1 r5 s5, 2 - -, 3 r4 s4", 1, 1, 9, 7), (.unread("3"), "1 - -, 2 - -, 3 - s4", 3, 2, 9, 7),
            (.seen(["1", "2", "x"]), "1 - s5, 2 - s5, 3 r4 s4", 2, 0, 9, 7),
            (.interacted("1"), "1 r5 s5 i, 2 - -, 3 r4 s4", 1, 1, 9, 7),
            (.allRead, "1 r5 -, 2 r5 -, 3 r4 s4", 0, 2, 9, 0), (.archive("2"), "1 - -, 3 r4 s4", 1, 1, 8, 7),
            (.archive("3"), "1 - -, 2 - -", 2, 2, 8, 7), (.badgeReset, "1 - -, 2 - -, 3 r4 s4", 2, 2, 9, 0),
            (.read("unknown"), "1 - -, 2 - -, 3 r4 s4", 2, 2, 9, 7),
        ] as [(Change, String, Int, Int, Int, Int)]
    )
    func pendingChange(change: Change, list: String, unread: Int, unseen: Int, total: Int, badge: Int) {
        func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }
        var read = Notification(id: "3", created: at(1), seen: at(4), read: at(4))
        read.title = "read"
        let contents = InboxContents(
            notifications: [Notification(id: "1", created: at(3)), Notification(id: "2", created: at(2)), read],
            counts: Counts(unread: 2, unseen: 2, badge: 7, total: 9),
            hasMore: true,
            activeStore: "a"
        )
        let after = contents.applying([TimestampedChange(change, at: at(5))], by: Self.rules)
        let text = after.notifications.map { notification in
            """
            \(notification.id) \(notification.read.map { "r\($0.milliseconds)" } ?? "-") \
            \(notification.seen.map { "s\($0.milliseconds)" } ?? "-")
            """
                + (notification.interacted == nil ? "" : " i")
        }
        #expect(text.joined(separator: ", ") == list)
        #expect(after.unreadCount == unread && after.unseenCount == unseen)
        #expect(after.totalCount == total && after.badgeCount == badge)
        #expect(after.hasMore && after.activeStore == "a")
        // Again, it changes nothing more.
        #expect(
            after.applying([TimestampedChange(change, at: at(6))], by: Self.rules).notifications == after.notifications
                || change == .interacted("1")
        )
    }

    @Test("Changes apply in order, and reading everything leaves later arrivals unread") func changesApplyInOrder() {
        func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }
        let contents = InboxContents(notifications: [
            Notification(id: "1", created: at(1)), Notification(id: "2", created: at(9)),
        ])
        let changes: [Change] = [.read("1"), .unread("1"), .archive("1"), .read("1"), .allRead]
        let after = contents.applying(changes.map { TimestampedChange($0, at: at(5)) }, by: Self.rules)
        // What arrived after "all read" was not read by it.
        #expect(after.notifications.map(\.id) == ["2"] && after.notifications.map(\.read) == [nil])
        #expect(contents.applying([], by: Self.rules) == contents)
    }

    @Test("The service's rule decides what else an action changes")
    func rules() {
        let contents = InboxContents(notifications: [Notification(id: "1", created: Timestamp(milliseconds: 1))])
        func shown(after change: Change, by rules: ServiceRules) -> Notification? {
            contents.applying([TimestampedChange(change, at: Timestamp(milliseconds: 5))], by: rules)["1"]
        }
        let own = ServiceRules()
        #expect(shown(after: .interacted("1"), by: own)?.interacted != nil)
        #expect(shown(after: .interacted("1"), by: own)?.read == nil)
        #expect(shown(after: .read("1"), by: own)?.seen == nil)
        #expect(shown(after: .interacted("1"), by: Self.rules)?.read != nil)
        #expect(shown(after: .read("1"), by: Self.rules)?.seen != nil)
        #expect(Change.seen(["1", "2", "3"], atOnce: 2) == [.seen(["1", "2"]), .seen(["3"])])
        #expect(Change.seen([], atOnce: 2).isEmpty)
    }
}
