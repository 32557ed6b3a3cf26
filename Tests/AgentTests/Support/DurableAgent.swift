import AgentInterface
import DBus
import Subprocess
import TestSupport

extension AgentProcess {
    /// Runs `body` when the built agent owns its name. What it keeps is beside the configuration, for the next one.
    ///
    /// - Parameter waits: Whether `body` waits for the name; else the agent has only just begun.
    static func durable(
        _ configuration: TemporaryFile,
        _ bus: Bus,
        waits: Bool = true,
        environment: [Environment.Key: String?] = [:],
        _ body: (RunningProgram, Proxy) async throws -> Void
    ) async throws {
        let state = configuration.directory + "/state"
        let arguments = ["--config", configuration.path]
        // The bus may not have noticed yet that the one before is gone.
        for await change in try await bus.nameOwnerChanges(of: AgentNames.busName) where change.new == nil { break }
        let environment = environment.merging(["XDG_STATE_HOME": state]) { $1 }
        try await RunningProgram.with("feedbell-agent", arguments, environment: environment) { agent in
            if waits {
                for await change in try await bus.nameOwnerChanges(of: AgentNames.busName) where change.new != nil {
                    break
                }
            }
            try await body(agent, Proxy(bus, AgentNames.busName, AgentNames.accountPath("work")))
        }
    }
}
