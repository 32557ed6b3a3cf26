import AgentInterface
import ArgumentParser
import DBus
import VisibleText

/// Why a command fails: the sentence on standard error, and the exit code.
struct Failure: Error {
    let sentence: String
    let code: ExitCode
    /// The name of the error reply; nil: of no meaning.
    let name: ErrorName?

    init(_ sentence: String, _ code: ExitCode, _ name: ErrorName? = nil) {
        self.sentence = sentence
        self.code = code
        self.name = name
    }

    /// An error reply of the agent or the bus.
    init(_ error: DBusError) {
        switch error.name {
        case .serviceUnknown, .nameHasNoOwner: self = .noAgent
        case AgentErrors.notFound, AgentErrors.notOpened: self.init(error.message, .notFound, error.name)
        case AgentErrors.notEditable, AgentErrors.notSupported, AgentErrors.rejected: self.init(error.message, .refused)
        case AgentErrors.offline: self.init(error.message, .offline)
        case AgentErrors.unauthorized, AgentErrors.notSignedIn, AgentErrors.signedOut, AgentErrors.signInEnded:
            self.init(error.message, .attentionNeeded)
        case .invalidArgs, .limitsExceeded: self.init(error.message, .usage, error.name)
        case .unknownInterface: self.init(translated("The account's service does not support this."), .refused)
        default: self.init(translated("The agent did not answer: {reason}", ["reason": error.message]), .noAnswer)
        }
    }

    /// The sentence that lists the valid names.
    static func list(_ known: [String]) -> String {
        known.isEmpty
            ? translated("There are none.")
            : translated("There are: {names}.", ["names": known.joined(separator: ", ")])
    }

    /// The sentence about options of which only one can be given.
    static func exclusive(_ options: [String]) -> String {
        translated(
            "These options exclude each other: {options}. Use one of them.",
            ["options": options.joined(separator: ", ")]
        )
    }

    /// The failure of a command that has listed the other notifications.
    var ofMissingNotifications: Failure {
        let sentence = translated("Some notifications are missing: {reason}", ["reason": sentence])
        return Failure(sentence, code == .attentionNeeded ? code : .offline)
    }

    static var noAgent: Failure {
        let advice = translated("Start it with: {command}", ["command": startCommand])
        return Failure(translatedParagraph([noAgentRunning, advice]), .noAgent)
    }

    static var noAgentRunning: String { translated("No Feedbell agent is running in this session.") }

    /// The command that starts the agent.
    static let startCommand = "feedbell start"

    /// The line for standard error.
    var line: String { "feedbell: \(VisibleText.lines(sentence, keepsIsolates: true))\n" }

    /// Writes the line to standard error.
    func report() { StandardStream.error.write(Terminal.wrappedForErrors(line)) }
}

extension ExitCode {
    /// What a change names does not exist, and `--yes` is not given.
    static let unconfirmed = ExitCode(2)
    /// No agent is running, or there is no session bus.
    static let noAgent = ExitCode(3)
    /// An account needs the user's attention.
    static let attentionNeeded = ExitCode(4)
    /// The code for notifications that an account in this state lacks.
    static func ofMissing(in state: String?) -> ExitCode { state == "unauthorized" ? .attentionNeeded : .offline }
    /// There is no such account, notification, tab or link, or nothing that opens it.
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
    /// The service did not answer (`EX_UNAVAILABLE`).
    static let unavailable = ExitCode(69)
    /// The configuration is invalid (`EX_CONFIG`).
    static let invalidConfiguration = ExitCode(78)
    /// Interrupted by Control-C, as shells report it.
    static let interrupted = ExitCode(130)
}
