import AgentInterface

/// Whether the running agent connects an account that was added to a configuration.
enum Connection: Equatable {
    case connects
    /// The running agent has no such account after reading its configuration again.
    case readsAnotherFile
    /// The running agent had an account of that name before, and has it still.
    case hadOne
    /// In a sentence: why the running agent did not read its configuration.
    case refused(String)
    /// - Parameter isOwnFile: Whether an agent that the session starts reads the configuration.
    case noAgent(isOwnFile: Bool)

    /// Has the running agent read its configuration, which may be another one.
    static func request(_ account: String, isOwnFile: Bool) async throws -> Connection {
        do {
            let agent = try await AgentObject.root()
            let path = AgentNames.accountPath(account)
            let hadOne = try await agent.accounts()[path] != nil
            try await agent.call(AgentRoot.reload)
            guard try await agent.accounts()[path] != nil else { return .readsAnotherFile }
            return hadOne ? .hadOne : .connects
        } catch let failure as Failure {
            return failure.code == .noAgent ? .noAgent(isOwnFile: isOwnFile) : .refused(failure.sentence)
        }
    }

    var sentence: String {
        let start = "feedbell-agent --config FILE"
        return switch self {
        case .connects: "The agent connects it now. How it goes: feedbell status"
        case .readsAnotherFile:
            "The running agent reads another configuration, and does not connect it. One that does: \(start) --replace"
        case .hadOne:
            "The running agent had an account of this name before, perhaps from another configuration. "
                + "What it has: feedbell status"
        case .refused(let sentence): "The running agent does not connect it yet. \(sentence)"
        case .noAgent(isOwnFile: true):
            "No agent is running. It starts with your session, or with: systemctl --user start feedbell"
        case .noAgent(isOwnFile: false): "No agent is running. One that reads this configuration: \(start)"
        }
    }
}
