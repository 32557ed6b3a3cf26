import AgentInterface
import DBus
import FoundationEssentials
import Glibc

/// The process that owns the agent's name on the bus.
struct AgentProcess: Sendable {
    let id: pid_t

    /// nil: no agent is running, or its process is unknown.
    static func find(_ bus: Bus) async -> AgentProcess? {
        let daemon = Proxy(bus, .bus, BusInterface.path)
        let name = AgentNames.busName.text
        let id = try? await daemon.call(
            BusInterface.getConnectionUnixProcessID,
            name,
            timeout: AgentFacts.deadline,
            autoStart: false
        )
        return id.flatMap(pid_t.init(exactly:)).map(AgentProcess.init)
    }

    /// The variables with which it was started; nil: they cannot be read.
    var environment: [String: String]? {
        guard let data = FileManager.default.contents(atPath: "/proc/\(id)/environ"), !data.isEmpty else { return nil }
        var variables: [String: String] = [:]
        for line in data.split(separator: 0) {
            let parts = String(decoding: line, as: UTF8.self).split(separator: "=", maxSplits: 1)
            if let name = parts.first { variables[String(name)] = parts.count == 2 ? String(parts[1]) : "" }
        }
        return variables
    }
}
