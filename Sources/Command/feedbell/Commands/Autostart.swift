import AgentInterface
import ArgumentParser
import VisibleText

struct Autostart: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "autostart",
        _superCommandName: Feedbell.name,
        abstract: "Show or change whether your sessions start the agent",
        discussion: """
            Nothing is started or stopped now; see "feedbell start". Opening the window starts the agent in any case.

            Examples:
              $ feedbell autostart
              $ feedbell autostart off
            """
    )

    @Argument(help: "\"on\" or \"off\".", completion: .list(["on", "off"])) var word: String?
    @Flag(help: "Print a JSON object: whether sessions start the agent.") var json = false

    func validate() throws {
        if let word, !["on", "off"].contains(word) { throw ValidationError(translated("Give \"on\" or \"off\".")) }
    }

    func run() async throws {
        if let word {
            let _: [String] = try await AgentProgram.request(.setAutostart(word == "on"), config: nil)
            if !json { return }
        }
        let isOn: Bool = try await AgentProgram.request(.autostart, config: nil)
        if json { return Output.json(.object(["autostart": .bool(isOn)])) }
        Output.text(
            isOn
                ? translated("Your sessions start the agent.")
                : translatedParagraph([
                    translated("Your sessions do not start the agent."),
                    translated("To change that: {command}", ["command": "feedbell autostart on"]),
                ])
        )
    }
}
