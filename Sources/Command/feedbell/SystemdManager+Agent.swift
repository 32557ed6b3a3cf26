import DBus
import Glibc

extension SystemdManager {
    /// The agent's unit.
    static let unit = "feedbell.service"

    /// The state of the agent's unit, such as `active` or `failed`.
    static func unitState(_ bus: Bus) async throws(DBusError) -> String {
        let unit = try await Proxy(bus, busName, path).call(getUnit, unit, autoStart: false)
        return try await Proxy(bus, busName, unit).get(SystemdUnit.activeState, autoStart: false)
    }

    /// The id of the process of the agent's unit; 0: it does not run.
    static func mainProcess(_ bus: Bus) async throws(DBusError) -> pid_t {
        let unit = try await Proxy(bus, busName, path).call(getUnit, unit, autoStart: false)
        let id = try await Proxy(bus, busName, unit).get(SystemdRunningService.mainProcess, autoStart: false)
        return pid_t(truncatingIfNeeded: id)
    }
}
