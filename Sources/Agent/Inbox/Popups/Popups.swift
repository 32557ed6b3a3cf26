package import Basics

/// The state machine of popups: which notifications wait, which are shown under which id, which were shown before, and
/// the meaning of the server's signals. It has no I/O: its driver calls the server and writes to disk.
///
/// Popup ids are valid only for the server that returned them, so they are discarded when it vanishes.
///
/// ```
/// arrived ─► waiting ─► queued ─► in flight ─► shown ─► activated, seen, closed
///               ▲          │          │
///     holds, bursts       server lost
/// ```
package struct Popups: Sendable {
    /// A notification that was not sent to a server yet.
    struct Waiting: Equatable {
        var account: String
        var notification: Notification
        var arrived: Timestamp
        /// The index of the rule that applies to it; nil: none.
        var rule: Int?
        /// Thread key: a later notification with the same key replaces its popup; nil: none replaces it.
        var thread: String?
        /// How often a server refused it.
        var refusals = 0
        /// Whether the notification was snoozed, and pops up again.
        var wasSnoozed = false
        var reference: NotificationReference { NotificationReference(account: account, id: notification.id) }
    }

    /// The maximum number of waiting notifications; beyond it the oldest are only counted (they stay in the inbox).
    package static let waitingLimit = 500
    /// The maximum number of popups that wait for their turn. A slow server gets a summary of the rest.
    package static let queueLimit = 64
    /// The maximum number of calls without a reply of which it is not known that their popups are shown.
    package static let unansweredLimit = 64
    /// The maximum number of tracked open popups; beyond it the oldest are no longer tracked.
    package static let shownLimit = 500
    /// The maximum number of closed popups that are tracked because the server may show them again.
    package static let closedLimit = 50
    /// The maximum number of notifications that a summary tracks individually.
    package static let summaryLimit = 1_000
    /// The interval between attempts after the server has reached its limit.
    package static let fullInterval = Duration.seconds(30)
    /// A popup that is reported as expired within this time, in milliseconds, was not shown.
    package static let refusalTime: Int64 = 200
    /// The time from the end of a popup, which the server may not know yet, to the next attempt.
    package static let closingTime = Duration.milliseconds(250)
    /// The maximum number of popups of the previous run that are replaced so that clicks on them are reported.
    package static let revivalLimit = 20
    /// The time from such a replacement, if the server rejects it, to the next attempt. Plasma rejects a popup that
    /// equals one of the last second.
    package static let revivalDelay = Duration.seconds(2)
    /// The catch-up is complete when nothing arrives for this time.
    package static let catchUpDelay = Duration.milliseconds(300)
    /// The maximum number of times that further arrivals extend the catch-up.
    package static let catchUpExtensionLimit = 10
    /// The maximum time of a timer; then the condition is checked again.
    static let longestWait = Duration.seconds(86_400)
    /// The maximum number of notifications that are revalidated when an account is online again.
    static let revalidationLimit = 50

    /// Converts a moment to local time, for the rules.
    let localTime: @Sendable (Timestamp) -> WeeklyHours.LocalTime
    var policy: PopupPolicy
    /// The last known time, from events.
    private(set) var now: Timestamp?
    package internal(set) var server: String?
    package internal(set) var features = ServerFeatures(capabilities: [])
    /// Another connection that repeats every signal of the server.
    var alias: String?
    /// The server whose do-not-disturb state is known.
    private var quietKnown: String?
    /// Whether the present signal arrived together with the reply to a call that showed a new popup.
    var isBesideReply = false
    var capacity = ServerCapacity.available
    /// The new popup that the server has confirmed last.
    var confirmed: ConfirmedPopup?
    var signals = ServerSignals()
    var shown = OpenPopups()
    var holds = PopupHolds()
    var isLocked = false
    /// The urgencies whose waiting notifications are one summary, however few they are.
    var together: Set<UInt8> = []
    var burst = RateWindow()
    /// The patterns of the present rules that were reported.
    var reportedPatterns: Set<Rules.ExceedingPattern> = []
    /// When the timer of the digests fires; nil: it does not run.
    var nextDigest: Timestamp?
    /// How often the catch-up was extended; nil if there is none.
    var catchUpExtensions: Int?
    var waiting: [Waiting] = []
    /// The number of omitted notifications, by urgency.
    var omitted: [UInt8: Int] = [:]
    /// In their order. At most one is in flight.
    var calls: [Call] = []
    var marks: [String: DeliveryMarks] = [:]
    var restored: [String: [UInt32: SavedPopup]] = [:]
    /// The notifications whose popups the previous run has sent to the present server, which had not answered yet.
    var unconfirmed: Set<NotificationReference> = []
    /// The popups of the previous run that could not be replaced by themselves, and are to be once more.
    var unrevived: [UInt32: SavedPopup] = [:]
    var lastRequest: UInt64 = 0

    /// - Parameter localTime: Converts a moment to local time.
    package init(
        policy: PopupPolicy,
        localTime: @escaping @Sendable (Timestamp) -> WeeklyHours.LocalTime = WeeklyHours.LocalTime.init(utc:)
    ) {
        self.policy = policy
        self.localTime = localTime
    }

    package mutating func receive(_ event: Event) -> [Effect] {
        now = event.now ?? now
        return handle(event) + callNext()
    }

    private mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .restored(let marks, let popups):
            self.marks = marks
            restored = popups
            return []
        case .caughtUp(let account, let newest):
            return raiseWatermark(of: account, newest: newest)
        case .arrived(let account, let notifications, let isCatchUp, let now):
            return add(notifications, of: account, isCatchUp: isCatchUp, now: now)
        case .snoozeEnded(let account, let notification, let now):
            return add([notification], of: account, isCatchUp: false, wasSnoozed: true, now: now)
        case .withdrawn(let reference):
            return withdraw { $0 == reference }
        case .read(let reference):
            return withdraw(except: \.isResident) { $0 == reference }
        case .seenElsewhere(let reference):
            return withdraw(except: staysWhenSeen) { $0 == reference }
        case .accountOnline(let account):
            let references = Array(shown.references(of: account).prefix(Self.revalidationLimit))
            return references.isEmpty ? [] : [.respond(.revalidate(references))]
        case .accountRemoved(let account):
            return withdraw { $0.account == account }
        case .allRead(let account):
            return withdraw(except: \.isResident) { $0.account == account }
        case .serverAppeared(let server, let features, let closed, let alias, let now):
            return appear(server, features, closed, alias, now: now)
        case .quietKnown(let server, let now):
            quietKnown = server
            return showWaiting(now: now)
        case .serverVanished:
            return loseServer()
        case .serverLost(let server):
            return server == self.server ? loseServer() : []
        case .shown(let request, let id, let now):
            return settleUnanswered(now: now) + register(request, id: id, now: now) + showWaiting(now: now)
        case .sent(let request):
            if let index = index(of: request) { calls[index].isSent = true }
            return []
        case .unanswered(let request, let now):
            return missReply(request, now: now) + showWaiting(now: now)
        case .failed(let request, let now):
            return retry(request) + showWaiting(now: now)
        case .refusedAsFull(let request, let now):
            return makeRoom(for: request) + showWaiting(now: now)
        case .signal(let signal, let isBesideReply, _):
            self.isBesideReply = isBesideReply
            defer { self.isBesideReply = false }
            return receive(signal)
        case .held(let reason, let exceptCritical):
            holds.begin(reason, exceptCritical: exceptCritical)
            return adapt(shown.ids)
        case .released(let reason, let now):
            holds.end(reason)
            if reason == .locked { together = Set(waiting.filter { !isHeld($0) }.map { urgency(of: $0) }) }
            return adapt(shown.ids) + showWaiting(now: now)
        case .locked(let isLocked):
            self.isLocked = isLocked
            return adapt(shown.ids)
        case .fired(.catchUp, let now):
            catchUpExtensions = nil
            waiting.sort { $0.notification.created < $1.notification.created }
            return showWaiting(now: now)
        case .fired(.burst, let now):
            let ended = burst
            burst.close()
            return showWaiting(now: now, after: ended)
        case .fired(.expiry, let now):
            return expire(now: now)
        case .fired(.full, let now):
            return retryFullServer(now: now)
        case .fired(.digest, let now):
            nextDigest = nil
            return showWaiting(now: now)
        case .fired(.picture, let now):
            return endPictureTimeout(now: now)
        case .fired(.revival, _):
            reviveAgain()
            return []
        case .pictureLoaded(let url, let file):
            finishLoading(url, file: file)
            return []
        case .policyChanged(let policy):
            return change(to: policy) + adapt(shown.ids)
        case .exceeded(let patterns):
            return report(patterns)
        }
    }

    /// The popup that shows this notification and no other: an open one, or one of the previous run.
    package func open(showing reference: NotificationReference) -> OpenPopup? {
        shown.popup(of: reference)
            ?? restored.values.lazy.flatMap(\.values).map(\.open).first { $0.shows(reference) }
    }

    /// Whether a popup stays although its notification is seen: that it was shown has marked it as seen. A closed one,
    /// which the server may show again, was marked as seen by its dismissal.
    private var staysWhenSeen: (OpenPopup) -> Bool {
        { [policy] in $0.standing == .closed || ($0.markSeen ?? policy.markSeen) == .shown }
    }

    /// Whether the server would discard popups because of a do-not-disturb that is not known yet.
    var mayDiscard: Bool { features.quirks.discardsWhenQuiet && quietKnown != server }

    // MARK: Delivery marks

    /// Raises the watermark. Notifications that are not shown yet, or may still arrive from the service, stay above it.
    private mutating func raiseWatermark(of account: String, newest: Timestamp) -> [Effect] {
        let undelivered = (waiting + calls.flatMap(\.waiting)).filter { $0.account == account }
        let oldest = undelivered.map(\.notification.created).min()
        let watermark = marks[account, default: DeliveryMarks()].advance(to: newest, before: oldest, now: now)
        return watermark.map { [.delivered(account: account, [:], watermark: $0)] } ?? []
    }

    mutating func deliver(_ delivered: [Waiting], now: Timestamp) -> [Effect] {
        let owners = Dictionary(grouping: delivered, by: \.account).sorted { $0.key < $1.key }
        return owners.flatMap { account, delivered -> [Effect] in
            var created: [NotificationID: Timestamp] = [:]
            for waiting in delivered { created[waiting.notification.id] = waiting.notification.created }
            let watermark = marks[account]?.watermark
            let latest = now.advanced(milliseconds: Timestamp.clockTolerance)
            for (id, created) in created {
                marks[account, default: DeliveryMarks()].add(id, created: created, latest: latest)
            }
            let newWatermark = marks[account]?.watermark
            let raised = newWatermark == watermark ? nil : newWatermark
            let snoozed = delivered.filter(\.wasSnoozed).map(\.notification.id)
            return [.delivered(account: account, created, watermark: raised)]
                + (snoozed.isEmpty ? [] : [.snoozesShown(account: account, snoozed, now: now)])
        }
    }
}
