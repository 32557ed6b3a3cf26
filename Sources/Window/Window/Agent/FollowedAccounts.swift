import AgentInterface
import DBus
import InboxPresentation

/// The accounts of the agent: signals in, events of the page out.
struct FollowedAccounts {
    enum Result: Equatable {
        case event(AgentEvent)
        /// The accounts are others, or in another order.
        case readAgain
    }

    private var objects: [ObjectPath: [String: [String: Value]]]
    private var root: PropertyValues<AgentRoot>

    init(
        _ objects: [ObjectPath: [String: [String: Value]]] = [:],
        root: PropertyValues<AgentRoot> = PropertyValues([:])
    ) {
        self.objects = objects
        self.root = root
    }

    /// In the order of the configuration.
    var states: [AccountState] {
        (root[AgentRoot.accounts] ?? []).compactMap { objects[$0].map(AccountState.init) }
    }

    var pause: SettingsPage.Pause {
        SettingsPage.Pause(isPaused: root[AgentRoot.paused] ?? false, until: root[AgentRoot.pausedUntil] ?? 0)
    }

    /// - Returns: nil: the signal does not concern the page.
    mutating func receive(_ message: Message) -> Result? {
        guard let path = message.path else { return nil }
        if path == AgentNames.agentPath { return rootChanged(message) }
        guard let object = objects[path] else { return nil }
        if let (interface, changed, _) = try? PropertiesInterface.propertiesChanged.decode(message) {
            objects[path]?[interface, default: [:]].merge(changed) { $1 }
            return .event(.accounts(states))
        }
        let account = AccountState(object).name
        if let (id, _) = try? AgentInbox.notificationArrived.decode(message) {
            return .event(.inbox(.arrived(RowID(account: account, id: id))))
        }
        if let (_, ids, _, reason) = try? AgentInbox.actionFailed.decode(message) {
            return .event(.inbox(.rejected(account: account, ids: ids, reason: reason)))
        }
        if let id = changedID(message) { return .event(.inbox(.changed(account: account, ids: [id]))) }
        return preferencesEvent(message, of: account).map { .event(.preferences($0)) }
    }

    private func preferencesEvent(_ message: Message, of account: String) -> PreferencesPage.Event? {
        if let categories = try? AgentPreferences.updated.decode(message) {
            return .changed(account: account, categories.map(CategoryRecord.init))
        }
        if let (target, _, reason) = try? AgentPreferences.updateFailed.decode(message) {
            return .rejected(account: account, target: target, reason: reason)
        }
        return nil
    }

    private func changedID(_ message: Message) -> String? {
        if let (id, _) = try? AgentInbox.notificationAdded.decode(message) { return id }
        if let (id, _) = try? AgentInbox.notificationChanged.decode(message) { return id }
        return try? AgentInbox.notificationRemoved.decode(message)
    }

    private mutating func rootChanged(_ message: Message) -> Result? {
        if (try? AgentRoot.rulesChanged.decode(message)) != nil { return .event(.settings(.rulesChanged)) }
        guard let changes = try? PropertyValues<AgentRoot>(changedIn: message) else {
            return message.interface == ObjectManagerInterface.name ? .readAgain : nil
        }
        if changes[AgentRoot.accounts] != nil { return .readAgain }
        let before = pause
        root.values.merge(changes.values) { $1 }
        return pause == before ? nil : .event(.settings(.pause(pause)))
    }
}
