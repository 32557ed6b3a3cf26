import Agent
import AgentInterface
import ArgumentParser
import FoundationEssentials
import Glibc
import Logging
import ServiceKit
import Transport

/// `feedbell-agent check`, which is the part of `feedbell doctor` that needs the network.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Looks whether the configuration is right and its accounts can reach their services.",
        discussion: """
            Prints a JSON object for each finding, one on a line: topic, account (unless it is about none), level ("ok", \
            "warning" or "problem"), sentence, and remedy (what to do, if anything). It does not disturb a running agent, \
            changes nothing at the service, and ends with 0 whatever it finds. `feedbell doctor` shows the same to people.

            Example:
              $ feedbell-agent check | jq -r 'select(.level != "ok") | .sentence'
            """
    )

    @OptionGroup var file: ConfigurationOption

    func run() async throws {
        signal(SIGPIPE, SIG_IGN)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        for finding in await findings() {
            print(String(decoding: try encoder.encode(finding), as: UTF8.self))
        }
    }

    private func findings() async -> [Finding] {
        // What happens on the way is told by the findings.
        let logger = Logger(label: "feedbell-agent") { _ in SwiftLogNoOpLogHandler() }
        // Who only looks asks nobody for a password.
        let keyring = Keyring(await .session(), mayPrompt: false)
        let options = TransportOptions(proxies: ProxyRules(environment: ProcessInfo.processInfo.environment))
        let transport = NIOTransport(options: options, logger: logger)
        let surroundings = ServiceSurroundings(
            transport: transport,
            keyring: keyring,
            now: Surroundings().now,
            logger: logger
        )
        let findings = await Check(file: file.file, surroundings: surroundings).run()
        await transport.shutdown()
        return findings
    }
}
