import AgentInterface
import Basics
package import DBus

/// The end of an agent that cannot use its configuration. If the desktop has started it for the entry in the menu, it
/// opens the window, which says what is wrong.
package struct FailedStart: Sendable {
    private let bus: Bus
    /// The tokens of the calls that have started the agent.
    private let activations = Mailbox<String?>()

    /// - Parameter bus: A connection whose `run()` was not called yet.
    package init(bus: Bus) { self.bus = bus }

    /// Answers the calls that have started the agent, and closes the connection.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await bus.run() }
            try? await answer()
            await bus.close()
        }
    }

    private func answer() async throws(DBusError) {
        var object = ExportedObject(AgentNames.applicationPath)
        object.handle(DesktopApplication.activate) { [activations] data in
            activations.send(ActivationToken(data).text)
        }
        try await bus.export(object)
        guard try await bus.requestName(AgentNames.applicationName).isOwner else { return }
        // It comes after the calls that have waited for the name.
        try await Proxy(bus, AgentNames.applicationName, AgentNames.applicationPath).call(PeerInterface.ping)
        try await bus.releaseName(AgentNames.applicationName)
        activations.close()
        for await token in activations.messages { try? await WindowOnBus(bus: bus).open(token: token) }
    }
}
