package import DBus

/// What a program that shows inboxes learns of the agent.
package enum AgentReport: Equatable, Sendable {
    /// The agent runs: its state was read and reported.
    case running
    /// The agent runs, but does not answer.
    case silent
    /// None runs.
    case missing
    /// The properties of the agent's own object.
    case root(PropertyValues<AgentRoot>)
    /// All accounts, in the order of the configuration.
    case accounts([AccountState])
    /// A notification is new.
    case arrived(RowID)
    /// Notifications were added, changed or removed.
    case changed(account: String, ids: [String])
    /// The service has rejected an action, and the agent has reverted it; `reason`: in a sentence.
    case rejected(account: String, ids: [String], reason: String)
    case preferences(account: String, [CategoryRecord])
    /// The service has rejected a change of the preferences, and the agent has reverted it; `reason`: in a sentence.
    case preferenceRejected(account: String, target: String, reason: String)
    case rulesChanged
}
