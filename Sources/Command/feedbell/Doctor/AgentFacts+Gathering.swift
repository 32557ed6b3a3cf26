import AgentInterface
import DBus
import Glibc

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
        facts.hasAutostart = autostartFiles().contains { access($0, R_OK) == 0 }
        guard let owner = (try? await bus.nameOwner(of: AgentNames.busName)).flatMap(\.self) else { return facts }
        facts.isRunning = true
        facts.process = try? await daemon.call(
            BusInterface.getConnectionUnixProcessID,
            owner.text,
            timeout: deadline
        )
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

    /// The paths of the Desktop Application Autostart Specification.
    private static func autostartFiles() -> [String] {
        func variable(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        let own = variable("XDG_CONFIG_HOME") ?? (variable("HOME") ?? "") + "/.config"
        let all = variable("XDG_CONFIG_DIRS") ?? "/etc/xdg"
        return ([own] + all.split(separator: ":").map(String.init)).map { "\($0)/autostart/org.feedbell.Agent.desktop" }
    }
}
