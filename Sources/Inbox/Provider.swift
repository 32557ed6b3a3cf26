import VisibleText

/// An inbox service as the agent sees it. Each service has one adapter; nothing else knows its words (design.md §2).
package protocol InboxProvider: Sendable {
    /// What this service can do beyond showing its notifications.
    var capabilities: Capabilities { get }

    /// How it does what it can.
    var rules: ServiceRules { get }

    /// Follows the inbox until the task is cancelled, and keeps trying whatever happens to the network or the service.
    /// Arrivals come in order. What the inbox holds may be told later than what arrived, and several changes at once.
    ///
    /// - Parameter marks: What an earlier life of the agent has shown: what came after its floor and was not shown is told as arrived, if
    ///   it is neither seen nor read.
    func run(after marks: DeliveryMarks, _ emit: @escaping @Sendable (ProviderEvent) async -> Void) async

    /// The present time by the clock of the service, which sets the times of creation; rather too early than too late.
    var serviceTime: Timestamp { get async }

    /// Performs one change at the service. Returns when the service has confirmed it.
    ///
    /// - Parameter isDelayed: Time has passed since the change was made. One that concerns the whole inbox is then limited to the
    ///   notifications that were created up to its time; if the service cannot limit it, it is dropped.
    func apply(_ made: MadeChange, isDelayed: Bool) async throws(ProviderFailure)

    /// Asks the service for one notification that is not loaded.
    func item(_ id: ItemID) async throws(ProviderFailure) -> Item

    /// The newest notifications of the whole inbox that are not archived, whatever the shown store, with one request. `isAll`: there
    /// are no others.
    func newest() async throws(ProviderFailure) -> (items: [Item], isAll: Bool)

    /// What the inbox holds now: at least as new as what ``run(_:)`` told last.
    func contents() async -> InboxContents

    /// Loads the next page of the list. Returns how many notifications it added; 0: there are no more.
    func fetchMore() async throws(ProviderFailure) -> Int

    /// Loads the list and the counts again.
    func refresh() async throws(ProviderFailure)

    /// Shows another of the service's stores. `notFound` for one that is not configured.
    func setActiveStore(_ id: String) async throws(ProviderFailure)

    /// The person's notification preferences; `nil` when the service has none.
    var preferences: (any PreferencesProvider)? { get }

    /// Ends a wait for the next attempt, if there is one; also the one that ``suspend()`` has begun.
    func reconnect() async

    // MARK: What happens to the machine

    /// Closes the link in an orderly way and stays away until ``connectAnew()`` or ``reconnect()``. Returns when the link is closed, and
    /// at cancellation. Nothing is lost: what comes meanwhile has arrived when the link is there again.
    func suspend() async

    /// Makes the link anew at once, whatever it seems to be: after a sleep, or on another network, it may be dead without knowing it.
    func connectAnew() async

    /// The wall clock was put forward, or back, by so much: whatever depends on it is looked at again.
    func clockWasSet(by change: Duration) async

    /// Whether the machine is said to have no network. That is a reason to give for a failure, and none not to try.
    func networkIsAway(_ isAway: Bool) async
}

/// What happened to an inbox.
package enum ProviderEvent: Equatable, Sendable {
    /// The link to the service changed.
    case connection(Connection)
    /// The loaded notifications or the counts changed.
    case contents(InboxContents)
    /// Notifications nobody was told of before, oldest first. `isCatchUp`: they came while the link was down, perhaps with others.
    case arrived([Item], isCatchUp: Bool = false)
    /// A notification changed, whether it is loaded or not.
    case updated(Item)
    /// All notifications up to now were marked as read.
    case allRead
    /// All that was missed was told; the newest notification of the inbox was made at this moment.
    case caughtUp(Timestamp)
}

/// The state of the link to a service.
package struct Connection: Equatable, Sendable {
    /// The states of design.md §3, `Account.State`.
    package enum State: String, Sendable, CaseIterable {
        case offline, connecting, online, unauthorized, suspended
    }

    package var state: State
    /// When this state began.
    package var since: Timestamp
    /// When the next attempt is made; `nil` when none is waiting.
    package var nextAttempt: Timestamp?
    /// What went wrong last; `nil` when the link is up or was never tried.
    package var failure: ProviderFailure?

    package init(
        state: State,
        since: Timestamp,
        nextAttempt: Timestamp? = nil,
        failure: ProviderFailure? = nil
    ) {
        self.state = state
        self.since = since
        self.nextAttempt = nextAttempt
        self.failure = failure
    }
}

/// What a service can do, by the names of design.md §3, `Account.Capabilities`.
package struct Capabilities: OptionSet, Sendable, Hashable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let archive = Capabilities(rawValue: 1 << 0)
    package static let unarchive = Capabilities(rawValue: 1 << 1)
    package static let delete = Capabilities(rawValue: 1 << 2)
    package static let seen = Capabilities(rawValue: 1 << 3)
    package static let pinOrder = Capabilities(rawValue: 1 << 4)
    package static let serverBadge = Capabilities(rawValue: 1 << 5)
    package static let stores = Capabilities(rawValue: 1 << 6)
    package static let preferences = Capabilities(rawValue: 1 << 7)
    package static let categoryPreferences = Capabilities(rawValue: 1 << 8)
    package static let channelLevels = Capabilities(rawValue: 1 << 9)

    private static let named: [(Capabilities, String)] = [
        (.archive, "archive"), (.unarchive, "unarchive"), (.delete, "delete"), (.seen, "seen"),
        (.pinOrder, "pin-order"), (.serverBadge, "server-badge"), (.stores, "stores"),
        (.preferences, "preferences"), (.categoryPreferences, "category-preferences"),
        (.channelLevels, "channel-levels"),
    ]

    /// The names of the contained capabilities, in the order of design.md §3.
    package var names: [String] { Self.named.filter { contains($0.0) }.map(\.1) }
}

/// Why a service did not do what it was asked, sorted by what is to be done about it.
package struct ProviderFailure: Error, Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Unreachable or overloaded: try again later.
        case transient
        /// Refused for good: undo and say so.
        case rejected
        /// There is no such notification.
        case notFound
        /// The credentials are not accepted: the user has to act.
        case unauthorized
        /// This service cannot do it.
        case unsupported
        /// This service does not let its people change it.
        case notEditable
    }

    package var kind: Kind
    /// A sentence for the user, free of secrets. It may hold words of the service: what must not be shown is removed.
    package var sentence: String

    /// Whether the same may succeed later: the service could not be reached, or does not accept the credentials at the moment.
    package var isPassing: Bool { kind == .transient || kind == .unauthorized }

    package init(_ kind: Kind, _ sentence: String) {
        self.kind = kind
        // Cut by scalars: one character can be as long as the sentence.
        self.sentence = VisibleText.line(String(sentence.unicodeScalars.prefix(Self.longestSentence)))
    }

    /// Of a longer sentence, such as one with the words of a service, the beginning is kept.
    package static let longestSentence = 500
}
