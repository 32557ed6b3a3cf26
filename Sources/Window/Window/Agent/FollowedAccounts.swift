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
    private var order: [ObjectPath]

    init(_ objects: [ObjectPath: [String: [String: Value]]] = [:], order: [ObjectPath] = []) {
        self.objects = objects
        self.order = order
    }

    /// In the order of the configuration.
    var states: [AccountState] { order.compactMap { objects[$0].map(AccountState.init) } }

    /// - Returns: nil: the signal does not concern the page.
    mutating func receive(_ message: Message) -> Result? {
        guard let path = message.path else { return nil }
        if path == AgentNames.agentPath { return isAboutAccounts(message) ? .readAgain : nil }
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

    private func isAboutAccounts(_ message: Message) -> Bool {
        if let changes = try? PropertyValues<AgentRoot>(changedIn: message) {
            return changes[AgentRoot.accounts] != nil
        }
        return message.interface == ObjectManagerInterface.name
    }
}
