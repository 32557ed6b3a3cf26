import ArgumentParser

/// How long the agent may take to react.
struct TimeoutOptions: ParsableArguments {
    static let usual = 2.0

    @Option(
        help: ArgumentHelp(
            "Give up when the agent does not react within so many seconds (default: 2).",
            valueName: "seconds"
        )
    )
    var timeout: Double?

    func validate() throws {
        if let timeout, !(0.001...3600).contains(timeout) {
            throw ValidationError("--timeout must be a number of seconds from 0.001 to 3600.")
        }
    }

    /// The agent's own object.
    func root() async throws -> AgentObject { try await AgentObject.root(timeout: .seconds(timeout ?? Self.usual)) }
}

extension Duration {
    /// The duration in seconds, as a sentence says it.
    var words: String {
        let (seconds, attoseconds) = components
        let milliseconds = attoseconds / 1_000_000_000_000_000
        if milliseconds == 0 { return seconds == 1 ? "1 second" : "\(seconds) seconds" }
        return "\(Double(seconds) + Double(milliseconds) / 1000) seconds"
    }
}
