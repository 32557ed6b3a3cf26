import AgentInterface
import DBus

/// The state of the followed agent: D-Bus messages in, events out.
///
/// The state is read after the subscription to signals. A signal that the agent sent before a reply has a lower serial
/// number, and is ignored because the reply includes its change. Unchanged values are not reported.
struct FollowedAgent {
    /// An event: the members of a JSON object, including `event`.
    typealias Event = [String: Value]

    enum Effect: Equatable {
        case emit(Event)
        /// Read the agent's state and pass it to ``restart(with:)``.
        case read
    }

    /// The agent's replies, each with its serial number.
    struct State: Sendable {
        var owner: BusName
        var agent: (serial: UInt32, properties: [String: Value])
        var accounts: (serial: UInt32, objects: [ObjectPath: [String: [String: Value]]])
        var lists: [ObjectPath: (serial: UInt32, notifications: [[String: Value]])]
    }

    /// The only account to follow; nil: all.
    let only: ObjectPath?
    /// The agent whose state was read; nil: none.
    private(set) var owner: BusName?
    private(set) var properties: [String: Value] = [:]
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
        var agent: Event = ["event": .string("agent"), "running": .bool(true)]
        agent["version"] = properties[AgentRoot.version.name.text]
        var effects: [Effect] = [.emit(agent)] + changedEvents()
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
            properties.merge(changes.values) { $1 }
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
        var paused: Event = ["event": .string("paused")]
        paused["paused"] = properties[AgentRoot.paused.name.text]
        paused["paused_until"] = properties[AgentRoot.pausedUntil.name.text]
        paused["held_back"] = properties[AgentRoot.heldBack.name.text]
        var totals: Event = ["event": .string("totals")]
        totals["unread"] = properties[AgentRoot.unreadCount.name.text]
        totals["attention_needed"] = properties[AgentRoot.attentionNeeded.name.text]
        let now = only == nil ? [totals, paused] : [paused]
        defer { lastReported = now }
        return now.filter { !lastReported.contains($0) }.map(Effect.emit)
    }
}

extension FollowedAgent.State {
    /// The accounts, in the order of the configuration.
    var paths: [ObjectPath] {
        let listed = (try? PropertyValues<AgentRoot>(agent.properties).value(AgentRoot.accounts)) ?? []
        return listed.filter { accounts.objects[$0] != nil }
    }
}
