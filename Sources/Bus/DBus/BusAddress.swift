import Basics
import Glibc

/// The address of a bus.
public enum BusAddress: Sendable, Hashable {
    /// The session bus: `DBUS_SESSION_BUS_ADDRESS`, else the socket `bus` in `XDG_RUNTIME_DIR`. A bus is never
    /// launched.
    case session
    /// The system bus: `DBUS_SYSTEM_BUS_ADDRESS`, else its well-known socket.
    case system
    /// An address in the specification's notation, such as `unix:path=/run/user/1000/bus`.
    case address(String)

    func resolved(environment: (String) -> String? = environmentVariable) throws(DBusError) -> String {
        let text: String
        switch self {
        case .address(let address):
            text = address
        case .system:
            text = environment("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/var/run/dbus/system_bus_socket"
        case .session:
            if let address = environment("DBUS_SESSION_BUS_ADDRESS") {
                text = address
            } else if let directory = environment("XDG_RUNTIME_DIR") {
                text = "unix:path=" + Self.escape(directory + "/bus")
            } else {
                throw DBusError(
                    .noServer,
                    "Cannot find the session bus: neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set."
                )
            }
        }
        guard !text.split(separator: ";").contains(where: { $0.hasPrefix("autolaunch:") }) else {
            throw DBusError(.noServer, "The bus address “\(text)” would launch a bus, which is not supported.")
        }
        guard !text.utf8.contains(0), !text.isEmpty else {
            throw DBusError(.badAddress, "The bus address is empty or contains a NUL.")
        }
        return text
    }

    /// Escapes a path (D-Bus Specification, "Server Addresses"): bytes outside `[-0-9A-Za-z_/.\*]` become % and two
    /// hexadecimal digits.
    private static func escape(_ path: String) -> String { path.percentEncoded(keeping: #"-_/.\*"#) }
}

private func environmentVariable(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
}
