import VisibleText

/// How long something is muted, as the menu offers it.
package enum MuteChoice: String, CaseIterable, Sendable {
    case hour, tomorrow, always

    package var title: String {
        switch self {
        case .hour: SnoozeChoice.hour.title
        case .tomorrow: SnoozeChoice.tomorrow.title
        // Translators: How long a category is muted: an item of a menu.
        case .always: translated("Until I Unmute It")
        }
    }

    /// Milliseconds since the Unix epoch, as `now`; 0: without an end.
    package func until(now: Int64) -> Int64 {
        switch self {
        case .hour: SnoozeChoice.hour.until(now: now)
        case .tomorrow: SnoozeChoice.tomorrow.until(now: now)
        case .always: 0
        }
    }
}

/// The agent's reply to a ``Mute``.
package enum MuteReply: Equatable, Sendable {
    case muted(rule: String)
    /// In a sentence.
    case failed(String)
}
