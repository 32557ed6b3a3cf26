package import InboxPresentation

/// A report of the agent, for the page that it concerns.
package enum AgentEvent: Equatable, Sendable {
    /// All accounts, in the order of the configuration: every page needs them.
    case accounts([AccountState])
    case inbox(InboxPage.Event)
    case preferences(PreferencesPage.Event)
    case settings(SettingsPage.Event)
}
