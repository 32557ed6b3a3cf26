/// Whose popup is whose: which notifications wait for a server, which are shown under which id, which were shown ever, and what a signal
/// of the server means. Decides only; the driver talks to the server and keeps on disk what has to survive.
///
/// Server ids are only worth anything together with the server that gave them, so they are forgotten with it
/// (desktop-notifications.md §0.2).
///
/// ```
/// arrived ─► waiting ─► in flight ─► shown ─► activated, seen, closed
///               ▲           │
///     holds, bursts    server lost
/// ```
package struct Popups: Sendable {
    /// A notification that no server was told of yet.
    struct Waiting: Equatable {
        var account: String
        var item: Item
        /// How often a server refused it.
        var refusals = 0
        /// Whether a popup was closed to make room for it on a server that was full.
        var hasRoom = false
        var subject: Subject { Subject(account: account, item: item.id) }
    }

    struct InFlight: Equatable {
        /// None: a popup of an earlier life is shown again in its place, so that its clicks come to this one.
        var waiting: [Waiting]
        var kept: KeptPopup
        /// The popup it takes the place of; 0 for none.
        var replaces: UInt32
        var isWithdrawn = false

        /// What is still worth showing, if it was not.
        var undelivered: [Waiting] {
            let subjects = Set(kept.open.subjects)
            return isWithdrawn ? [] : waiting.filter { subjects.contains($0.subject) }
        }
    }

    /// So many notifications wait at the most; of more the oldest are only counted (they stay in the inbox).
    package static let waitingLimit = 500
    /// So many `Notify` calls are unanswered at the most. A server that cannot keep up gets a summary of the rest.
    package static let inFlightLimit = 64
    /// So many open popups are remembered; of more the oldest are forgotten.
    package static let shownLimit = 500
    /// So many notifications a summary knows one by one.
    package static let summaryLimit = 1_000
    /// A server that had no room is asked again after this time.
    package static let fullInterval = Duration.seconds(30)
    /// Signals that come before the answer to their `Notify`, or before it is known whose they are, are kept in this number.
    static let earlySignalLimit = 32
    /// What was missed is complete when nothing more came for so long.
    package static let settling = Duration.milliseconds(300)
    /// So often the end of what was missed is put off.
    package static let settlingLimit = 10
    /// In milliseconds: so much later than a newer one may a notification be told of.
    static let lateness: Int64 = 600_000
    /// In milliseconds: what says to be made more than so much later than now has a wrong time.
    static let clockTolerance: Int64 = 300_000
    /// No timer waits longer; it is looked again then.
    static let longestWait = Duration.seconds(86_400)
    /// So many notifications are looked at when an account is back.
    static let examinationLimit = 50

    var policy: PopupPolicy
    /// The time of the last event that had one.
    private var now: Timestamp?
    /// Whether the server keeps as many popups as it can.
    enum Room { case unknown, none, tried }

    package internal(set) var server: String?
    /// Another name under which the server's signals come, each a second time.
    var alias: String?
    /// Signals that came under one of the two names.
    var unpaired: [SentSignal] = []
    var room = Room.unknown
    package internal(set) var features = ServerFeatures(capabilities: [])
    var holds: [Hold: Bool] = [:]
    var isLocked = false
    var burst = Burst()
    /// How often the end of what was missed was put off; nil: nothing was missed.
    var settlings: Int?
    var waiting: [Waiting] = []
    /// Counted only, by urgency.
    var omitted: [UInt8: Int] = [:]
    var inFlight: [Request: InFlight] = [:]
    var shown: [UInt32: OpenPopup] = [:]
    /// The ids in `shown`, oldest first.
    var order: [UInt32] = []
    var early: [Event] = []
    var marks: [String: DeliveryMarks] = [:]
    var restored: [String: [UInt32: KeptPopup]] = [:]
    private var lastRequest: UInt64 = 0

    package init(policy: PopupPolicy) { self.policy = policy }

    package mutating func receive(_ event: Event) -> [Effect] {
        now = event.now ?? now
        switch event {
        case .restored(let marks, let popups):
            self.marks = marks
            restored = popups
            return []
        case .caughtUp(let account, let newest):
            return raiseFloor(of: account, newest: newest)
        case .arrived(let account, let items, let isCatchUp, let now):
            return take(items, of: account, isCatchUp: isCatchUp, now: now)
        case .withdrawn(let subject):
            return withdraw { $0 == subject }
        case .accountOnline(let account):
            let open = order.reversed().flatMap { shown[$0]?.subjects ?? [] }
            let subjects = Array(open.filter { $0.account == account }.prefix(Self.examinationLimit))
            return subjects.isEmpty ? [] : [.examine(subjects)]
        case .accountRemoved(let account), .allWithdrawn(let account):
            return withdraw { $0.account == account }
        case .serverAppeared(let server, let features, let closed, let alias, let now):
            return appear(server, features, closed, alias, now: now)
        case .serverVanished:
            return loseServer()
        case .serverLost(let server):
            return server == self.server ? loseServer() : []
        case .shown(let request, let id, let now):
            return register(request, id: id, now: now) + showWaiting(now: now)
        case .failed(let request, let retry, let now):
            return putBack(request, retry: retry) + showWaiting(now: now)
        case .unsent(let request, let now):
            waiting.insert(contentsOf: inFlight.removeValue(forKey: request)?.undelivered ?? [], at: 0)
            return showWaiting(now: now)
        case .refusedAsFull(let request, let now):
            return makeRoom(for: request, now: now)
        case .activationToken(let server, let id, _), .actionInvoked(let server, let id, _),
            .closed(let server, let id, _):
            return signal(event, of: server, id: id)
        case .held(let hold, let exceptCritical):
            holds[hold] = exceptCritical
            return []
        case .released(let hold, let now):
            holds[hold] = nil
            return showWaiting(now: now)
        case .locked(let isLocked):
            self.isLocked = isLocked
            return []
        case .fired(.settled, let now):
            settlings = nil
            waiting.sort { $0.item.created < $1.item.created }
            return showWaiting(now: now)
        case .fired(.burst, let now):
            burst.close()
            return showWaiting(now: now)
        case .fired(.expiry, let now):
            return expire(now: now)
        case .fired(.full, let now):
            return askFullServer(now: now)
        case .policyChanged(let policy):
            self.policy = policy
            return []
        }
    }

    // MARK: What was shown ever

    /// What is still to be shown stays above the floor, and what may still be on its way from the service.
    private mutating func raiseFloor(of account: String, newest: Timestamp) -> [Effect] {
        let known = marks[account]?.floor
        let undelivered = (waiting + inFlight.values.flatMap(\.waiting)).filter { $0.account == account }
        let oldest = undelivered.map(\.item.created).min() ?? Timestamp(milliseconds: .max)
        // Of an earlier run that believed a time in the future: it would hide everything that comes until then.
        let isAhead = known.map { known in
            let limit = known.advanced(milliseconds: -Self.clockTolerance)
            return newest < limit && now.map { $0 < limit } ?? false
        }
        let settled = isAhead ?? true ? newest : newest.advanced(milliseconds: -Self.lateness)
        let floor = min(settled, oldest.advanced(milliseconds: -1))
        // Not for every little step, each of which is written down.
        let isWorthIt = known.map { $0.advanced(milliseconds: Self.lateness / 10) < floor } ?? true
        guard isAhead == true || isWorthIt else { return [] }
        if isAhead == true { marks[account]?.lower(to: floor) }
        marks[account, default: DeliveryMarks()].raise(to: floor)
        return [.delivered(account: account, [:], floor: floor)]
    }

    mutating func deliver(_ delivered: [Waiting], now: Timestamp) -> [Effect] {
        Dictionary(grouping: delivered, by: \.account).sorted { $0.key < $1.key }.map { account, delivered in
            let created = Dictionary(delivered.map { ($0.item.id, $0.item.created) }) { $1 }
            let floor = marks[account]?.floor
            let latest = now.advanced(milliseconds: Self.clockTolerance)
            for (id, created) in created {
                marks[account, default: DeliveryMarks()].add(id, created: created, latest: latest)
            }
            let newFloor = marks[account]?.floor
            return .delivered(account: account, created, floor: newFloor == floor ? nil : newFloor)
        }
    }

    mutating func nextRequest() -> Request {
        lastRequest += 1
        return Request(number: lastRequest)
    }
}
