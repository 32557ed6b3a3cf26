package import DBus

/// `com.canonical.Unity.LauncherEntry`: the badge of a program's entry in a dock or task bar (Ubuntu's documentation,
/// "Unity Launcher API", "Low level DBus API").
package enum LauncherEntry: Interface {
    package static let name: InterfaceName = "com.canonical.Unity.LauncherEntry"
    /// The name that docks own which read the badges: those of Plasma, Ubuntu, Dash to Dock and Plank.
    package static let reader: BusName = "com.canonical.Unity"

    /// The URI of a desktop entry, `application://NAME.desktop`, and among others `count x`, `count-visible b`,
    /// `urgent b`.
    package static let update = Signal(
        "Update",
        (Argument<String>("app_uri"), Argument<[String: Value]>("properties"))
    )
    /// The arguments of the last ``update``.
    package static let query = Method(
        "Query",
        in: (),
        out: (Argument<String>("app_uri"), Argument<[String: Value]>("properties"))
    )

    package static let members: [any Member] = [update, query]
}
