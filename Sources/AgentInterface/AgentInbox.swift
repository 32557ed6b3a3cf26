package import DBus

/// `org.feedbell.Agent1.Inbox`: the notifications of one account. `dbus/org.feedbell.Agent1.xml` says what each member
/// means and what the dictionary of a notification holds.
package enum AgentInbox: Interface {
    package static let name: InterfaceName = "org.feedbell.Agent1.Inbox"

    package static let unreadCount = Property<UInt32>("UnreadCount", .read)
    package static let unseenCount = Property<UInt32>("UnseenCount", .read)
    package static let badgeCount = Property<UInt32>("BadgeCount", .read)
    package static let totalCount = Property<UInt32>("TotalCount", .read)

    package static let list = Method(
        "List",
        in: (Argument<[String: Value]>("options")),
        out: (Argument<[[String: Value]]>("items"))
    )
    package static let get = Method("Get", in: (Argument<String>("id")), out: (Argument<[String: Value]>("item")))
    package static let open = Method(
        "Open",
        in: (Argument<String>("id"), Argument<[String: Value]>("platform_data")),
        out: ()
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

    package static let members: [any Member] = [
        unreadCount, unseenCount, badgeCount, totalCount, list, get, open, notificationAdded, notificationChanged,
        notificationRemoved,
    ]
}
