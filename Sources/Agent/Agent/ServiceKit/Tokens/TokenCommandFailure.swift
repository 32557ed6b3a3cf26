import ProgramKit

/// Why a `token_command` returned no token. Never contains its output.
enum TokenCommandFailure: Error, Equatable, Sendable {
    /// The program does not exist or is not executable.
    case absent
    /// The command ended with this status.
    case exited(Int32)
    /// This signal ended it.
    case signaled(Int32)
    case printedTooMuch
    /// The command did not end within this time.
    case tooSlow(Duration)
    /// The system could not run it.
    case notRun

    /// nil: it succeeded.
    init?(_ status: ChildProgram.Status, _ place: CommandLocation) {
        switch status {
        case .exited(0): return nil
        // systemd.exec(5), EXIT_EXEC: the program cannot be executed.
        case .exited(203) where place == .unit: self = .absent
        case .exited(let code): self = .exited(code)
        case .signaled(let signal): self = .signaled(signal)
        }
    }

    init(_ error: ChildProgram.Failure) {
        self = error.isAbsent ? .absent : error == .tooMuchOutput ? .printedTooMuch : .notRun
    }

    /// - Parameter name: The beginning of the command's key.
    func sentence(of program: String, named name: String = "token", _ place: CommandLocation) -> String {
        let subject =
            "\"\(program)\" (\(name)_command)" + (place == .unit ? ", run by systemd in a unit of its own," : "")
        let end =
            switch self {
            case .absent: "could not be started: it does not exist or is not executable."
            case .exited(let code): "failed: it exited with status \(code)."
            case .signaled(let signal): "failed: signal \(signal) ended it."
            case .printedTooMuch: "printed more than the limit of \(TokenReader.limit >> 10) KiB."
            case .tooSlow(let limit): "did not end within \(limit.components.seconds) seconds."
            case .notRun: "could not be started by the system."
            }
        return "\(subject) \(end)"
    }

    /// nil: the same as for any source of a token.
    func remedy(of program: String, _ place: CommandLocation) -> String? {
        switch self {
        case .absent where program.contains("/"): "Check that the file exists and is executable."
        case .absent:
            "Install it, or give its full path"
                + (place == .unit ? ": the service manager may search other directories than your terminal." : ".")
        case .tooSlow: "Run it in a terminal: it may wait for a passphrase or another program."
        case .exited, .signaled, .printedTooMuch, .notRun: nil
        }
    }
}
