/// Whose popup is whose: which notifications wait for a server, which are shown under which id, and what a signal of the
/// server means. Decides only; the driver talks to the server.
///
/// Server ids are only worth anything together with the server that gave them, so they are forgotten with it
/// (desktop-notifications.md §0.2).
package struct Popups: Sendable {
    /// A notification of one of the accounts.
    package struct Subject: Hashable, Sendable {
        package var account: String
        package var item: ItemID

        package init(account: String, item: ItemID) {
            self.account = account
            self.item = item
        }
    }

    /// Names one `Notify` call from its sending to its answer.
    package struct Request: Hashable, Sendable {
        package let number: UInt64
        package init(number: UInt64) { self.number = number }
    }

    /// Reasons of `NotificationClosed` that mean something to us.
    package static let dismissedByUser: UInt32 = 2

    package enum Event: Sendable, Equatable {
        /// New notifications of one account, oldest first.
        case arrived(account: String, [Item], now: Timestamp)
        /// A notification was handled, removed or became void elsewhere.
        case withdrawn(Subject)
        /// An account is gone.
        case accountRemoved(String)
        case serverAppeared(owner: String, ServerFeatures, now: Timestamp)
        case serverVanished
        /// `Notify` returned this id.
        case shown(Request, id: UInt32, now: Timestamp)
        /// `Notify` failed. `retry`: the server was not there, so nothing was shown.
        case failed(Request, retry: Bool, now: Timestamp)
        case activationToken(owner: String, id: UInt32, token: String)
        case actionInvoked(owner: String, id: UInt32, key: String)
        case closed(owner: String, id: UInt32, reason: UInt32)
        /// Popups are held back from now on, or again allowed.
        case paused(Bool, now: Timestamp)
        /// The configuration changed. Popups that are shown already stay as they are.
        case policyChanged(PopupPolicy)
    }

    package enum Effect: Sendable, Equatable {
        case notify(Request, Popup)
        case close(id: UInt32)
        /// Something waits and there is no server: one may be started.
        case needServer
        /// The person clicked: count it as interacted and open the address, if there is one.
        case activated(Subject, OpenableURL?, token: String?)
        /// The person has seen these.
        case seen([Subject])
    }

    /// What one popup stands for.
    private struct Shown: Equatable {
        var subjects: [Subject]
        var buttons: [Popup.Button]
        var token: String?
        var isSummary: Bool { subjects.count > 1 }
    }

    private struct Waiting: Equatable {
        var account: String
        var item: Item
        var subject: Subject { Subject(account: account, item: item.id) }
    }

    private struct InFlight: Equatable {
        var waiting: [Waiting]
        var shown: Shown
        var isWithdrawn = false
    }

    /// So many notifications wait for a server or for its answers; of more the oldest are given up (they stay in the inbox).
    package static let waitingLimit = 100
    /// So many `Notify` calls are unanswered at the most. A server that cannot keep up gets a summary of the rest.
    package static let inFlightLimit = 64
    /// So many open popups are remembered; of more the oldest are forgotten.
    package static let shownLimit = 500
    /// Signals that overtake the answer to their `Notify` are kept in this number.
    static let earlySignalLimit = 32

    private var policy: PopupPolicy
    private var owner: String?
    private var features = ServerFeatures(capabilities: [])
    private var isPaused = false
    private var waiting: [Waiting] = []
    private var inFlight: [Request: InFlight] = [:]
    private var shown: [UInt32: Shown] = [:]
    private var order: [UInt32] = []
    private var early: [Event] = []
    private var lastRequest: UInt64 = 0

    package init(policy: PopupPolicy) { self.policy = policy }

    package mutating func receive(_ event: Event) -> [Effect] {
        switch event {
        case .arrived(let account, let items, let now):
            waiting += items.map { Waiting(account: account, item: $0) }
            if waiting.count > Self.waitingLimit { waiting.removeFirst(waiting.count - Self.waitingLimit) }
            return showWaiting(now: now)
        case .withdrawn(let subject):
            return withdraw { $0 == subject }
        case .accountRemoved(let account):
            return withdraw { $0.account == account }
        case .serverAppeared(let owner, let features, let now):
            if owner != self.owner { forgetServer() }
            self.owner = owner
            self.features = features
            return showWaiting(now: now)
        case .serverVanished:
            forgetServer()
            return waiting.isEmpty || isPaused ? [] : [.needServer]
        case .shown(let request, let id, let now):
            return register(request, id: id) + showWaiting(now: now)
        case .failed(let request, let retry, let now):
            guard let call = inFlight.removeValue(forKey: request) else { return [] }
            guard retry else { return showWaiting(now: now) }
            if !call.isWithdrawn { waiting.insert(contentsOf: call.waiting, at: 0) }
            return []
        case .activationToken(let owner, let id, _), .actionInvoked(let owner, let id, _),
            .closed(let owner, let id, _):
            guard owner == self.owner else { return [] }
            guard shown[id] != nil else {
                if !inFlight.isEmpty, early.count < Self.earlySignalLimit { early.append(event) }
                return []
            }
            return signal(event, id: id)
        case .paused(let isPaused, let now):
            self.isPaused = isPaused
            return showWaiting(now: now)
        case .policyChanged(let policy):
            self.policy = policy
            return []
        }
    }

    // MARK: Showing

    private mutating func showWaiting(now: Timestamp) -> [Effect] {
        guard !isPaused else { return [] }
        waiting.removeAll { $0.item.isExpired(at: now) }
        guard !waiting.isEmpty else { return [] }
        guard owner != nil else { return [.needServer] }
        guard inFlight.count < Self.inFlightLimit else { return [] }
        defer { waiting = [] }
        guard waiting.count > policy.groupAbove else {
            return waiting.map { notify([$0], policy.popup(for: $0.item, features: features)) }
        }
        return [notify(waiting, policy.summary(of: waiting.map(\.item), features: features))]
    }

    private mutating func notify(_ waiting: [Waiting], _ popup: Popup) -> Effect {
        lastRequest += 1
        let request = Request(number: lastRequest)
        let shown = Shown(subjects: waiting.map(\.subject), buttons: popup.buttons)
        inFlight[request] = InFlight(waiting: waiting, shown: shown)
        return .notify(request, popup)
    }

    /// Id 0 is what notify-osd and dunst answer for a popup they do not keep: nothing to remember.
    private mutating func register(_ request: Request, id: UInt32) -> [Effect] {
        guard let call = inFlight.removeValue(forKey: request) else { return [] }
        var effects: [Effect] = []
        if policy.markSeen == .shown { effects.append(.seen(call.shown.subjects)) }
        guard id != 0 else { return effects }
        guard !call.isWithdrawn else { return effects + [.close(id: id)] }
        if shown.updateValue(call.shown, forKey: id) == nil { order.append(id) }
        if order.count > Self.shownLimit { shown[order.removeFirst()] = nil }
        let signals = early.filter { Self.id(of: $0) == id }
        let isLast = inFlight.isEmpty
        early.removeAll { isLast || Self.id(of: $0) == id }
        for event in signals where shown[id] != nil { effects += signal(event, id: id) }
        return effects
    }

    private mutating func forgetServer() {
        owner = nil
        shown = [:]
        order = []
        early = []
        let lost = inFlight.sorted { $0.key.number < $1.key.number }.filter { !$0.value.isWithdrawn }.flatMap(
            \.value.waiting
        )
        inFlight = [:]
        waiting.insert(contentsOf: lost, at: 0)
    }

    // MARK: Signals

    private static func id(of event: Event) -> UInt32? {
        switch event {
        case .activationToken(_, let id, _), .actionInvoked(_, let id, _), .closed(_, let id, _): id
        default: nil
        }
    }

    private mutating func signal(_ event: Event, id: UInt32) -> [Effect] {
        guard let popup = shown[id] else { return [] }
        switch event {
        case .activationToken(_, _, let token):
            shown[id]?.token = token.isEmpty ? nil : token
            return []
        case .actionInvoked(_, _, let key):
            // `default` comes from some servers though it was not offered (desktop-notifications.md §1.2).
            let button = popup.buttons.first { $0.key == key }
            guard button != nil || key == Popup.defaultKey else { return [] }
            forget(id)
            guard !popup.isSummary else { return [.seen(popup.subjects), .close(id: id)] }
            return popup.subjects.map { .activated($0, button?.url, token: popup.token) } + [.close(id: id)]
        case .closed(_, _, let reason):
            forget(id)
            guard reason == Self.dismissedByUser, policy.markSeen == .dismissed else { return [] }
            return [.seen(popup.subjects)]
        default:
            return []
        }
    }

    private mutating func forget(_ id: UInt32) {
        shown[id] = nil
        order.removeAll { $0 == id }
    }

    /// A summary stays while one of its notifications does.
    private mutating func withdraw(_ isWithdrawn: (Subject) -> Bool) -> [Effect] {
        waiting.removeAll { isWithdrawn($0.subject) }
        for (request, call) in inFlight where call.shown.subjects.allSatisfy(isWithdrawn) {
            inFlight[request]?.isWithdrawn = true
        }
        let ids = order.filter { shown[$0]?.subjects.allSatisfy(isWithdrawn) ?? false }
        for id in ids { forget(id) }
        return ids.map { .close(id: $0) }
    }
}
