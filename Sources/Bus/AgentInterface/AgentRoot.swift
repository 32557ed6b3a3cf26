package import DBus

/// `org.feedbell.Agent1`: the whole agent. The members are documented in `dbus/org.feedbell.Agent1.xml`.
package enum AgentRoot: Interface {
    package static let name: InterfaceName = "org.feedbell.Agent1"

    package static let version = Property<String>("Version", .read, emitsChange: .const)
    package static let accounts = Property<[ObjectPath]>("Accounts", .read)
    package static let unreadCount = Property<UInt32>("UnreadCount", .read)
    package static let attentionNeeded = Property<Bool>("AttentionNeeded", .read)
    package static let paused = Property<Bool>("Paused", .read)
    package static let pausedUntil = Property<Int64>("PausedUntil", .read)
    package static let heldBack = Property<[String]>("HeldBack", .read)
    package static let configurationError = Property<String>("ConfigurationError", .read)

    /// The keys that the configuration gives to functions of `feedbell inbox`, see ``InboxFunction``: names as of
    /// ``TerminalKey/init(name:)`` by the names of functions.
    package static let inboxKeys = Property<[String: [String]]>("InboxKeys", .read)

    package static let pause = Method("Pause", in: (Argument<Int64>("until")), out: ())
    package static let resume = Method("Resume", in: (), out: ())
    package static let reload = Method("Reload", in: (), out: ())
    package static let reconnect = Method("Reconnect", in: (), out: ())
    package static let signOut = Method("SignOut", in: (Argument<String>("account")), out: ())
    /// Begins a sign-in with the browser, see ``SignInOptions``.
    package static let signIn = Method(
        "SignIn",
        in: (Argument<String>("account"), Argument<[String: Value]>("options")),
        out: ()
    )
    package static let cancelSignIn = Method("CancelSignIn", in: (Argument<String>("account")), out: ())
    package static let rules = Method("Rules", in: (), out: (Argument<[[String: Value]]>("rules")))

    /// Takes the last step back, of any account if `account` is empty.
    package static let undo = Method(
        "Undo",
        in: (Argument<String>("account")),
        out: (Argument<String>("of_account"), Argument<String>("action"), Argument<[String]>("ids"))
    )

    package static let members: [any Member] = [
        version, accounts, unreadCount, attentionNeeded, paused, pausedUntil, heldBack, configurationError,
        inboxKeys,
        pause, resume, reload, reconnect, signOut, signIn, cancelSignIn, rules, undo,
    ]
}
