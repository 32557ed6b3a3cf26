package import Basics
import ClientKit

/// The place of a notification in every list, in the service's order: the newest first, those of one millisecond by
/// id.
package struct NotificationOrderKey: OrderKey {
    package let sent: Timestamp
    package let id: String

    init(_ row: InboxNotification) { (sent, id) = (row.sent, row.id) }

    package static func < (left: NotificationOrderKey, right: NotificationOrderKey) -> Bool {
        left.sent != right.sent ? left.sent > right.sent : left.id > right.id
    }
}

extension InboxNotification: OrderedRow {
    package var orderKey: NotificationOrderKey { NotificationOrderKey(self) }
}
