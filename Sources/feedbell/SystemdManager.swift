import AgentInterface
import DBus

/// The part of the user's service manager that is used here (org.freedesktop.systemd1(5)).
enum SystemdManager: Interface {
    static let busName: BusName = "org.freedesktop.systemd1"
    static let path: ObjectPath = "/org/freedesktop/systemd1"
    static let name: InterfaceName = "org.freedesktop.systemd1.Manager"

    /// The agent's unit.
    static let unit = "feedbell.service"

    static let getUnitFileState = Method(
        "GetUnitFileState",
        in: (DBus.Argument<String>("file")),
        out: (DBus.Argument<String>("state"))
    )
    static let startUnit = Method(
        "StartUnit",
        in: (DBus.Argument<String>("name"), DBus.Argument<String>("mode")),
        out: (DBus.Argument<ObjectPath>("job"))
    )
    static let getUnit = Method(
        "GetUnit",
        in: (DBus.Argument<String>("name")),
        out: (DBus.Argument<ObjectPath>("unit"))
    )
    /// The variables of units, as `NAME=value`.
    static let variables = Property<[String]>("Environment", .read)
    static let members: [any Member] = [getUnitFileState, startUnit, getUnit, variables]

    /// The state of the agent's unit, such as `active` or `failed`.
    static func unitState(_ bus: Bus) async throws(DBusError) -> String {
        let unit = try await Proxy(bus, busName, path).call(getUnit, unit, autoStart: false)
        return try await Proxy(bus, busName, unit).get(SystemdUnit.activeState, autoStart: false)
    }
}

/// A unit of the service manager.
enum SystemdUnit: Interface {
    static let name: InterfaceName = "org.freedesktop.systemd1.Unit"
    static let activeState = Property<String>("ActiveState", .read)
    static let members: [any Member] = [activeState]
}
