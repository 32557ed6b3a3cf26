import AgentInterface
import DBus
import VisibleText

// The words of `feedbell status`, in the user's language.

extension StatusReport {
    /// `3 unread`.
    ///
    /// - Parameter isComplete: Whether the counts of all accounts are known.
    static func words(unread: UInt32, isComplete: Bool = true) -> String {
        if isComplete {
            // Translators: The number of unread notifications.
            return translated("{count} unread", plural: "{count} unread", count: Int(unread))
        }
        return translated(
            "{count} unread, not all accounts known yet",
            plural: "{count} unread, not all accounts known yet",
            count: Int(unread)
        )
    }

    /// For a count that the service has not reported yet.
    static var unknownCount: String { translated("unread count unknown") }

    /// The style of an account's state.
    static func style(state: String) -> Terminal.Style {
        switch state {
        case "online": .green
        case "unauthorized": .red
        default: .yellow
        }
    }

    /// `popups are paused until 18:00`.
    func pauseWords(now: Int64) -> String {
        guard pausedUntil != 0 else { return translated("popups are paused") }
        return translated("popups are paused until {time}", ["time": LocalTime(pausedUntil).text(now: now)])
    }

    /// A value of the D-Bus property `HeldBack`; nil: it is reported in another way.
    static func words(heldBack reason: String) -> String? {
        switch reason {
        case "quiet": translated("quiet hours: no popups")
        case "do-not-disturb": translated("do not disturb: no popups")
        case "locked": translated("the screen is locked: no popups")
        case "server-full": translated("the notification server rejects further popups")
        default: nil
        }
    }
}

extension StatusReport.Account {
    /// `work (service, anna)`.
    var identity: String {
        "\(name) (\(provider)\(user.isEmpty ? "" : ", \(user)"))".onOneLine
    }

    /// The texts after the state: unread and pending counts, and the next attempt to connect.
    func facts(now: Int64) -> [String] {
        var facts = [unread.map { StatusReport.words(unread: $0) } ?? StatusReport.unknownCount]
        if asOf != 0 { facts.append(AccountText.asOf(asOf, now: now)) }
        if pending > 0 {
            // Translators: The number of actions that the service has not confirmed yet.
            facts.append(translated("{count} pending", plural: "{count} pending", count: Int(pending)))
        }
        return facts + [AccountText.nextAttempt(nextAttempt, now: now)].compactMap(\.self)
    }
}
