import AgentInterface
import ArgumentParser
import DBus
import VisibleText

/// Why a command fails: the sentence on standard error, and the exit code.
struct Failure: Error {
    let sentence: String
    let code: ExitCode

    init(_ sentence: String, _ code: ExitCode) {
        self.sentence = sentence
        self.code = code
    }

    /// An error reply of the agent or the bus.
    init(_ error: DBusError) {
        switch error.name {
        case .serviceUnknown, .nameHasNoOwner:
            let start = "Start it with your session, or with: systemctl --user start feedbell"
            self.init("No Feedbell agent is running in this session. \(start)", .noAgent)
        case AgentErrors.notFound: self.init(error.message, .notFound)
        case AgentErrors.notEditable, AgentErrors.notSupported, AgentErrors.rejected: self.init(error.message, .refused)
        case AgentErrors.offline: self.init(error.message, .offline)
        case AgentErrors.unauthorized: self.init(error.message, .attentionNeeded)
        case .invalidArgs, .limitsExceeded: self.init(error.message, .usage)
        case .unknownInterface: self.init("The account's service does not support this.", .refused)
        default: self.init("The agent did not answer: \(error.message)", .noAnswer)
        }
    }

    /// The sentence that lists the valid names.
    static func list(_ known: [String]) -> String {
        known.isEmpty ? "There are none." : "There are: \(known.joined(separator: ", "))."
    }

    /// The line for standard error.
    var line: String { "feedbell: \(sentence.printable)\n" }

    /// Writes the line to standard error.
    func report() { StandardStream.error.write(line) }
}

extension ExitCode {
    /// No agent is running, or there is no session bus.
    static let noAgent = ExitCode(3)
    /// An account needs the user's attention.
    static let attentionNeeded = ExitCode(4)
    /// There is no such account, notification or tab.
    static let notFound = ExitCode(5)
    /// The service rejected the request.
    static let refused = ExitCode(6)
    /// The service cannot be reached.
    static let offline = ExitCode(7)
    /// Invalid options (`EX_USAGE`).
    static let usage = ExitCode(64)
    /// The token is invalid (`EX_DATAERR`).
    static let noToken = ExitCode(65)
    /// Standard output cannot be written (`EX_IOERR`).
    static let outputFailed = ExitCode(74)
    /// The agent did not answer (`EX_SOFTWARE`).
    static let noAnswer = ExitCode(70)
}
