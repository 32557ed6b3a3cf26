package import DBus

/// `org.feedbell.Agent1.Account`: one account and its connection to the service. The members are documented in
/// `dbus/org.feedbell.Agent1.xml`.
package enum AgentAccount: Interface {
    package static let name: InterfaceName = "org.feedbell.Agent1.Account"

    package static let accountName = Property<String>("Name", .read, emitsChange: .const)
    package static let provider = Property<String>("Provider", .read, emitsChange: .const)
    package static let user = Property<String>("User", .read, emitsChange: .const)
    package static let origin = Property<String>("Origin", .read, emitsChange: .const)
    package static let state = Property<String>("State", .read)
    package static let stateSince = Property<Int64>("StateSince", .read)
    package static let nextAttempt = Property<Int64>("NextAttempt", .read)
    package static let lastEvent = Property<Int64>("LastEvent", .read)
    package static let lastError = Property<Structure<String, String>>("LastError", .read)
    package static let attentionNeeded = Property<Bool>("AttentionNeeded", .read)
    package static let pendingActions = Property<UInt32>("PendingActions", .read)
    package static let pendingError = Property<Structure<String, String>>("PendingError", .read)
    package static let capabilities = Property<[String]>("Capabilities", .read)
    /// The hosts of the server to sign in to with the browser, and of the backend that gives the token then; empty: the
    /// account's token has another source.
    package static let signInServers = Property<Structure<String, String>>("SignInServers", .read)
    /// See ``SignInRequest``.
    package static let signInRequest = Property<[String: Value]>("SignInRequest", .read)

    /// See ``SignInRecord``.
    package static let signInStatus = Property<[String: Value]>("SignInStatus", .read)

    package static let reconnect = Method("Reconnect", in: (), out: ())

    /// Both texts are empty if the user is signed in.
    package static let signInFinished = Signal(
        "SignInFinished",
        (Argument<String>("error"), Argument<String>("message"))
    )

    package static let members: [any Member] = [
        accountName, provider, user, origin, state, stateSince, nextAttempt, lastEvent, lastError, attentionNeeded,
        pendingActions, pendingError, capabilities, signInServers, signInRequest, signInStatus,
        reconnect, signInFinished,
    ]
}

/// Which file configures an account.
package enum AccountOrigin: String, Sendable {
    /// A preset of the administrator, with or without keys of the user.
    case preset
    /// The file that the user writes.
    case config
    /// The account's file in `accounts.d`, which programs change.
    case program
}

extension PropertyValues<AgentAccount> {
    /// Whether the service has reported the counts of ``AgentInbox``. Before, they are 0.
    package var isCounted: Bool { ((try? value(AgentAccount.lastEvent)) ?? 0) != 0 }
}
