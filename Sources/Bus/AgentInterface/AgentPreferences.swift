package import DBus

/// `org.feedbell.Agent1.Preferences`: which notifications the user gets on which channel. The members and the
/// dictionary of a category are documented in `dbus/org.feedbell.Agent1.xml`.
package enum AgentPreferences: Interface {
    package static let name: InterfaceName = "org.feedbell.Agent1.Preferences"

    package static let pending = Property<UInt32>("Pending", .read)

    package static let list = Method("List", in: (), out: (Argument<[[String: Value]]>("categories")))
    package static let listChannels = Method(
        "ListChannels",
        in: (),
        out: (Argument<[Structure<String, String>]>("channels"))
    )
    package static let setCategory = Method(
        "SetCategory",
        in: (Argument<String>("category"), Argument<String>("preference")),
        out: ()
    )
    package static let setCategoryChannel = Method(
        "SetCategoryChannel",
        in: (Argument<String>("category"), Argument<String>("channel"), Argument<String>("preference")),
        out: ()
    )
    package static let setChannel = Method(
        "SetChannel",
        in: (Argument<String>("channel"), Argument<String>("level")),
        out: ()
    )
    package static let setDigest = Method(
        "SetDigest",
        in: (Argument<String>("category"), Argument<[String: Value]>("schedule")),
        out: ()
    )
    package static let setProperty = Method(
        "SetProperty",
        in: (Argument<String>("category"), Argument<String>("property"), Argument<Value>("value")),
        out: ()
    )
    package static let setTopic = Method(
        "SetTopic",
        in: (Argument<String>("topic"), Argument<Bool>("subscribed")),
        out: ()
    )
    package static let flush = Method("Flush", in: (), out: ())
    package static let refresh = Method("Refresh", in: (), out: ())

    package static let updated = Signal("Updated", (Argument<[[String: Value]]>("categories")))
    package static let updateFailed = Signal(
        "UpdateFailed",
        (Argument<String>("target"), Argument<String>("error"), Argument<String>("message"))
    )

    package static let members: [any Member] = [
        pending, list, listChannels, setCategory, setCategoryChannel, setChannel, setDigest, setProperty, setTopic,
        flush,
        refresh, updated, updateFailed,
    ]
}

/// Whether a category or one of its channels is on, as the interface writes it.
package enum PreferenceSwitch: String, DBusConvertible, CaseIterable {
    case on = "opt_in"
    case off = "opt_out"

    package init(isOn: Bool) { self = isOn ? .on : .off }

    /// Any other text is ``off``.
    package init(dbus text: String) { self = PreferenceSwitch(rawValue: text) ?? .off }

    package var dbusRepresentation: String { rawValue }

    package var isOn: Bool { self == .on }
}

/// Which notifications a channel delivers, as the interface writes it.
package enum PreferenceLevel: String, Sendable, CaseIterable {
    case all
    /// Only notifications that cannot be switched off.
    case required

    package init(isOnlyRequired: Bool) { self = isOnlyRequired ? .required : .all }

    package var isOnlyRequired: Bool { self == .required }
}
