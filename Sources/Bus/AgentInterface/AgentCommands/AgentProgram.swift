import Glibc
import ProgramKit
import VisibleText

/// The program `feedbell-agent`, which the command and the window run for tasks that need the network or secrets. It
/// has the code for them, and they stay small.
package struct AgentProgram: Sendable {
    package static let name = "feedbell-agent"

    let path: String

    /// The program in the directory of this one, or else in `PATH`.
    private static func installed() throws(AgentRequest.Failure) -> AgentProgram {
        // The program receives secrets: relative and empty entries of PATH are ignored.
        let searched =
            getenv("PATH").map { String(cString: $0) }?.split(separator: ":").filter { $0.first == "/" } ?? []
        let directories = [ownDirectory].compactMap(\.self) + searched.map(String.init)
        let candidates: [String] = directories.map { "\($0)/\(name)" }
        if let path = candidates.first(where: { access($0, X_OK) == 0 }) { return AgentProgram(path: path) }
        throw noAnswer(
            translated(
                "The program {program} is neither beside this one nor in a directory of PATH.",
                ["program": name]
            )
        )
    }

    private static var ownDirectory: String? {
        guard let own = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(own) }
        let path = String(cString: own)
        return path.lastIndex(of: "/").map { String(path[..<$0]) }
    }

    /// The reply of the installed program.
    package static func reply<Value: Codable & Sendable>(to call: AgentCall) async throws(AgentRequest.Failure) -> Value
    {
        try await installed().reply(to: call)
    }

    /// The same, blocking this thread.
    package static func replyBlocking<Value: Codable & Sendable>(
        to call: AgentCall
    ) throws(AgentRequest.Failure) -> Value {
        let program = try installed()
        let run = try program.run(call)
        let outcome: ChildProgram.Outcome
        do { outcome = try run.runToEnd() } catch { throw program.failure(error) }
        return try program.value(outcome)
    }

    func reply<Value: Codable & Sendable>(to call: AgentCall) async throws(AgentRequest.Failure) -> Value {
        let run = try run(call)
        let outcome: ChildProgram.Outcome
        do { outcome = try await run.run() } catch { throw failure(error) }
        return try value(outcome)
    }

    private func run(_ call: AgentCall) throws(AgentRequest.Failure) -> ChildProgram {
        let input = call.bytes
        guard input.count <= AgentCall.limit else {
            let values = ["limit": "\(AgentCall.limit)"]
            throw AgentRequest.Failure(.invalidValue, translated("The values are longer than {limit} bytes.", values))
        }
        return ChildProgram([path, "call"], input: input, keepsOutput: true, keepsErrors: true, limit: AgentCall.limit)
    }

    private func value<Value: Codable & Sendable>(
        _ outcome: ChildProgram.Outcome
    ) throws(AgentRequest.Failure) -> Value {
        switch (AgentReply<Value>(outcome.output), outcome.status) {
        case (.value(let value)?, _): return value
        case (.failure(let failure)?, _): throw failure
        case (nil, .exited(0)), (nil, .exited(AgentCall.otherVersion)):
            throw Self.noAnswer(translated("{program} has another version than this program.", ["program": path]))
        case (nil, .exited(let code)): throw Self.noAnswer(ended(code, outcome.errors))
        case (nil, .signaled(let signal)): throw Self.noAnswer(ended(128 + signal, outcome.errors))
        }
    }

    /// - Parameter code: 128 plus the signal's number after a signal, as in a shell.
    private func ended(_ code: Int32, _ errors: [UInt8]) -> String {
        let cause = CharacterSet.current.text(errors).split(separator: "\n").first.map { VisibleText.line(String($0)) }
        return translatedParagraph([
            translated("{program} does not work (exit code {code}).", ["program": path, "code": "\(code)"]), cause,
        ])
    }

    private func failure(_ error: ChildProgram.Failure) -> AgentRequest.Failure {
        switch error {
        case .notStarted(let code):
            Self.noAnswer(
                translated(
                    "Cannot start {program}: {reason}.",
                    ["program": path, "reason": String(cString: strerror(code))]
                )
            )
        case .tooMuchOutput:
            Self.noAnswer(
                translated(
                    "{program} wrote more than {limit} bytes.",
                    ["program": path, "limit": "\(AgentCall.limit)"]
                )
            )
        case .cancelled:
            AgentRequest.Failure(
                .noAnswer,
                translated("{program} was ended, because the request was cancelled.", ["program": path])
            )
        }
    }

    private static func noAnswer(_ reason: String) -> AgentRequest.Failure {
        let advice = translated("Install all of Feedbell in one version, and start it again.")
        return AgentRequest.Failure(.noAnswer, reason, sentences: translatedParagraph([reason, advice]))
    }
}
