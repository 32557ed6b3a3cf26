package import DBus

/// Why the agent ended, and what it tells its caller by its exit code.
package enum AgentFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// There is no session bus, or it went away.
    case noBus(DBusError)
    /// Another agent has the name, or took it over.
    case alreadyRunning
    case nameLost
    case configuration(ConfigurationError)
    /// TLS or the network library could not be set up.
    case network(String)

    /// The exit code: 3 another agent runs, 75 trying again later may help (`EX_TEMPFAIL`), 78 the configuration is wrong
    /// (`EX_CONFIG`).
    package var exitCode: Int32 {
        switch self {
        case .alreadyRunning, .nameLost: 3
        case .noBus, .network: 75
        case .configuration: 78
        }
    }

    package var description: String {
        switch self {
        case .noBus(let error): "There is no session bus to work on. Is this a desktop session? (\(error.message))"
        case .alreadyRunning: "Another feedbell-agent is running in this session."
        case .nameLost: "Another feedbell-agent took over."
        case .configuration(let error): error.description
        case .network(let reason): "The network could not be set up: \(reason)"
        }
    }
}
