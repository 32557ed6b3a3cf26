import Inbox

/// Work after an event that waits for the agent, the bus or the disk; everything else is done at once.
enum PopupWork: Sendable {
    /// The server rejects more popups, or accepts them again.
    case reportFull(Bool)
    /// The user's actions, and then the popups to discard and to close, as they are at this server: an open popup can
    /// be clicked again.
    case perform([PopupPresenter.Response], ends: [Popups.Effect], server: String)
}
