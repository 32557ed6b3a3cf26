import AgentInterface
import AgentTestSupport
import Subprocess
import Testing

/// What `feedbell-agent call` answers, as the command and the window run it.
enum AgentAnswer {
    static func result<Value: Codable & Sendable>(
        of request: AgentRequest,
        configuration: String? = nil
    ) async throws -> Result<Value, AgentRequest.Failure> {
        let call = AgentCall(request, configuration: configuration)
        let input = String(decoding: call.bytes, as: UTF8.self)
        let outcome = try await Programs.run("feedbell-agent", ["call"], input: input)
        #expect(outcome.status == .exited(0) && outcome.errors.isEmpty, "\(outcome)")
        switch try #require(AgentReply<Value>(Array(outcome.output.utf8)), "\(outcome.output)") {
        case .value(let value): return .success(value)
        case .failure(let failure): return .failure(failure)
        }
    }

    /// Why a request is not fulfilled; nil: it is.
    static func failure(of request: AgentRequest, configuration: String? = nil) async throws -> AgentRequest.Failure? {
        let result: Result<[String], AgentRequest.Failure> = try await result(
            of: request,
            configuration: configuration
        )
        if case .failure(let failure) = result { return failure }
        return nil
    }
}
