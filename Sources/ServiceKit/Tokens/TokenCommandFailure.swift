import Subprocess

/// Why a `token_command` gave nothing that could be a token. Never contains what it printed.
enum TokenCommandFailure: Error, Equatable, Sendable {
    /// There is no such program, or it may not be run.
    case absent
    /// It ended with this status.
    case exited(Int32)
    /// This signal ended it.
    case signaled(Int32)
    case printedTooMuch
    /// It did not end within this time.
    case tooSlow(Duration)
    /// The system did not run it, or did not say how it ended.
    case notRun

    /// nil: it ended as it should.
    init?(_ status: TerminationStatus, _ place: CommandPlace) {
        switch status {
        case .exited(0): return nil
        // What systemd says for a program that cannot be executed: systemd.exec(5), EXIT_EXEC.
        case .exited(203) where place == .unit: self = .absent
        case .exited(let code): self = .exited(code)
        case .signaled(let signal): self = .signaled(signal)
        }
    }

    init(_ error: SubprocessError) {
        switch error.code {
        case .executableNotFound: self = .absent
        case .outputLimitExceeded: self = .printedTooMuch
        default: self = .notRun
        }
    }

    /// - Parameter name: The beginning of the command's key.
    func sentence(of program: String, named name: String = "token", _ place: CommandPlace) -> String {
        let subject =
            "\"\(program)\" (\(name)_command)" + (place == .unit ? ", run by systemd in a unit of its own," : "")
        let end =
            switch self {
            case .absent: "could not be started: there is no such program, or you may not run it."
            case .exited(let code): "failed: it ended with status \(code)."
            case .signaled(let signal): "failed: signal \(signal) ended it."
            case .printedTooMuch: "printed more than a token can be: over \(TokenReader.limit >> 10) KiB."
            case .tooSlow(let limit): "did not end within \(limit.components.seconds) seconds."
            case .notRun: "could not be run by the system."
            }
        return "\(subject) \(end)"
    }

    /// nil: what is to be done about any source of a token.
    func remedy(of program: String, _ place: CommandPlace) -> String? {
        switch self {
        case .absent where program.contains("/"): "Does the file exist, and may you run it?"
        case .absent:
            "Install it, or name it by its whole path"
                + (place == .unit ? ": the service manager may look in other directories than your terminal." : ".")
        case .tooSlow: "Does it wait for a passphrase or for another program? Run it in a terminal."
        case .exited, .signaled, .printedTooMuch, .notRun: nil
        }
    }
}
