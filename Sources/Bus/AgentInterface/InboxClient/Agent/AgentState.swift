import DBus

/// The agent and its accounts: signals in, reports out.
///
/// The state is read after the subscription to signals: properties in a signal that is older are ignored.
struct AgentState {
    private var snapshot: AgentSnapshot

    init(_ snapshot: AgentSnapshot) { self.snapshot = snapshot }

    /// The reports of what was read.
    var reports: [AgentReport] { [.root(snapshot.agent.properties), .accounts(accounts), .running] }

    private var accounts: [AccountState] {
        snapshot.paths.compactMap { snapshot.accounts.objects[$0].map(AccountState.init) }
    }

    enum Result: Equatable {
        case report(AgentReport)
        /// The accounts are others, or in another order.
        case readAgain
    }

    /// - Returns: nil: the signal is about something that is not reported.
    mutating func receive(_ message: Message) -> Result? {
        guard message.sender == snapshot.owner, let path = message.path else { return nil }
        if path == AgentNames.agentPath { return rootChanged(message) }
        guard let object = snapshot.accounts.objects[path] else { return nil }
        if let (interface, changed, _) = try? PropertiesInterface.propertiesChanged.decode(message) {
            guard message.serial > snapshot.accounts.serial else { return nil }
            snapshot.accounts.objects[path]?[interface, default: [:]].merge(changed) { $1 }
            return .report(.accounts(accounts))
        }
        return report(message, of: AccountState(object).name).map(Result.report)
    }

    private func report(_ message: Message, of account: String) -> AgentReport? {
        if let (id, _) = try? AgentInbox.notificationArrived.decode(message) {
            return .arrived(RowID(account: account, id: id))
        }
        if let (_, ids, _, reason) = try? AgentInbox.actionFailed.decode(message) {
            return .rejected(account: account, ids: ids, reason: reason)
        }
        if let id = changedID(message) { return .changed(account: account, ids: [id]) }
        if let categories = try? AgentPreferences.updated.decode(message) {
            return .preferences(account: account, categories.map(CategoryRecord.init))
        }
        if let (target, _, reason) = try? AgentPreferences.updateFailed.decode(message) {
            return .preferenceRejected(account: account, target: target, reason: reason)
        }
        return nil
    }

    private func changedID(_ message: Message) -> String? {
        if let (id, _) = try? AgentInbox.notificationAdded.decode(message) { return id }
        if let (id, _) = try? AgentInbox.notificationChanged.decode(message) { return id }
        return try? AgentInbox.notificationRemoved.decode(message)
    }

    private mutating func rootChanged(_ message: Message) -> Result? {
        if (try? AgentRoot.rulesChanged.decode(message)) != nil { return .report(.rulesChanged) }
        guard let changes = try? PropertyValues<AgentRoot>(changedIn: message) else {
            let isNew = message.serial > snapshot.accounts.serial
            return isNew && message.interface == ObjectManagerInterface.name ? .readAgain : nil
        }
        guard message.serial > snapshot.agent.serial else { return nil }
        if changes[AgentRoot.accounts] != nil { return .readAgain }
        snapshot.agent.properties.values.merge(changes.values) { $1 }
        return .report(.root(snapshot.agent.properties))
    }
}
