package import DBus

/// `org.feedbell.Agent1.Inbox`: the notifications of one account. The members and the dictionary of a notification are
/// documented in `dbus/org.feedbell.Agent1.xml`.
package enum AgentInbox: Interface {
    package static let name: InterfaceName = "org.feedbell.Agent1.Inbox"

    /// The maximum number of ids in one call.
    package static let maximumIDs = 1_000

    /// How many notifications ``AgentRoot/undo`` marks as unread again after ``markAllRead``, at most.
    package static let maximumUnreadAgain = 50

    /// Ids in groups that one call can take.
    package static func portions(of ids: [String]) -> [[String]] {
        stride(from: 0, to: ids.count, by: maximumIDs).map { Array(ids[$0...].prefix(maximumIDs)) }
    }

    package static let asOf = Property<Int64>("AsOf", .read)
    package static let unreadCount = Property<UInt32>("UnreadCount", .read)
    package static let hiddenUnread = Property<[String: UInt32]>("HiddenUnread", .read)
    package static let unseenCount = Property<UInt32>("UnseenCount", .read)
    package static let badgeCount = Property<UInt32>("BadgeCount", .read)
    package static let totalCount = Property<UInt32>("TotalCount", .read)
    package static let tabs = Property<[Structure<String, String, UInt32>]>("Tabs", .read)

    package static let list = Method(
        "List",
        in: (Argument<[String: Value]>("options")),
        out: (Argument<[[String: Value]]>("items"))
    )
    package static let listProblem = Method(
        "ListProblem",
        in: (Argument<[String: Value]>("options")),
        out: (Argument<String>("problem"))
    )
    package static let get = Method("Get", in: (Argument<String>("id")), out: (Argument<[String: Value]>("item")))
    package static let picture = Method("Picture", in: (Argument<String>("id")), out: (Argument<String>("file")))
    package static let hasMore = Method(
        "HasMore",
        in: (Argument<String>("tab")),
        out: (Argument<Bool>("has_more"))
    )
    package static let fetchMore = Method(
        "FetchMore",
        in: (Argument<String>("tab")),
        out: (Argument<UInt32>("added"))
    )
    package static let refresh = Method("Refresh", in: (), out: ())

    package static let markSeen = Method("MarkSeen", in: (Argument<[String]>("ids")), out: ())
    package static let markRead = Method("MarkRead", in: (Argument<[String]>("ids")), out: ())
    package static let markUnread = Method("MarkUnread", in: (Argument<[String]>("ids")), out: ())
    package static let markInteracted = Method("MarkInteracted", in: (Argument<[String]>("ids")), out: ())
    package static let archive = Method("Archive", in: (Argument<[String]>("ids")), out: ())
    package static let unarchive = Method("Unarchive", in: (Argument<[String]>("ids")), out: ())
    package static let delete = Method("Delete", in: (Argument<[String]>("ids")), out: ())
    package static let markAllRead = Method("MarkAllRead", in: (), out: ())
    package static let markAllSeen = Method("MarkAllSeen", in: (), out: ())
    package static let resetBadge = Method("ResetBadge", in: (), out: ())
    package static let snooze = Method(
        "Snooze",
        in: (Argument<[String]>("ids"), Argument<Int64>("until")),
        out: ()
    )
    package static let unsnooze = Method("Unsnooze", in: (Argument<[String]>("ids")), out: ())
    package static let open = Method(
        "Open",
        in: (Argument<String>("id"), Argument<[String: Value]>("platform_data")),
        out: ()
    )

    package static let invoke = Method(
        "Invoke",
        in: (Argument<String>("id"), Argument<String>("action"), Argument<[String: Value]>("platform_data")),
        out: ()
    )

    /// Which rules of the configuration apply to a notification.
    package static let testRules = Method(
        "TestRules",
        in: (Argument<String>("id")),
        out: (Argument<[[String: Value]]>("checks"))
    )

    package static let notificationArrived = Signal(
        "NotificationArrived",
        (Argument<String>("id"), Argument<[String: Value]>("item"))
    )
    package static let notificationAdded = Signal(
        "NotificationAdded",
        (Argument<String>("id"), Argument<[String: Value]>("item"))
    )
    package static let notificationChanged = Signal(
        "NotificationChanged",
        (Argument<String>("id"), Argument<[String: Value]>("item"))
    )
    package static let notificationRemoved = Signal("NotificationRemoved", (Argument<String>("id")))

    package static let actionFailed = Signal(
        "ActionFailed",
        (Argument<String>("action"), Argument<[String]>("ids"), Argument<String>("error"), Argument<String>("message"))
    )

    package static let members: [any Member] = [
        asOf, unreadCount, hiddenUnread, unseenCount, badgeCount, totalCount, tabs,
        list, listProblem, get, picture, hasMore, fetchMore, refresh,
        markSeen, markRead, markUnread, markInteracted, archive, unarchive, delete, markAllRead, markAllSeen,
        resetBadge, snooze, unsnooze, open, invoke, testRules,
        notificationArrived, notificationAdded, notificationChanged, notificationRemoved, actionFailed,
    ]
}
