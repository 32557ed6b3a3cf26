import AgentInterface
import ArgumentParser
import DBus
import Glibc

/// The running agent, as a command sees it.
struct AgentConnection {
    let bus: Bus

    /// Connects to the session bus. Says why and ends the program if there is none.
    static func open() async throws -> AgentConnection {
        do {
            return AgentConnection(bus: try await Bus.connect(to: .session))
        } catch {
            try give("There is no session bus here. Is this a desktop session? (\(error.message))", .noAgent)
        }
    }

    /// The agent's own object.
    var root: Proxy { Proxy(bus, AgentNames.busName, AgentNames.agentPath) }

    /// Asks the agent something. Says why and ends the program if there is no answer. A command that only looks never
    /// starts an agent: its calls carry `autoStart: false`.
    func ask<Answer>(_ question: () async throws -> Answer) async throws -> Answer {
        do {
            return try await question()
        } catch let error as DBusError {
            switch error.name {
            case .serviceUnknown, .nameHasNoOwner:
                let start = "Start it with your session, or with: systemctl --user start feedbell"
                try Self.give("No Feedbell agent is running in this session. \(start)", .noAgent)
            case AgentErrors.notFound: try Self.give(error.message, .notFound)
            case AgentErrors.notEditable, AgentErrors.notSupported, AgentErrors.rejected:
                try Self.give(error.message, .refused)
            case AgentErrors.offline: try Self.give(error.message, .offline)
            case AgentErrors.unauthorized: try Self.give(error.message, .attentionNeeded)
            case .invalidArgs, .limitsExceeded: try Self.give(error.message, .usage)
            default:
                try Self.give("The agent did not answer: \(error.message)", .noAnswer)
            }
        }
    }

    /// Says `sentence` on standard error and ends the program.
    static func give(_ sentence: String, _ code: ExitCode) throws -> Never {
        var line = "feedbell: \(sentence.printable)\n"
        line.withUTF8 { bytes in _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
        throw code
    }
}
