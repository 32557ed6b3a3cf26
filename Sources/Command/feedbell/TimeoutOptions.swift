import ArgumentParser
import Glibc
import VisibleText

/// How long a command waits for an agent that does not answer.
struct TimeoutOptions: ObjectOptions {
    /// The default, in seconds.
    static var defaultSeconds: Double {
        let text = getenv("FEEDBELL_TIMEOUT").map { String(cString: $0) } ?? ""
        return Double(text).flatMap { range.contains($0) ? $0 : nil } ?? 2
    }

    private static let range = 0.001...3600

    @Option(
        help: ArgumentHelp(
            "How long to wait for the agent, in seconds (default: FEEDBELL_TIMEOUT, else 2).",
            valueName: "seconds"
        )
    )
    var timeout: Double?

    func validate() throws {
        if let timeout, !Self.range.contains(timeout) {
            throw ValidationError(translated("--timeout must be a number of seconds from 0.001 to 3600."))
        }
    }

    /// The agent's own object.
    func object() async throws -> AgentObject { try await AgentObject.root(timeout: duration) }

    /// The agent's own object, before it has answered.
    func unanswered() async throws -> AgentObject { try await AgentObject.unanswered(timeout: duration) }

    /// How long the agent may take to answer.
    var duration: Duration { .seconds(timeout ?? Self.defaultSeconds) }
}

extension Duration {
    /// The number of seconds.
    var secondsText: String {
        let (seconds, attoseconds) = components
        let milliseconds = attoseconds / 1_000_000_000_000_000
        return milliseconds == 0 ? "\(seconds)" : "\(Double(seconds) + Double(milliseconds) / 1000)"
    }
}
