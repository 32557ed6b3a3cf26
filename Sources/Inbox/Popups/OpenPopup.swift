/// What a popup on the screen stands for: all that is needed to know what a click on it means, also by a later life of the agent.
package struct OpenPopup: Equatable, Sendable, Codable {
    /// The notifications, oldest first; of a summary of very many, the newest ones.
    package var subjects: [Popups.Subject]
    /// How many notifications it speaks of.
    package var count: Int
    package var buttons: [Popup.Button]
    package var urgency: UInt8
    /// When the one notification it shows becomes void.
    package var expires: Timestamp?
    /// What a summary names, newest first.
    var titles: [String]
    /// From the server, for the window that a click opens. Worth nothing later on, so it is not kept.
    var token: String?
    /// One popup for many notifications.
    package let isSummary: Bool

    private enum CodingKeys: CodingKey { case subjects, count, buttons, urgency, expires, titles, isSummary }
}
