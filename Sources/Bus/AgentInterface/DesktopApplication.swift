package import DBus

/// `org.freedesktop.Application` (Desktop Entry Specification 1.5, "D-Bus Activation"): how a desktop starts a program
/// and passes it actions.
package enum DesktopApplication: Interface {
    package static let name: InterfaceName = "org.freedesktop.Application"

    package static let activate = Method("Activate", in: (Argument<[String: Value]>("platform_data")), out: ())
    package static let open = Method(
        "Open",
        in: (Argument<[String]>("uris"), Argument<[String: Value]>("platform_data")),
        out: ()
    )
    package static let activateAction = Method(
        "ActivateAction",
        in: (
            Argument<String>("action_name"), Argument<[Value]>("parameter"), Argument<[String: Value]>("platform_data")
        ),
        out: ()
    )

    package static let members: [any Member] = [activate, open, activateAction]
}
