import Glibc
import Sandbox

/// The agent for comparison: a script made of the usual Python libraries (PythonAgent/agent.py).
struct PythonAgent {
    /// The name that it gives in `Notify`.
    static let applicationName = "Python agent"
    /// Its user, another one than that of the agent.
    static let user = "user-2"

    let interpreter: String
    let script: String
    let directory: String

    /// Starts it, and returns when it has joined the feed.
    ///
    /// - Parameter port: That of the service, or of a relay to it.
    func start(_ sandbox: Sandbox, port: Int) async throws -> Child {
        // Each one begins without what an earlier one has kept.
        let kept = "\(directory)/python-agent-\(port).sqlite3"
        for ending in ["", "-wal", "-shm"] { unlink(kept + ending) }
        let child = try Child(
            interpreter,
            [script, "http://127.0.0.1:\(port)", Self.user, Self.applicationName, kept],
            log: "\(directory)/python-agent.log"
        )
        try await sandbox.firstFact { state in
            state.realtime.connections.values.contains { $0.member?.user.user == Self.user && $0.isInRoom }
                ? true : nil
        }
        return child
    }
}
