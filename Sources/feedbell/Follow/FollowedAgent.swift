import AgentInterface
import DBus

/// What a follower knows of the agent: what the bus says in, events out.
///
/// The state is read after the signals are subscribed to. Signals that the agent sent before an answer are in that answer
/// already, which their serial numbers tell; and what is no news is not told.
struct FollowedAgent {
    /// What is told: the members of a JSON object, `event` among them.
    typealias Event = [String: Value]

    enum Effect: Equatable {
        case tell(Event)
        /// The agent's state has to be read, for ``know(_:)``.
        case read
    }

    /// The agent's answers, each with its serial number.
    struct State: Sendable {
        var owner: BusName
        var agent: (serial: UInt32, properties: [String: Value])
        var accounts: (serial: UInt32, objects: [ObjectPath: [String: [String: Value]]])
        var lists: [ObjectPath: (serial: UInt32, items: [[String: Value]])]
    }

    /// The only account that is followed; nil for all.
    let only: ObjectPath?
    /// Whose state is known; nil while no agent runs, or before it is read.
    private(set) var owner: BusName?
    private(set) var properties: [String: Value] = [:]
    private(set) var accounts: [ObjectPath: FollowedAccount] = [:]
    /// Whether the person knows that no agent runs.
    private var isToldStopped = false
    private var serials: (agent: UInt32, accounts: UInt32) = (0, 0)
    private var told: [Event] = []

    init(only: ObjectPath? = nil) { self.only = only }

    /// Somebody owns the agent's name now, or nobody does.
    mutating func owner(is owner: BusName?) -> [Effect] {
        if owner != nil { return owner == self.owner ? [] : [.read] }
        forget()
        if isToldStopped { return [] }
        isToldStopped = true
        return [.tell(["event": .string("agent"), "running": .bool(false)])]
    }

    /// Something that the bus said was lost, because the reader is slow.
    mutating func lost() -> [Effect] {
        forget()
        return [.tell(["event": .string("behind")]), .read]
    }

    private mutating func forget() {
        self = FollowedAgent(only: only, isToldStopped: isToldStopped)
    }

    private init(only: ObjectPath?, isToldStopped: Bool) {
        self.only = only
        self.isToldStopped = isToldStopped
    }

    /// The agent's state was read.
    mutating func know(_ state: State) -> [Effect] {
        forget()
        isToldStopped = false
        owner = state.owner
        properties = state.agent.properties
        serials = (state.agent.serial, state.accounts.serial)
        var agent: Event = ["event": .string("agent"), "running": .bool(true)]
        agent["version"] = properties[AgentRoot.version.name.text]
        var effects: [Effect] = [.tell(agent)] + news()
        for path in state.paths where isFollowed(path) {
            guard let interfaces = state.accounts.objects[path] else { continue }
            var account = FollowedAccount(interfaces)
            effects += account.news().map(Effect.tell)
            if let (serial, items) = state.lists[path] {
                effects += account.list(items, serial: serial).map(Effect.tell)
            }
            accounts[path] = account
        }
        return effects + [.tell(["event": .string("ready")])]
    }

    /// A signal arrived.
    mutating func receive(_ message: Message) throws(DBusError) -> [Effect] {
        guard let owner, message.sender == owner, let path = message.path else { return [] }
        if path == AgentNames.agentPath { return try receiveFromAgent(message) }
        guard accounts[path] != nil, message.serial > serials.accounts else { return [] }
        return try accounts[path]?.receive(message).map(Effect.tell) ?? []
    }

    private mutating func receiveFromAgent(_ message: Message) throws(DBusError) -> [Effect] {
        if let changes = try PropertyValues<AgentRoot>(changedIn: message), message.serial > serials.agent {
            properties.merge(changes.values) { $1 }
            return news()
        }
        guard message.serial > serials.accounts else { return [] }
        if let (path, interfaces) = try ObjectManagerInterface.interfacesAdded.decode(message), isFollowed(path) {
            var account = FollowedAccount(interfaces)
            defer { accounts[path] = account }
            return account.news().map(Effect.tell)
        }
        if let (path, _) = try ObjectManagerInterface.interfacesRemoved.decode(message),
            let account = accounts.removeValue(forKey: path)
        {
            return [.tell(["event": .string("account-removed"), "account": .string(account.name)])]
        }
        return []
    }

    private func isFollowed(_ path: ObjectPath) -> Bool { only == nil || path == only }

    /// What is told of the agent itself and was not told so before.
    private mutating func news() -> [Effect] {
        var paused: Event = ["event": .string("paused")]
        paused["paused"] = properties[AgentRoot.paused.name.text]
        paused["paused_until"] = properties[AgentRoot.pausedUntil.name.text]
        paused["held_back"] = properties[AgentRoot.heldBack.name.text]
        var totals: Event = ["event": .string("totals")]
        totals["unread"] = properties[AgentRoot.unreadCount.name.text]
        totals["attention_needed"] = properties[AgentRoot.attentionNeeded.name.text]
        let now = only == nil ? [totals, paused] : [paused]
        defer { told = now }
        return now.filter { !told.contains($0) }.map(Effect.tell)
    }
}

extension FollowedAgent.State {
    /// The accounts, in the order of the configuration.
    var paths: [ObjectPath] {
        let listed = (try? PropertyValues<AgentRoot>(agent.properties).value(AgentRoot.accounts)) ?? []
        return listed.filter { accounts.objects[$0] != nil }
    }
}
