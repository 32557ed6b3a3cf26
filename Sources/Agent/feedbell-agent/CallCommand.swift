import Agent
import AgentInterface
import ArgumentParser
import VisibleText

/// `feedbell-agent call`, which the command and the window run for what needs the network or secrets.
struct CallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "call",
        abstract: "Answer a request of feedbell or of feedbell-window",
        discussion: "Standard input is the request, standard output the reply. Both differ with each version.",
        shouldDisplay: false
    )

    func run() async throws {
        let input = StandardInput.bytes(atMost: AgentCall.limit) { () throws(Never) in }
        guard input.count <= AgentCall.limit, let call = AgentCall(input) else {
            let sentence = "Standard input is no request of version \(AgentNames.version)."
            StandardStream.error.write(sentence + "\n")
            throw ExitCode(AgentCall.otherVersion)
        }
        if call.isTranslated { Language.useEnvironment() }
        StandardStream.output.write(await Answers(ConfigurationFile(call.configuration)).reply(to: call))
    }
}
