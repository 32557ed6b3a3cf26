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
    package static let textHidden = Property<Bool>("TextHidden", .read)
    package static let configurationError = Property<String>("ConfigurationError", .read)

    /// The keys that the configuration gives to functions of `feedbell inbox`, see ``InboxFunction``: names as of
    /// ``TerminalKey/init(name:)`` by the names of functions.
    package static let inboxKeys = Property<[String: [String]]>("InboxKeys", .read)

    package static let pause = Method("Pause", in: (Argument<Int64>("until")), out: ())
    package static let resume = Method("Resume", in: (), out: ())
    package static let hideText = Method("HideText", in: (Argument<Bool>("hidden")), out: ())
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
    /// Adds a rule, see ``RuleRecord``, before the one with the id `before`; empty: after all.
    package static let addRule = Method(
        "AddRule",
        in: (Argument<[String: Value]>("rule"), Argument<String>("before")),
        out: (Argument<String>("id"))
    )
    package static let changeRule = Method(
        "ChangeRule",
        in: (Argument<String>("id"), Argument<[String: Value]>("rule")),
        out: ()
    )
    package static let moveRule = Method(
        "MoveRule",
        in: (Argument<String>("id"), Argument<String>("before")),
        out: ()
    )
    package static let removeRule = Method("RemoveRule", in: (Argument<String>("id")), out: ())
    /// Returns account and id of the notifications that a rule matches.
    package static let tryRule = Method(
        "TryRule",
        in: (Argument<[String: Value]>("rule")),
        out: (Argument<[Structure<String, String>]>("notifications"))
    )
    /// Mutes what meets the conditions, see ``RuleConditionsRecord``; `until` 0: until the rule is removed.
    package static let mute = Method(
        "Mute",
        in: (Argument<[String: Value]>("conditions"), Argument<Int64>("until")),
        out: (Argument<String>("id"))
    )
    /// The rules, or which of them have ended.
    package static let rulesChanged = Signal("RulesChanged", ())

    /// Takes the last step back, of any account if `account` is empty.
    package static let undo = Method(
        "Undo",
        in: (Argument<String>("account")),
        out: (Argument<String>("of_account"), Argument<String>("action"), Argument<[String]>("ids"))
    )

    /// Takes the newest act back, in all accounts that it concerned; see ``Undone``.
    package static let undoAll = Method(
        "UndoAll",
        in: (),
        out: (Argument<[Structure<String, String, [String]>]>("undone"))
    )

    package static let members: [any Member] = [
        version, accounts, unreadCount, attentionNeeded, paused, pausedUntil, heldBack, textHidden,
        configurationError, inboxKeys,
        pause, resume, hideText, reload, reconnect, signOut, signIn, cancelSignIn, rules, addRule, changeRule,
        moveRule, removeRule, tryRule, mute, rulesChanged, undo, undoAll,
    ]
}
