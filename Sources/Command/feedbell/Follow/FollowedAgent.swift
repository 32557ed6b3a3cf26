import AgentInterface
import DBus

/// The state of the followed agent: D-Bus messages in, events out.
///
/// The state is read after the subscription to signals. A signal that the agent sent before a reply has a lower serial
/// number, and is ignored because the reply includes its change. Unchanged values are not reported.
struct FollowedAgent {
    typealias Event = FollowedEvent

    enum Effect: Equatable {
        case emit(Event)
        /// Read the agent's state and pass it to ``restart(with:)``.
        case read
        /// Read the notifications of an account that were created since then, or have these ids, and pass them to
        /// ``madeUp(_:of:)``.
        case makeUp(ObjectPath, since: Int64, ids: [String])
    }

    /// The agent's replies, each with its serial number.
    struct State: Sendable {
        var snapshot: AgentSnapshot
        var lists: [ObjectPath: (serial: UInt32, notifications: [NotificationRecord])]
    }

    /// The only account to follow; nil: all.
    let only: ObjectPath?
    /// The agent whose state was read; nil: none.
    private(set) var owner: BusName?
    private(set) var properties = PropertyValues<AgentRoot>([:])
    private(set) var accounts: [ObjectPath: FollowedAccount] = [:]
    /// What has arrived, by account, also while its state is not known.
    private var arrivals: [ObjectPath: FollowedArrivals] = [:]
    /// When this program began to follow, in milliseconds since the Unix epoch.
    private let start: Int64
    /// Whether arrivals were lost that the next state makes up for.
    private var hasLost = false
    /// Whether the last event reported that no agent is running.
    private var hasReportedStop = false
    private var serials: (agent: UInt32, accounts: UInt32) = (0, 0)
    private var lastReported: [Event] = []

    /// - Parameter now: Milliseconds since the Unix epoch.
    init(only: ObjectPath? = nil, now: Int64 = 0) {
        self.only = only
        start = now
    }

    /// Handles a change of the owner of the agent's bus name; nil: no agent is running.
    mutating func owner(is owner: BusName?) -> [Effect] {
        if owner != nil { return owner == self.owner ? [] : [.read] }
        reset()
        if hasReportedStop { return [] }
        hasReportedStop = true
        return [.emit(["event": .string("agent"), "running": .bool(false)])]
    }

    /// Handles the loss of messages, because the reader of standard output is too slow.
    ///
    /// - Parameter ids: Of the lost notifications that have arrived, by account.
    mutating func lost(_ ids: [ObjectPath: [String]] = [:]) -> [Effect] {
        reset()
        hasLost = true
        for (path, ids) in ids where isFollowed(path) {
            arrivals[path, default: FollowedArrivals(since: start)].lose(ids)
        }
        return [.emit(["event": .string("behind")]), .read]
    }

    private mutating func reset() {
        (owner, properties, accounts) = (nil, PropertyValues([:]), [:])
        (serials, lastReported) = ((0, 0), [])
    }

    /// Starts over with a state that was read.
    mutating func restart(with state: State) -> [Effect] {
        let snapshot = state.snapshot
        reset()
        hasReportedStop = false
        owner = snapshot.owner
        properties = snapshot.agent.properties
        serials = (snapshot.agent.serial, snapshot.accounts.serial)
        let version = properties.members(["version": AgentRoot.version.name])
        let agent = ["event": JSONText.string("agent"), "running": .bool(true)].merging(version) { $1 }
        var effects: [Effect] = [.emit(Event(agent))] + changedEvents()
        for path in snapshot.paths where isFollowed(path) {
            guard let interfaces = snapshot.accounts.objects[path] else { continue }
            var account = FollowedAccount(interfaces)
            effects += account.changedEvents().map(Effect.emit)
            if let (serial, notifications) = state.lists[path] {
                effects += account.list(notifications, serial: serial).map(Effect.emit)
                if !hasLost { arrivals[path, default: FollowedArrivals(since: start)].list(notifications) }
            }
            accounts[path] = account
        }
        effects.append(.emit(["event": .string("ready")]))
        guard hasLost else { return effects }
        hasLost = false
        return effects
            + snapshot.paths.filter(isFollowed).map { path in
                let arrivals = arrivals[path] ?? FollowedArrivals(since: start)
                return .makeUp(path, since: arrivals.since, ids: arrivals.lostIDs)
            }
    }

    /// Reports what has arrived and was lost, and how much of it the inbox no longer has.
    ///
    /// - Parameter notifications: Those that were asked for, as far as the agent has them.
    mutating func madeUp(_ notifications: [NotificationRecord], of path: ObjectPath) -> [Effect] {
        guard let account = accounts[path] else { return [] }
        var known = arrivals[path] ?? FollowedArrivals(since: start)
        let events = known.makeUp(for: notifications).map { Effect.emit(account.arrival(of: $0)) }
        let missing = known.end()
        arrivals[path] = known
        return missing == 0 ? events : events + [.emit(account.missed(missing))]
    }

    /// Handles a signal.
    mutating func receive(_ message: Message) throws(DBusError) -> [Effect] {
        guard let owner, message.sender == owner, let path = message.path else { return [] }
        if path == AgentNames.agentPath { return try receiveFromAgent(message) }
        guard accounts[path] != nil else { return [] }
        if let (_, values) = try AgentInbox.notificationArrived.decode(message) {
            // After a loss, earlier ones may still wait.
            let notification = NotificationRecord(values)
            let isNew = arrivals[path, default: FollowedArrivals(since: start)].add(notification)
            return isNew ? (accounts[path]?.arrival(of: notification)).map { [.emit($0)] } ?? [] : []
        }
        guard message.serial > serials.accounts else { return [] }
        return try accounts[path]?.receive(message).map(Effect.emit) ?? []
    }

    private mutating func receiveFromAgent(_ message: Message) throws(DBusError) -> [Effect] {
        if let changes = try PropertyValues<AgentRoot>(changedIn: message), message.serial > serials.agent {
            properties.values.merge(changes.values) { $1 }
            return changedEvents()
        }
        guard message.serial > serials.accounts else { return [] }
        if let (path, interfaces) = try ObjectManagerInterface.interfacesAdded.decode(message), isFollowed(path) {
            var account = FollowedAccount(interfaces)
            defer { accounts[path] = account }
            return account.changedEvents().map(Effect.emit)
        }
        if let (path, _) = try ObjectManagerInterface.interfacesRemoved.decode(message),
            let account = accounts.removeValue(forKey: path)
        {
            return [.emit(["event": .string("account-removed"), "account": .string(account.name)])]
        }
        return []
    }

    private func isFollowed(_ path: ObjectPath) -> Bool { only == nil || path == only }

    /// The events of the agent's own properties that differ from the last reported ones.
    private mutating func changedEvents() -> [Effect] {
        let paused = properties.members([
            "paused": AgentRoot.paused.name, "paused_until": AgentRoot.pausedUntil.name,
            "held_back": AgentRoot.heldBack.name,
        ]).merging(["event": .string("paused")]) { $1 }
        let totals = properties.members([
            "unread": AgentRoot.unreadCount.name, "attention_needed": AgentRoot.attentionNeeded.name,
        ]).merging(["event": .string("totals")]) { $1 }
        let now = (only == nil ? [totals, paused] : [paused]).map { Event($0) }
        defer { lastReported = now }
        return now.filter { !lastReported.contains($0) }.map(Effect.emit)
    }
}
