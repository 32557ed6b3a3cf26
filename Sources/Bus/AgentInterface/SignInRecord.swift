package import DBus

/// What is known of a sign-in with the browser: the value of ``AgentAccount/signInStatus``.
package struct SignInRecord: Equatable, Sendable {
    /// When the user signed in, in milliseconds since the Unix epoch; 0: unknown, or no sign-in. Likewise the others.
    package var since: Int64 = 0
    /// When it was last refreshed.
    package var refreshed: Int64 = 0
    /// When it was last used, or tried.
    package var attempted: Int64 = 0
    /// The name of the error of that attempt, and its sentence; empty: it succeeded.
    package var error = ""
    package var message = ""

    package init() {}

    /// nil: the account has no sign-in, or it was not used yet.
    package init?(_ dictionary: [String: Value]) {
        guard !dictionary.isEmpty else { return nil }
        func time(_ key: String) -> Int64 { if case .int64(let time)? = dictionary[key] { time } else { 0 } }
        func text(_ key: String) -> String { if case .string(let text)? = dictionary[key] { text } else { "" } }
        (since, refreshed, attempted) = (time("since"), time("refreshed"), time("attempted"))
        (error, message) = (text("error"), text("message"))
    }

    package var dictionary: [String: Value] {
        [
            "since": .int64(since), "refreshed": .int64(refreshed), "attempted": .int64(attempted),
            "error": .string(error), "message": .string(message),
        ]
    }
}
