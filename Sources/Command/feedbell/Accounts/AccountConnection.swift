import AgentInterface
import VisibleText

/// Whether the running agent connects an account that was added to the configuration.
enum AccountConnection: Equatable {
    case connects
    /// The running agent does not have the account after a reload.
    case readsAnotherFile
    /// The running agent already had an account with this name.
    case hadOne
    /// The reload failed, with the reason as a sentence.
    case refused(String)
    /// No agent is running. `isOwnFile`: whether an agent that the session starts uses this configuration.
    case noAgent(isOwnFile: Bool)

    /// Whether the running agent has an account with this name; false if none is running. Ask before the account is
    /// added to the configuration, because the agent follows its changes.
    static func exists(_ account: String) async -> Bool {
        let accounts = try? await AgentObject.root().accounts()
        return accounts?[AgentNames.accountPath(account)] != nil
    }

    /// Reloads the configuration of the running agent, which may be another file.
    ///
    /// - Parameter hadOne: Whether the agent had an account with this name before, from ``exists(_:)``.
    static func request(_ account: String, hadOne: Bool, isOwnFile: Bool) async throws -> AccountConnection {
        do {
            let agent = try await AgentObject.root()
            try await agent.call(AgentRoot.reload)
            let path = AgentNames.accountPath(account)
            guard try await agent.accounts()[path] != nil else { return .readsAnotherFile }
            return hadOne ? .hadOne : .connects
        } catch let failure as Failure {
            return failure.code == .noAgent ? .noAgent(isOwnFile: isOwnFile) : .refused(failure.sentence)
        }
    }

    var sentence: String {
        let start = "feedbell-agent --config FILE"
        return switch self {
        case .connects: translated("The agent connects it now. Check with: feedbell status")
        case .readsAnotherFile:
            translated(
                "The running agent uses another configuration and does not connect it. To use this one: {command}",
                ["command": "\(start) --replace"]
            )
        case .hadOne:
            translated(
                "The running agent already had an account with this name, possibly from another configuration. "
                    + "Check with: feedbell status"
            )
        case .refused(let sentence):
            translated("The running agent does not connect it yet. {reason}", ["reason": sentence])
        case .noAgent(isOwnFile: true):
            translatedParagraph([
                Failure.noAgentRunning, translated("Start it with: {command}", ["command": Failure.startCommand]),
            ])
        case .noAgent(isOwnFile: false):
            translated("No agent is running. To start one with this configuration: {command}", ["command": start])
        }
    }
}
