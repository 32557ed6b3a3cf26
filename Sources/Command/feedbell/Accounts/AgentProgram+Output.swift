import ArgumentParser
import Glibc

extension AgentProgram {
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
        let sentences = outcome.errors.split(separator: "\n").joined(separator: " ")
        return (outcome.output, feedbell.Failure(sentences, ExitCode(outcome.status)))
    }

    /// The standard output of the program. If it fails, throws its standard error and exit code.
    @discardableResult
    func requiredOutput(_ arguments: [String], input: String = "") async throws -> String {
        let result = try await output(arguments, input: input)
        if let failure = result.failure { throw failure }
        return result.output
    }
}
