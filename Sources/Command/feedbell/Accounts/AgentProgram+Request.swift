import AgentInterface
import ArgumentParser
import FoundationEssentials
import VisibleText

extension AgentProgram {
    /// The reply to a request.
    ///
    /// - Parameter config: The path of the configuration; nil: the default one.
    static func request<Value: Codable & Sendable>(
        _ request: AgentRequest,
        config: String?,
        isTranslated: Bool = true
    ) async throws -> Value {
        try await attempt(request, config: config, isTranslated: isTranslated).mapError { Failure($0) }.get()
    }

    /// The reply to a request whose failure the user may end. Throws if Control-C was pressed.
    static func attempt<Value: Codable & Sendable>(
        _ request: AgentRequest,
        config: String?,
        isTranslated: Bool = true
    ) async throws -> Result<Value, AgentRequest.Failure> {
        do {
            let call = AgentCall(request, configuration: config.map(absolute), isTranslated: isTranslated)
            return .success(try await reply(to: call))
        } catch {
            // The signal has ended the program, too.
            try Interruption.check()
            return .failure(error)
        }
    }

    /// The absolute path: the agent has another working directory.
    static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }
}

extension Failure {
    /// - Parameter sentences: nil: all that the agent's program says.
    init(_ failure: AgentRequest.Failure, _ sentences: String? = nil) {
        self.init(sentences ?? failure.sentences, ExitCode(failure.kind.rawValue))
    }
}
