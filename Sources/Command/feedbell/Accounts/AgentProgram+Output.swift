import AgentInterface
import ArgumentParser
import Glibc
import VisibleText

extension AgentProgram {
    /// The program, which the command cannot do without.
    static func required() throws -> AgentProgram {
        guard let program = find() else {
            throw feedbell.Failure(
                translated("Cannot find {program} beside feedbell or in PATH. Install it.", ["program": name]),
                .noAnswer
            )
        }
        return program
    }

    /// Runs the program. Returns its standard output, and if it fails, the failure with its standard error and exit
    /// code.
    func output(_ arguments: [String], input: String = "") async throws -> (output: String, failure: feedbell.Failure?)
    {
        let outcome: Outcome
        do {
            outcome = try await run(arguments, input: input)
        } catch {
            throw feedbell.Failure(error.description, .noAnswer)
        }
        if outcome.status == 0 { return (outcome.output, nil) }
        // The signal has ended the program, too.
        try Interruption.check()
        return (outcome.output, feedbell.Failure(outcome.sentences, ExitCode(outcome.status)))
    }

    /// The standard output of the program. If it fails, throws its standard error and exit code.
    @discardableResult
    func requiredOutput(_ arguments: [String], input: String = "") async throws -> String {
        let result = try await output(arguments, input: input)
        if let failure = result.failure { throw failure }
        return result.output
    }
}
