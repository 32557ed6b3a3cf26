import AgentInterface
import ArgumentParser
import VisibleText

struct PreferencesTopic: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "topic",
        _superCommandName: Feedbell.name,
        abstract: "Follow a topic, or stop following it",
        discussion: """
            With "off", nothing of the topic is delivered any more, also not to you by name. "feedbell list --json" \
            prints the topics of notifications. Services without topics refuse it.

            Examples:
              $ feedbell preferences topic build-4711 off
              $ feedbell preferences topic build-4711 on --wait
            """
    )
    @OptionGroup var account: AccountOptions
    @Argument(help: "The topic.") var topic: String
    @Argument(help: "\"on\" or \"off\".", completion: .list(["on", "off"])) var state: String
    @Flag(help: "Wait until the service has confirmed the change.") var wait = false

    func validate() throws {
        guard ["on", "off"].contains(state) else { throw ValidationError(translated("Give TOPIC on|off.")) }
    }

    func run() async throws {
        let object = try await account.objectWithTopics()
        try await object.call(AgentPreferences.setTopic, topic, state == "on")
        if wait { try await object.call(AgentPreferences.flush) }
    }
}
