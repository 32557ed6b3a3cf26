package import DBus

/// The names and paths of the agent on the bus.
package enum AgentNames {
    /// The version of the agent and of the command, which are released together.
    package static let version = "0.2.0"
    /// The well-known name of the running agent.
    package static let busName: BusName = "org.feedbell.Agent1"
    /// The root object of the agent.
    package static let agentPath: ObjectPath = "/org/feedbell/Agent1"

    /// The second name of the running agent: that of its desktop entry, for `org.freedesktop.Application`.
    package static let applicationName: BusName = "org.feedbell.Agent"
    /// The object of ``applicationName``, as the Desktop Entry Specification derives it from the name.
    package static let applicationPath: ObjectPath = "/org/feedbell/Agent"

    /// The third name of the running agent, by which the desktop's searches find notifications. No service file starts
    /// an agent for it.
    package static let searchName: BusName = "org.feedbell.Search1"

    /// The name of the window's program, for `org.freedesktop.Application`.
    package static let windowName: BusName = "org.feedbell.Window"
    /// The object of ``windowName``.
    package static let windowPath: ObjectPath = "/org/feedbell/Window"

    /// The object of an account.
    package static func accountPath(_ name: String) -> ObjectPath {
        agentPath.appending("account").appending(name)
    }
}
