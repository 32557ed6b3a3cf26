package import DBus
import VisibleText

/// The state of an account, in the user's language.
package enum AccountText {
    /// `Not loaded yet: offline, next attempt in 4 s`, of an account whose service has not reported the inbox.
    ///
    /// - Parameter now: Milliseconds since the Unix epoch.
    package static func notLoaded(_ account: PropertyValues<AgentAccount>, now: Int64) -> String {
        let state = Self.state(account[AgentAccount.state] ?? "")
        let next = Self.nextAttempt(account[AgentAccount.nextAttempt] ?? 0, now: now)
        // Translators: Why the list of notifications is empty, as in "Not loaded yet: offline, next attempt in 4 s".
        return translated(
            "Not loaded yet: {state}",
            ["state": translatedList([state, next].compactMap(\.self))]
        )
    }

    /// `next attempt in 4 s`; nil: none is planned.
    package static func nextAttempt(_ nextAttempt: Int64, now: Int64) -> String? {
        guard nextAttempt > now else { return nil }
        return translated("next attempt in {seconds} s", ["seconds": "\((nextAttempt - now + 999) / 1000)"])
    }

    /// `as of 14:05`, of an inbox that may have changed since then.
    package static func asOf(_ asOf: Int64, now: Int64) -> String {
        // Translators: When a list or a count was right, as in "3 unread, as of 14:05".
        translated("as of {time}", ["time": LocalTime(asOf).text(now: now)])
    }

    /// `as of 14:05, offline since 13:58`, of an account's inbox; nil: it is what the service has.
    package static func age(of inbox: Int64, _ account: PropertyValues<AgentAccount>, now: Int64) -> String? {
        if inbox == 0 { return nil }
        let state = Self.state(account[AgentAccount.state] ?? "")
        let since = account[AgentAccount.stateSince] ?? 0
        return translatedList([asOf(inbox, now: now), Self.state(state, since: since, now: now)])
    }

    /// `offline since 13:58`.
    ///
    /// - Parameters:
    ///   - state: The state in the user's language.
    ///   - since: Milliseconds since the Unix epoch; 0: unknown.
    package static func state(_ state: String, since: Int64, now: Int64) -> String {
        if since <= 0 { return state }
        // Translators: A state of an account, such as "online", and a time.
        return translated("{state} since {time}", ["state": state, "time": LocalTime(since).text(now: now)])
    }

    /// An account's state, a value of the D-Bus property `State`, in the user's language.
    package static func state(_ state: String) -> String {
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
}
