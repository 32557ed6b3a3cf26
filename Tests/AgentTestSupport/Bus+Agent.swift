import AgentInterface
package import DBus
import TestSupport
import Testing

extension Bus {
    /// Waits until an agent owns its name.
    package func waitForAgent() async throws {
        try await waitForOwner(of: AgentNames.busName)
    }

    /// Waits until no agent owns its name.
    package func waitForNoAgent() async throws {
        try await waitForOwner(of: AgentNames.busName) { $0 == nil }
    }
}
