package import Basics
import ClientKit

/// The place of a notification in a feed, in the service's order: pinned ones first, then the newest, then by id, so
/// that those of the same millisecond keep their order.
package struct FeedOrderKey: OrderKey {
    package let isPinned: Bool
    package let sortKey: Timestamp
    package let id: String

    init(_ row: FeedNotification) { (isPinned, sortKey, id) = (row.isPinned, row.sortKey, row.id) }

    package static func < (left: FeedOrderKey, right: FeedOrderKey) -> Bool {
        if left.isPinned != right.isPinned { return left.isPinned }
        if left.sortKey != right.sortKey { return left.sortKey > right.sortKey }
        return left.id > right.id
    }
}

extension FeedNotification: OrderedRow {
    package var orderKey: FeedOrderKey { FeedOrderKey(self) }
}
