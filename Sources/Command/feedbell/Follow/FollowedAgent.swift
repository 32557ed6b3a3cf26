import AgentInterface
import DBus
import InboxPresentation

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
    }

    /// The agent's replies, each with its serial number.
    struct State: Sendable {
        var owner: BusName
        var agent: (serial: UInt32, properties: PropertyValues<AgentRoot>)
        var accounts: (serial: UInt32, objects: [ObjectPath: [String: [String: Value]]])
        var lists: [ObjectPath: (serial: UInt32, notifications: [NotificationRecord])]
    }

    /// The only account to follow; nil: all.
    let only: ObjectPath?
    /// The agent whose state was read; nil: none.
    private(set) var owner: BusName?
    private(set) var properties = PropertyValues<AgentRoot>([:])
    private(set) var accounts: [ObjectPath: FollowedAccount] = [:]
    /// Whether the last event reported that no agent is running.
    private var hasReportedStop = false
    private var serials: (agent: UInt32, accounts: UInt32) = (0, 0)
    private var lastReported: [Event] = []

    init(only: ObjectPath? = nil) { self.only = only }

    /// Handles a change of the owner of the agent's bus name; nil: no agent is running.
    mutating func owner(is owner: BusName?) -> [Effect] {
        if owner != nil { return owner == self.owner ? [] : [.read] }
        reset()
        if hasReportedStop { return [] }
        hasReportedStop = true
        return [.emit(["event": .string("agent"), "running": .bool(false)])]
    }

    /// Handles the loss of messages, because the reader of standard output is too slow.
    mutating func lost() -> [Effect] {
        reset()
        return [.emit(["event": .string("behind")]), .read]
    }

    private mutating func reset() {
        self = FollowedAgent(only: only, hasReportedStop: hasReportedStop)
    }

    private init(only: ObjectPath?, hasReportedStop: Bool) {
        self.only = only
        self.hasReportedStop = hasReportedStop
    }

    /// Starts over with a state that was read.
    mutating func restart(with state: State) -> [Effect] {
        reset()
        hasReportedStop = false
        owner = state.owner
        properties = state.agent.properties
        serials = (state.agent.serial, state.accounts.serial)
        let version = properties.members(["version": AgentRoot.version.name])
        let agent = ["event": JSONText.string("agent"), "running": .bool(true)].merging(version) { $1 }
        var effects: [Effect] = [.emit(Event(agent))] + changedEvents()
        for path in state.paths where isFollowed(path) {
            guard let interfaces = state.accounts.objects[path] else { continue }
            var account = FollowedAccount(interfaces)
            effects += account.changedEvents().map(Effect.emit)
            if let (serial, notifications) = state.lists[path] {
                effects += account.list(notifications, serial: serial).map(Effect.emit)
            }
            accounts[path] = account
        }
        return effects + [.emit(["event": .string("ready")])]
    }

    /// Handles a signal.
    mutating func receive(_ message: Message) throws(DBusError) -> [Effect] {
        guard let owner, message.sender == owner, let path = message.path else { return [] }
        if path == AgentNames.agentPath { return try receiveFromAgent(message) }
        guard accounts[path] != nil, message.serial > serials.accounts else { return [] }
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

extension FollowedAgent.State {
    /// The accounts, in the order of the configuration.
    var paths: [ObjectPath] {
        (agent.properties[AgentRoot.accounts] ?? []).filter { accounts.objects[$0] != nil }
    }
}
