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

    func run() async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        for finding in await Answers(file.file).findings(of: account, isTranslated: false) {
            StandardStream.output.write(json: String(decoding: try encoder.encode(finding), as: UTF8.self))
        }
    }
}

extension Answers {
    /// - Parameter account: The only one to check; nil: all, and what else needs the network.
    func findings(of account: String?, isTranslated: Bool) async -> [Finding] {
        // A check never prompts for a password.
        let keyring = Keyring(await .session(), mayPrompt: false)
        let findings = await ServiceEnvironment.withEnvironment(keyring: keyring) { environment in
            var checked = environment
            checked.isSignedIn = { await RunningAgent.isSignedIn(to: $0) }
            let variables = ProcessInfo.processInfo.environment
            let state = StateFileFacts(path: StateStore.defaultPath(environment: variables))
            return await Check(file: file, account: account, environment: checked, state: state) {
                await PictureDecoder.finding(clock: environment.clock)
            }.run()
        }
        if isTranslated { return findings }
        return findings.map { finding in
            var finding = finding
            finding.sentence = finding.sentence.withoutIsolates
            finding.remedy = finding.remedy?.withoutIsolates
            return finding
        }
    }
}
