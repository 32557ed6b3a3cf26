import AgentInterface
import DBus
import Translation
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

    /// `Not loaded yet: offline, next attempt in 4 s`, of an account whose service has not reported the inbox.
    ///
    /// - Parameter now: Milliseconds since the Unix epoch.
    static func notLoaded(_ account: PropertyValues<AgentAccount>, now: Int64) -> String {
        let state = words(state: account[AgentAccount.state] ?? "")
        let next = words(nextAttempt: account[AgentAccount.nextAttempt] ?? 0, now: now)
        // Translators: Why the list of notifications is empty, as in "Not loaded yet: offline, next attempt in 4 s".
        return translated(
            "Not loaded yet: {state}",
            ["state": translatedList([state, next].compactMap(\.self))]
        )
    }

    /// `next attempt in 4 s`; nil: none is planned.
    static func words(nextAttempt: Int64, now: Int64) -> String? {
        guard nextAttempt > now else { return nil }
        return translated("next attempt in {seconds} s", ["seconds": "\((nextAttempt - now + 999) / 1000)"])
    }

    /// `as of 14:05`, of an inbox that may have changed since then.
    static func words(asOf: Int64, now: Int64) -> String {
        // Translators: When a list or a count was right, as in "3 unread, as of 14:05".
        translated("as of {time}", ["time": LocalTime(asOf).text(now: now)])
    }

    /// `as of 14:05, offline since 13:58`, of an account's inbox; nil: it is what the service has.
    static func age(of inbox: Int64, _ account: PropertyValues<AgentAccount>, now: Int64) -> String? {
        if inbox == 0 { return nil }
        let state = words(state: account[AgentAccount.state] ?? "")
        let since = account[AgentAccount.stateSince] ?? 0
        return translatedList([words(asOf: inbox, now: now), words(state, since: since, now: now)])
    }

    /// `offline since 13:58`.
    ///
    /// - Parameters:
    ///   - state: The state in the user's language.
    ///   - since: Milliseconds since the Unix epoch; 0: unknown.
    static func words(_ state: String, since: Int64, now: Int64) -> String {
        if since <= 0 { return state }
        // Translators: A state of an account, such as "online", and a time.
        return translated("{state} since {time}", ["state": state, "time": LocalTime(since).text(now: now)])
    }

    /// An account's state, a value of the D-Bus property `State`, in the user's language.
    static func words(state: String) -> String {
        switch state {
        // Translators: The state of an account's connection, as in "online since 09:12".
        case "online": translated("online")
        case "offline": translated("offline")
        case "connecting": translated("connecting")
        case "suspended": translated("suspended")
        // Translators: The state of an account: the service did not accept the credentials.
        case "unauthorized": translated("unauthorized")
        default: state.onOneLine
        }
    }

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
        if asOf != 0 { facts.append(StatusReport.words(asOf: asOf, now: now)) }
        if pending > 0 {
            // Translators: The number of actions that the service has not confirmed yet.
            facts.append(translated("{count} pending", plural: "{count} pending", count: Int(pending)))
        }
        return facts + [StatusReport.words(nextAttempt: nextAttempt, now: now)].compactMap(\.self)
    }
}
