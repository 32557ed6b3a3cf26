package import Basics
package import ClientKit

/// A report of a feed to its observer; several are delivered in order. Less work than ``FeedEvent``, whose updates
/// carry the whole list.
package enum FeedUpdate: Sendable {
    /// The differences of the list, and the present counts.
    package struct Contents: Sendable, Equatable {
        package var rows: RowDifferences<FeedNotification>
        /// The number of rows of the list, loaded or not.
        package var total: Int
        /// Whether the service has rows beyond the loaded ones; true while it is not known.
        package var hasMore: Bool
        package var badge: Int
        /// The service's count of each counted store, by id.
        package var stores: [String: Int]
        /// Whether the service has reported the counts.
        package var isCounted: Bool
        /// Whether the list is what the service has; false until it is loaded, and while events may be missing.
        package var isComplete: Bool
    }

    case contents(Contents)
    case report(FeedState.Report)
    /// All missed notifications are announced; the newest was created at this time; the Unix epoch without any.
    case caughtUp(Timestamp)
    case connection(ConnectionState)
}
