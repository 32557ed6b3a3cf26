/// `org.freedesktop.systemd1.Manager` (org.freedesktop.systemd1(5)), the members that Feedbell calls.
package enum SystemdManager: Interface {
    package static let busName: BusName = "org.freedesktop.systemd1"
    package static let path: ObjectPath = "/org/freedesktop/systemd1"
    package static let name: InterfaceName = "org.freedesktop.systemd1.Manager"

    /// A command of a unit: its path, its arguments including `argv[0]`, and whether a failure is ignored.
    package typealias Command = Structure<String, [String], Bool>
    package typealias UnitProperty = Structure<String, Value>

    package static let startUnit = Method(
        "StartUnit",
        in: (Argument<String>("name"), Argument<String>("mode")),
        out: (Argument<ObjectPath>("job"))
    )
    package static let stopUnit = Method(
        "StopUnit",
        in: (Argument<String>("name"), Argument<String>("mode")),
        out: (Argument<ObjectPath>("job"))
    )
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
    package static let getUnitFileState = Method(
        "GetUnitFileState",
        in: (Argument<String>("file")),
        out: (Argument<String>("state"))
    )
    package static let unrefUnit = Method("UnrefUnit", in: (Argument<String>("name")), out: ())
    /// The variables of units, as `NAME=value`.
    package static let variables = Property<[String]>("Environment", .read)
    package static let members: [any Member] = [
        startUnit, stopUnit, startTransientUnit, getUnit, getUnitFileState, unrefUnit, variables,
    ]
}

/// `org.freedesktop.systemd1.Unit`, the member that Feedbell reads.
package enum SystemdUnit: Interface {
    package static let name: InterfaceName = "org.freedesktop.systemd1.Unit"
    package static let activeState = Property<String>("ActiveState", .read)
    package static let members: [any Member] = [activeState]
}

/// `org.freedesktop.systemd1.Service`, the member of a unit that has ended.
package enum SystemdServiceUnit: Interface {
    package static let name: InterfaceName = "org.freedesktop.systemd1.Service"
    package static let exitStatus = Property<Int32>("ExecMainStatus", .read)
    package static let members: [any Member] = [exitStatus]
}

/// `org.freedesktop.systemd1.Service`, the member of a unit that runs.
package enum SystemdRunningService: Interface {
    package static let name: InterfaceName = "org.freedesktop.systemd1.Service"
    package static let mainProcess = Property<UInt32>("MainPID", .read)
    package static let members: [any Member] = [mainProcess]
}
