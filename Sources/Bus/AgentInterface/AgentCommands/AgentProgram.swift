import Glibc
import ProgramKit
import VisibleText

/// The program `feedbell-agent`, which the command and the window run for tasks that need the network or secrets. It
/// has the code for them, and they stay small.
package struct AgentProgram: Sendable {
    /// Why the program could not be run, in a sentence.
    package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        package var description: String
    }

    /// The exit status and output of the program.
    package struct Outcome: Equatable, Sendable {
        /// The exit code; 128 plus the signal's number after a signal, as in a shell.
        package var status: Int32
        package var output: String
        package var errors: String

        package init(status: Int32, output: String = "", errors: String = "") {
            (self.status, self.output, self.errors) = (status, output, errors)
        }

        /// Standard error on one line, which is sentences for the user.
        package var sentences: String { errors.split(separator: "\n").joined(separator: " ") }
    }

    package static let name = "feedbell-agent"
    /// The maximum size of standard output and standard error, in bytes.
    static let limit = 1 << 20

    package let path: String

    /// The program in the directory of this one, or else in `PATH`; nil: not installed.
    package static func find() -> AgentProgram? {
        // The program receives secrets: relative and empty entries of PATH are ignored.
        let searched =
            getenv("PATH").map { String(cString: $0) }?.split(separator: ":").filter { $0.first == "/" } ?? []
        let directories = [ownDirectory].compactMap(\.self) + searched.map(String.init)
        let candidates: [String] = directories.map { "\($0)/\(name)" }
        return candidates.first { access($0, X_OK) == 0 }.map(AgentProgram.init)
    }

    private static var ownDirectory: String? {
        guard let own = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(own) }
        let path = String(cString: own)
        return path.lastIndex(of: "/").map { String(path[..<$0]) }
    }

    /// Runs the program and waits for its end.
    ///
    /// - Parameter input: The content of its standard input.
    package func run(_ arguments: [String], input: String = "") async throws(Failure) -> Outcome {
        do {
            return Outcome(try await program(arguments, Array(input.utf8)).run())
        } catch {
            throw failure(error)
        }
    }

    /// Runs the program and waits for its end, blocking this thread.
    package func runToEnd(_ arguments: [String]) throws(Failure) -> Outcome {
        do {
            return Outcome(try program(arguments, []).runToEnd())
        } catch {
            throw failure(error)
        }
    }

    private func program(_ arguments: [String], _ input: [UInt8]) -> ChildProgram {
        ChildProgram([path] + arguments, input: input, keepsOutput: true, keepsErrors: true, limit: Self.limit)
    }

    private func failure(_ error: ChildProgram.Failure) -> Failure {
        switch error {
        case .notStarted(let code):
            Failure(
                description: translated(
                    "Cannot start {program}: {reason}.",
                    ["program": path, "reason": String(cString: strerror(code))]
                )
            )
        case .tooMuchOutput:
            Failure(
                description: translated(
                    "{program} wrote more than {limit} bytes.",
                    ["program": path, "limit": "\(Self.limit)"]
                )
            )
        case .cancelled:
            Failure(
                description: translated(
                    "{program} was ended, because the request was cancelled.",
                    ["program": path]
                )
            )
        }
    }
}

extension AgentProgram.Outcome {
    fileprivate init(_ outcome: ChildProgram.Outcome) {
        let status =
            switch outcome.status {
            case .exited(let code): code
            case .signaled(let signal): 128 + signal
            }
        self.init(
            status: status,
            output: CharacterSet.current.text(outcome.output),
            errors: CharacterSet.current.text(outcome.errors)
        )
    }
}
