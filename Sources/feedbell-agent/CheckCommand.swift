import Agent
import AgentInterface
import ArgumentParser
import FoundationEssentials
import Pictures
import ServiceKit
import VisibleText

/// `feedbell-agent check`, which is the part of `feedbell doctor` that needs the network.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check the configuration and the connections to services",
        discussion: """
            Prints one JSON object for each finding, one on a line: topic, account, level ("ok", "warning" or \
            "problem"), sentence, and remedy. It does not affect a running agent and changes nothing at the service. \
            The exit code is always 0. `feedbell doctor` prints the same findings as text.

            Example:
              $ feedbell-agent check | jq -r 'select(.level != "ok") | .sentence'
            """
    )

    @OptionGroup var file: ConfigurationOption

    func run() async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        for finding in await findings() {
            StandardStream.output.write(json: String(decoding: try encoder.encode(finding), as: UTF8.self))
        }
    }

    private func findings() async -> [Finding] {
        // A check never prompts for a password.
        await ServiceEnvironment.withEnvironment(keyring: Keyring(await .session(), mayPrompt: false)) { environment in
            await Check(file: file.file, environment: environment) {
                await PictureDecoder.finding(clock: environment.clock)
            }.run()
        }
    }
}
