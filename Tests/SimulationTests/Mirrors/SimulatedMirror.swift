import Basics
import Inbox
import TestSupport

/// A service and the engine by which the agent follows it, for both services alike.
protocol SimulatedMirror: SimulatedSystem {
    static var rules: ServiceRules { get }
    static var capabilities: Capabilities { get }
    /// Whether a page may begin after a notification, and not repeat the others of its time.
    static var beginsPagesAfterRows: Bool { get }
    var tabs: [InboxTab] { get }
    init(seed: UInt64)

    // MARK: The service

    /// All notifications, by their ids.
    var states: [String: RowState] { get }
    /// The unarchived notifications, in the service's order.
    var list: [Inbox.Notification] { get }
    /// The notification that an event takes out of the archive, whether it was there or not: it need not be new.
    func unarchived(by event: Event) -> String?
    /// The notifications of which the next run cannot know whether they are new, by what the last one saved.
    func unknowable(after marks: DeliveryMarks) -> [NotificationID]
    /// The engine has to be caught up to this time at least, at rest.
    var leastCaughtUp: Timestamp { get }
    /// The counts that the engine knows exactly at rest.
    ///
    /// - Parameter shown: What it reports.
    func counts(like shown: Counts, hasMore: Bool) -> [String: Int]

    // MARK: The engine

    /// Another run of the agent begins.
    mutating func start(after marks: DeliveryMarks, now: Timestamp)
    mutating func begin(_ change: TimestampedChange, isDelayed: Bool, now: Timestamp)
    /// The changes that ended since the last call.
    mutating func takeOutcomes() -> [ChangeOutcome]
    mutating func takeReports() -> [ServiceEvent]
    /// The change to which a request belongs.
    func change(of question: Question) -> ChangeStep?
}

/// The state of a notification at the service.
struct RowState: Equatable {
    var isArchived: Bool
    var isSeen: Bool
    var isRead: Bool

    /// Whether it is new to its user.
    var isNew: Bool { !isArchived && !isSeen && !isRead }
}

/// One of the requests that a change of the user takes.
struct ChangeStep: Hashable {
    var change: TimestampedChange
    var index = 0
}

/// The end of a change of the user.
struct ChangeOutcome {
    var change: TimestampedChange
    /// nil: confirmed.
    var failure: ServiceFailure?
    /// Whether the engine knew that the service has it already, so that nothing was sent.
    var isUnneeded = false
}

extension Counts {
    /// By their names.
    var byName: [String: Int] {
        ["unread": unread, "unseen": unseen, "badge": badge, "total": total].compactMapValues { $0 }
            .merging(tabs.map { ("tab " + $0.key, $0.value) }) { $1 }
    }
}

extension RequestFailure {
    /// When an engine requests the list again.
    func pauseEnd(from now: Timestamp) -> Timestamp {
        var pause = Duration.seconds(1)
        if case .rateLimited(let retryAfter) = self { pause = max(pause, retryAfter) }
        return now.advanced(milliseconds: Int64(pause / .milliseconds(1)))
    }
}
