import AgentInterface
import DBus

extension AgentFacts {
    /// The time limit of a call to a program on this computer.
    static let deadline = Duration.seconds(5)

    /// Queries the bus, systemd and the agent. Starts nothing.
    static func gather(_ bus: Bus) async -> AgentFacts {
        var facts = AgentFacts()
        let daemon = Proxy(bus, .bus, BusInterface.path)
        let activatable = try? await daemon.call(BusInterface.listActivatableNames, timeout: deadline)
        facts.isActivatable = activatable?.contains(AgentNames.busName.text) == true
        facts.unitState = try? await Proxy(bus, SystemdManager.busName, SystemdManager.path).call(
            SystemdManager.getUnitFileState,
            SystemdManager.unit,
            timeout: deadline,
            autoStart: false
        )
        facts.startsWithSession = try? await AgentProgram.request(.autostart, config: nil)
        facts.isRunning = (try? await bus.nameOwner(of: AgentNames.busName)).flatMap(\.self) != nil
        guard facts.isRunning else { return facts }
        facts.process = await AgentProcess.find(bus)?.id
        do throws(DBusError) { try await facts.query(Proxy(bus, AgentNames.busName, AgentNames.agentPath)) } catch {
            facts.error = error
        }
        return facts
    }

    private mutating func query(_ agent: Proxy) async throws(DBusError) {
        let root = try await agent.getAll(AgentRoot.self, timeout: Self.deadline, autoStart: false)
        let objects = try await agent.getManagedObjects(timeout: Self.deadline, autoStart: false)
        status = try StatusReport(root: root, objects: objects)
    }
}
