import DBus

/// `org.gnome.Shell.SearchProvider2` (GNOME's developer documentation, "Writing a Search Provider"): the overview of
/// GNOME Shell asks while the user types.
enum ShellSearchProvider: Interface {
    static let name: InterfaceName = "org.gnome.Shell.SearchProvider2"

    static let getInitialResultSet = Method(
        "GetInitialResultSet",
        in: (Argument<[String]>("terms")),
        out: (Argument<[String]>("results"))
    )
    static let getSubsearchResultSet = Method(
        "GetSubsearchResultSet",
        in: (Argument<[String]>("previous_results"), Argument<[String]>("terms")),
        out: (Argument<[String]>("results"))
    )
    static let getResultMetas = Method(
        "GetResultMetas",
        in: (Argument<[String]>("identifiers")),
        out: (Argument<[[String: Value]]>("metas"))
    )
    static let activateResult = Method(
        "ActivateResult",
        in: (Argument<String>("identifier"), Argument<[String]>("terms"), Argument<UInt32>("timestamp")),
        out: ()
    )
    static let launchSearch = Method(
        "LaunchSearch",
        in: (Argument<[String]>("terms"), Argument<UInt32>("timestamp")),
        out: ()
    )

    static let members: [any Member] = [
        getInitialResultSet, getSubsearchResultSet, getResultMetas, activateResult, launchSearch,
    ]
}

/// `org.kde.krunner1` (the interface's description in KDE's KRunner, `org.kde.krunner1.xml`): the search of Plasma asks
/// while the user types.
enum PlasmaRunner: Interface {
    static let name: InterfaceName = "org.kde.krunner1"

    /// Id, text, icon, type, relevance and properties of a match.
    typealias Match = Structure<String, String, String, Int32, Double, [String: Value]>

    static let match = Method("Match", in: (Argument<String>("query")), out: (Argument<[Match]>("matches")))
    static let actions = Method(
        "Actions",
        in: (),
        out: (Argument<[Structure<String, String, String>]>("matches"))
    )
    static let run = Method("Run", in: (Argument<String>("matchId"), Argument<String>("actionId")), out: ())
    /// Called before ``run``, with the token that lets a window take the focus.
    static let setActivationToken = Method("SetActivationToken", in: (Argument<String>("token")), out: ())
    static let teardown = Method("Teardown", in: (), out: ())

    static let members: [any Member] = [match, actions, run, setActivationToken, teardown]
}
