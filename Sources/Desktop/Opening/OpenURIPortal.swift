package import DBus

/// `org.freedesktop.portal.OpenURI`, the members we call.
package enum OpenURIPortal: Interface {
    package static let busName: BusName = "org.freedesktop.portal.Desktop"
    package static let path: ObjectPath = "/org/freedesktop/portal/desktop"
    package static let name: InterfaceName = "org.freedesktop.portal.OpenURI"

    package static let openURI = Method(
        "OpenURI",
        in: (Argument<String>("parent_window"), Argument<String>("uri"), Argument<[String: Value]>("options")),
        out: (Argument<ObjectPath>("handle"))
    )
    package static let members: [any Member] = [openURI]
}

/// `org.freedesktop.systemd1.Manager`, the members we use.
package enum SystemdManager: Interface {
    package static let busName: BusName = "org.freedesktop.systemd1"
    package static let path: ObjectPath = "/org/freedesktop/systemd1"
    package static let name: InterfaceName = "org.freedesktop.systemd1.Manager"

    /// A command of a unit: its path, its arguments including `argv[0]`, and whether a failure is ignored.
    package typealias Command = Structure<String, [String], Bool>
    package typealias UnitProperty = Structure<String, Value>

    package static let startTransientUnit = Method(
        "StartTransientUnit",
        in: (
            Argument<String>("name"), Argument<String>("mode"), Argument<[UnitProperty]>("properties"),
            Argument<[Structure<String, [UnitProperty]>]>("aux")
        ),
        out: (Argument<ObjectPath>("job"))
    )
    package static let getUnit = Method(
        "GetUnit",
        in: (Argument<String>("name")),
        out: (Argument<ObjectPath>("unit"))
    )
    package static let unrefUnit = Method("UnrefUnit", in: (Argument<String>("name")), out: ())
    /// The variables of units, as `NAME=value`.
    package static let variables = Property<[String]>("Environment", .read)
    package static let members: [any Member] = [startTransientUnit, getUnit, unrefUnit, variables]
}

/// `org.freedesktop.systemd1.Unit`, the member we read.
package enum SystemdUnit: Interface {
    package static let name: InterfaceName = "org.freedesktop.systemd1.Unit"
    package static let activeState = Property<String>("ActiveState", .read)
    package static let members: [any Member] = [activeState]
}

/// `org.freedesktop.systemd1.Service`, the member we read.
package enum SystemdServiceUnit: Interface {
    package static let name: InterfaceName = "org.freedesktop.systemd1.Service"
    package static let exitStatus = Property<Int32>("ExecMainStatus", .read)
    package static let members: [any Member] = [exitStatus]
}
