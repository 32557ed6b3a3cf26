package import Basics
import VisibleText

/// An inbox service. Each service has one adapter, which maps its API to these types.
package protocol InboxService: Sendable {
    /// The optional features of this service.
    var capabilities: Capabilities { get }

    /// The service's side effects and limits.
    var rules: ServiceRules { get }

    /// The configured tabs, in order.
    var tabs: [InboxTab] { get }

    /// Follows the inbox until the task is cancelled, and reconnects after every failure. Reports the newest part of
    /// the inbox, and every change of it, in order; an arrival after the change that contains it.
    ///
    /// - Parameter marks: The notifications that previous runs have shown. Notifications above the watermark that were
    ///   not shown are reported as arrived if they are neither seen nor read.
    func run(after marks: DeliveryMarks, _ report: @escaping @Sendable (ServiceEvent) -> Void) async

    /// The current time on the clock of the service, which sets the times of creation; if it is not known exactly, an
    /// earlier time.
    var serviceTime: Timestamp { get async }

    /// Sends one change to the service. Returns when the service has confirmed it and its effect on the newest part of
    /// the inbox was reported.
    ///
    /// - Parameter isDelayed: Time has passed since the change was made. A change of the whole inbox is then limited to
    ///   notifications created up to its time; if the service cannot limit it, it is discarded.
    func apply(_ made: TimestampedChange, isDelayed: Bool) async throws(ServiceFailure)

    /// Whether a text has the form of the service's ids. Others are not looked up.
    func isID(_ id: NotificationID) -> Bool

    /// Fetches one notification that is not loaded.
    func notification(_ id: NotificationID) async throws(ServiceFailure) -> Notification

    /// Fetches the newest unarchived notifications of the whole inbox, independent of the displayed tab, with one
    /// request. `isAll`: there are no others.
    func newest() async throws(ServiceFailure) -> (notifications: [Notification], isAll: Bool)

    /// Fetches one page of a view, without effect on what ``run(after:_:)`` reports.
    ///
    /// - Parameters:
    ///   - place: The page begins after this place, and repeats the notifications of its time; nil: at the top.
    ///   - size: The number of notifications, which the service may limit.
    ///   - skipsTies: The page does not repeat the notifications of that time.
    func page(
        of predicate: InboxPredicate,
        after place: SortKey?,
        size: Int,
        skipsTies: Bool
    ) async throws(ServiceFailure) -> ViewPage

    /// The default number of notifications on a page.
    var pageSize: Int { get }

    /// Reloads the list and the counts.
    func refresh() async throws(ServiceFailure)

    /// The user's notification preferences; `nil` if the service has none.
    var preferences: (any PreferencesService)? { get }

    /// Ends the backoff before the next attempt, if there is one; also ends ``suspend()``.
    func reconnect() async

    /// The user signs out on this computer: removes what was registered at the service for it. Nothing is removed if it
    /// fails.
    func signOut() async throws(ServiceFailure)

    // MARK: Events of the host

    /// Closes the connection cleanly and stays disconnected until ``reconnectNow()`` or ``reconnect()``. Returns when
    /// the connection is closed, or at cancellation. Notifications of the meantime are reported after the reconnect.
    func suspend() async

    /// Reconnects at once, even if the connection seems to work: after a suspend or on another network it may be
    /// broken without an error.
    func reconnectNow() async

    /// The wall clock was set by `change` (negative: backward): everything that depends on it is checked again.
    func wallClockChanged(by change: Duration) async

    /// Whether the host is reported to have no network. It explains a failure, but does not prevent attempts.
    func setNetworkUnavailable(_ isAway: Bool) async
}

extension InboxService {
    package func isID(_ id: NotificationID) -> Bool { true }

    /// A service at which nothing is registered.
    package func signOut() async throws(ServiceFailure) {}
}

/// An event of an inbox.
package enum ServiceEvent: Equatable, Sendable {
    /// The state of the connection changed.
    case connection(Connection)
    /// The newest part of the inbox, or a count, changed.
    case contents(InboxUpdate)
    /// Notifications that were not reported before, oldest first. `isCatchUp`: they arrived while the connection was
    /// down, possibly with others.
    case arrived([Notification], isCatchUp: Bool = false)
    /// A notification changed, whether it is loaded or not.
    case updated(Notification)
    /// Notifications were seen, whether they are loaded or not.
    case seen([NotificationID])
    /// All notifications up to now were marked as read.
    case allRead
    /// The catch-up is complete; the newest notification of the inbox was created at this time.
    case caughtUp(Timestamp)
    /// The connection waits for something on this computer, in a sentence; nil: no longer.
    case delayed(ServiceFailure?)
    /// Why an account that is not let in has no token: it replaces the reason that the service gave.
    case refused(ServiceFailure)
    /// The account's token is of another user than the one that the service was made for. The service sends nothing
    /// with it.
    case identified(InboxOwner)
}

/// A user's inbox at a service: what state belongs to.
package struct InboxOwner: Hashable, Sendable {
    /// The user's id at the service, to display; empty: unknown.
    package var user: String
    /// The identity of the inbox at the service: hosts, project, user.
    package var inbox: [String]

    package init(user: String, inbox: [String]) {
        self.user = user
        self.inbox = inbox
    }
}

/// A change of the newest part of an inbox, which is kept up to date, and the present counts.
package struct InboxUpdate: Equatable, Sendable {
    /// Added and changed notifications, in order.
    package var changed: [Notification]
    package var removed: [NotificationID]
    /// Notifications that are no longer part of it; the service still has them.
    package var unloaded: [NotificationID]
    package var counts: Counts
    /// Whether the service has further notifications; true while it is not known.
    package var hasMore: Bool
    /// Whether the service has reported what is unread, or never reports it.
    package var isCounted: Bool
    /// Whether the newest part is what the service has; false until it is loaded, and while events may be missing.
    package var isComplete: Bool

    package init(
        changed: [Notification] = [],
        removed: [NotificationID] = [],
        unloaded: [NotificationID] = [],
        counts: Counts = Counts(),
        hasMore: Bool = false,
        isCounted: Bool = true,
        isComplete: Bool = true
    ) {
        self.changed = changed
        self.removed = removed
        self.unloaded = unloaded
        self.counts = counts
        self.hasMore = hasMore
        self.isCounted = isCounted
        self.isComplete = isComplete
    }
}

/// One page of a view.
package struct ViewPage: Equatable, Sendable {
    /// In the service's order.
    package var notifications: [Notification]
    package var hasMore: Bool

    package init(_ notifications: [Notification], hasMore: Bool) {
        self.notifications = notifications
        self.hasMore = hasMore
    }

    /// Whether the page contains a notification that is older than this place, and not of the same time; nil: any.
    package func goesBeyond(_ place: SortKey?) -> Bool {
        guard let place else { return !notifications.isEmpty }
        return notifications.contains { place.isEarlier(than: SortKey(of: $0)) }
    }
}

/// The state of the connection to a service.
package struct Connection: Equatable, Sendable {
    /// The values of `org.feedbell.Agent1.Account.State`.
    package enum State: String, Sendable, CaseIterable {
        case offline, connecting, online, unauthorized, suspended
    }

    package var state: State
    /// When this state began.
    package var since: Timestamp
    /// When the next attempt is made; `nil` if none is scheduled.
    package var nextAttempt: Timestamp?
    /// The last failure; `nil` if the connection is up or was never tried.
    package var failure: ServiceFailure?

    package init(
        state: State,
        since: Timestamp,
        nextAttempt: Timestamp? = nil,
        failure: ServiceFailure? = nil
    ) {
        self.state = state
        self.since = since
        self.nextAttempt = nextAttempt
        self.failure = failure
    }
}

/// The capabilities of a service, the values of `org.feedbell.Agent1.Account.Capabilities`.
package struct Capabilities: OptionSet, Sendable, Hashable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let archive = Capabilities(rawValue: 1 << 0)
    package static let unarchive = Capabilities(rawValue: 1 << 1)
    package static let delete = Capabilities(rawValue: 1 << 2)
    package static let seen = Capabilities(rawValue: 1 << 3)
    package static let pinOrder = Capabilities(rawValue: 1 << 4)
    package static let serverBadge = Capabilities(rawValue: 1 << 5)
    package static let tabs = Capabilities(rawValue: 1 << 6)
    package static let preferences = Capabilities(rawValue: 1 << 7)
    package static let categoryPreferences = Capabilities(rawValue: 1 << 8)
    package static let channelLevels = Capabilities(rawValue: 1 << 9)
    package static let digest = Capabilities(rawValue: 1 << 10)
    package static let properties = Capabilities(rawValue: 1 << 11)
    /// The user can subscribe to topics, and unsubscribe.
    package static let topics = Capabilities(rawValue: 1 << 12)

    private static let named: [(Capabilities, String)] = [
        (.archive, "archive"), (.unarchive, "unarchive"), (.delete, "delete"), (.seen, "seen"),
        (.pinOrder, "pin-order"), (.serverBadge, "server-badge"), (.tabs, "tabs"),
        (.preferences, "preferences"), (.categoryPreferences, "category-preferences"),
        (.channelLevels, "channel-levels"), (.digest, "digest"), (.properties, "properties"),
        (.topics, "topics"),
    ]

    /// The names of the contained capabilities, in order of declaration.
    package var names: [String] { Self.named.filter { contains($0.0) }.map(\.1) }
}

/// A failed request to a service.
package struct ServiceFailure: Error, Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Unreachable or overloaded: retry.
        case transient
        /// Permanently rejected: revert and report.
        case rejected
        /// There is no such notification.
        case notFound
        /// The credentials were rejected: the user must act.
        case unauthorized
        /// The service does not support it.
        case unsupported
        /// The service does not let users change it.
        case notEditable
        /// A limit of this agent.
        case exhausted
        /// The value is not one of the allowed values.
        case invalid
    }

    package var kind: Kind
    /// A sentence for the user, without secrets. It may contain text of the service; invisible characters are removed.
    package var sentence: String
    /// Whether the user ends it by a new token, which `feedbell accounts token` stores.
    package var needsNewToken = false
    /// Why the account has no token; nil: it has one, or its source failed.
    package var missingToken: MissingToken?
    /// The pause that the service asks for after too many requests; nil: none.
    package var retryAfter: Duration?

    /// Whether a retry may succeed: the service was unreachable or rejects the credentials at the moment.
    package var isTransient: Bool { kind == .transient || kind == .unauthorized }

    /// Why a place where Feedbell stores the token of an account has none.
    package enum MissingToken: Hashable, Sendable {
        case notSignedIn
        /// The user has removed it.
        case signedOut
        /// The sign-in with the browser has ended.
        case signInEnded
    }

    package init(_ kind: Kind, _ sentence: String) {
        self.kind = kind
        // Truncated by scalars: one character can be as long as the sentence.
        self.sentence = VisibleText.line(String(sentence.unicodeScalars.prefix(Self.longestSentence)))
    }

    /// The maximum length of a sentence in scalars; a longer one is truncated.
    package static let longestSentence = 500
}
