import ClientKit

/// The contents of a feed between two runs of a program: the newest rows and the counts.
struct FeedSnapshot: SnapshotContents, Equatable {
    /// The maximum number of rows: as many as one request returns.
    static let maximumRows = Limits.rows

    /// Whose inbox it is: public key, user, tenant.
    var owner: [String]
    /// The id of the rows' store.
    var store: String
    var rows: [FeedNotification]
    /// The number of rows in the store, kept or not.
    var total: Int
    var badge: Int
    /// The counts of the stores, by id.
    var counts: [String: Int]
    /// Everything up to this time was announced, in milliseconds since the Unix epoch; nil: unknown.
    var caughtUp: Int64?
}
