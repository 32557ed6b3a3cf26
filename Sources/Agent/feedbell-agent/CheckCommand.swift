import Agent
import AgentInterface
import ArgumentParser
import FoundationEssentials
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
    @Option(help: "Check only the account with this name.") var account: String?
    /// In the user's language, for `feedbell doctor`, which prints the sentences as text.
    @Flag(help: .hidden) var translated = false

    func run() async throws {
        if translated { Language.useEnvironment() }
        for var finding in await findings() {
            if !translated {
                finding.sentence = finding.sentence.withoutIsolates
                finding.remedy = finding.remedy?.withoutIsolates
            }
            try StandardStream.output.write(json: finding)
        }
    }

    private func findings() async -> [Finding] {
        // A check never prompts for a password.
        await ServiceEnvironment.withEnvironment(keyring: Keyring(await .session(), mayPrompt: false)) { environment in
            var checked = environment
            checked.isSignedIn = { await RunningAgent.isSignedIn(to: $0) }
            let variables = ProcessInfo.processInfo.environment
            let state = StateFileFacts(path: StateStore.defaultPath(environment: variables))
            return await Check(file: file.file, account: account, environment: checked, state: state) {
                await PictureDecoder.finding(clock: environment.clock)
            }.run()
        }
    }
}
