package import DBus

/// The names by which the agent is found on the bus (design.md §1).
package enum AgentNames {
    /// The version of the agent and of the command, which are built together.
    package static let version = "0.1.0"
    /// The well-known name of the running agent.
    package static let busName: BusName = "org.feedbell.Agent1"
    /// The object that stands for the agent as a whole.
    package static let agentPath: ObjectPath = "/org/feedbell/Agent1"

    /// The object of an account.
    package static func accountPath(_ name: String) -> ObjectPath {
        agentPath.appending("account").appending(name)
    }
}
