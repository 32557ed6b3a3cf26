package import DBus
package import ServiceKit

/// Why the agent ended, and what it tells its caller by its exit code.
package enum AgentFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// There is no session bus, or it went away.
    case noBus(DBusError)
    /// Another agent has the name.
    case alreadyRunning
    /// Another agent, perhaps on another bus, uses the state file; its process id, if it is known.
    case stateInUse(path: String, process: Int?)
    /// Another agent took the name over, as it was told to.
    case replaced
    case configuration(ConfigurationError)

    /// The exit code: 0 another agent took over, 3 another agent runs or uses the state file, 75 trying again later may help (`EX_TEMPFAIL`), 78 the configuration is wrong
    /// (`EX_CONFIG`).
    package var exitCode: Int32 {
        switch self {
        case .replaced: 0
        case .alreadyRunning, .stateInUse: 3
        case .noBus: 75
        case .configuration: 78
        }
    }

    package var description: String {
        switch self {
        case .noBus(let error): "There is no session bus to work on. Is this a desktop session? (\(error.message))"
        case .alreadyRunning: "Another feedbell-agent is running in this session. To take its place, use --replace."
        case .stateInUse(let path, let process):
            "Another feedbell-agent\(process.map { " (process \($0))" } ?? "") uses \"\(path)\". End it, or give this one "
                + "a directory of its own by XDG_STATE_HOME."
        case .replaced: "Another feedbell-agent took over."
        case .configuration(let error): error.description
        }
    }
}
