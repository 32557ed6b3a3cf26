/// A popup on the screen as a later life of the agent has to know it: what it stands for, and how it looks.
package struct KeptPopup: Equatable, Sendable, Codable {
    package var open: OpenPopup
    package var popup: Popup
}

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

    /// Speaks no longer of some notifications. Returns whether it has nothing to say any more because of that.
    mutating func withdraw(_ isWithdrawn: (Popups.Subject) -> Bool) -> Bool {
        let before = subjects.count
        subjects.removeAll(where: isWithdrawn)
        count -= before - subjects.count
        return subjects.isEmpty && before > 0
    }

    private enum CodingKeys: CodingKey { case subjects, count, buttons, urgency, expires, titles, isSummary }
}
