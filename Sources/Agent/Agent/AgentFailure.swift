package import DBus

/// Why the agent ended, with its exit code.
package enum AgentFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The session bus is missing, or its connection ended.
    case noBus(DBusError)
    /// Another agent owns the bus name.
    case alreadyRunning
    /// Another agent, possibly on another bus, uses the state file. `process` is its process id; nil: unknown. `host`
    /// is the name of the computer it runs on; nil: this one, or unknown.
    case stateInUse(path: String, process: Int?, host: String?)
    /// Another agent, started with `--replace`, acquired the bus name.
    case replaced
    case configuration(ConfigurationError)

    /// The exit code: 0 replaced by another agent, 3 another agent runs or uses the state file, 75 a retry may help
    /// (`EX_TEMPFAIL`), 78 the configuration is invalid (`EX_CONFIG`).
    package var exitCode: Int32 {
        switch self {
        case .replaced: 0
        case .alreadyRunning, .stateInUse: 3
        case .noBus: 75
        case .configuration(let error): error.isTemporary ? 75 : 78
        }
    }

    package var description: String {
        switch self {
        case .noBus(let error):
            "Cannot use the session bus. Start the agent in a desktop session. (\(error.message))"
        case .alreadyRunning: "Another feedbell-agent is running in this session. To replace it, use --replace."
        case .stateInUse(let path, let process, let host):
            "Another feedbell-agent\(process.map { " (process \($0))" } ?? "")"
                + "\(host.map { " on the computer \"\($0)\"" } ?? "") uses \"\(path)\". "
                + "Stop it, or set XDG_STATE_HOME to another directory for this one."
        case .replaced: "Another feedbell-agent replaced this one."
        case .configuration(let error): error.description
        }
    }
}
