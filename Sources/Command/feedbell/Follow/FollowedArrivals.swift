import AgentInterface

/// The notifications of an account that were reported as arrived. After a loss, those that were lost are known by it:
/// what the inbox has since the last arrival, and some minutes before, and was not reported.
struct FollowedArrivals: Equatable {
    /// How long before the last arrival an earlier one may be unknown, in milliseconds: notifications may arrive in
    /// another order than they were created.
    static let overlap: Int64 = 600_000
    /// The number of reported notifications beyond which those are forgotten that are never asked for.
    private static let pruning = 1_000

    /// When this program began to follow, in milliseconds since the Unix epoch.
    private let start: Int64
    /// When the newest one was created; nil: there was none.
    private var newest: Int64?
    /// The creation times of those that have arrived, and of those that were there before, by id.
    private var arrived: [String: Int64] = [:]
    private var listed: [String: Int64] = [:]
    /// The ids of those whose arrival was lost.
    private var lost: Set<String> = []

    /// - Parameter start: When this program began to follow, in milliseconds since the Unix epoch.
    init(since start: Int64) { self.start = start }

    /// These were there before.
    mutating func list(_ notifications: [NotificationRecord]) {
        for notification in notifications {
            listed[notification.id] = notification.created
            newest = max(newest ?? .min, notification.created)
        }
        prune()
    }

    /// One has arrived.
    ///
    /// - Returns: Whether it was not reported yet.
    mutating func add(_ notification: NotificationRecord) -> Bool {
        lost.remove(notification.id)
        guard arrived.updateValue(notification.created, forKey: notification.id) == nil else { return false }
        newest = max(newest ?? .min, notification.created)
        if arrived.count > Self.pruning { prune() }
        return true
    }

    private mutating func prune() {
        let since = since
        arrived = arrived.filter { $0.value >= since }
        listed = listed.filter { $0.value >= since }
    }

    // MARK: After a loss

    mutating func lose(_ ids: [String]) { lost.formUnion(ids) }

    /// From when on the inbox is asked for, in milliseconds since the Unix epoch.
    var since: Int64 { max(0, newest ?? start) - Self.overlap }

    /// The notifications to ask for by id, because their arrival was lost.
    var lostIDs: [String] { lost.sorted() }

    /// The inbox has these.
    ///
    /// - Returns: Those of them that were not reported, oldest first, which are now.
    mutating func makeUp(for notifications: [NotificationRecord]) -> [NotificationRecord] {
        let unknown = notifications.filter { arrived[$0.id] == nil && (lost.contains($0.id) || listed[$0.id] == nil) }
        var new: [NotificationRecord] = []
        for notification in unknown.sorted(by: { ($0.created, $0.id) < ($1.created, $1.id) }) where add(notification) {
            new.append(notification)
        }
        return new
    }

    /// All that can be asked for is made up for.
    ///
    /// - Returns: The number of those that the inbox no longer has.
    mutating func end() -> Int {
        defer { lost = [] }
        return lost.count
    }
}
