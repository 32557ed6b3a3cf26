import Agent
import AgentInterface
import ArgumentParser
import ServiceKit
import ServiceOptions
import Services
import VisibleText

/// `feedbell-agent add-account`, which `feedbell accounts add` runs.
struct AddAccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-account",
        abstract: "Add an account to the configuration",
        discussion: """
            `feedbell accounts add` runs this command and prompts for missing values.

            Example:
              $ pass work | feedbell-agent add-account --name work \\
                  \(options) --token-stdin

            Exit codes: 0 added, 64 invalid options or the name is in use, 65 standard input has no valid token, 73 \
            cannot write a file, 77 the keyring stayed locked or failed, 78 invalid configuration.
            """
    )

    @Flag(help: "Check the given options, which may be incomplete, and add nothing.") var dryRun = false
    @Option(help: "The account's name.") var name: String?
    @OptionGroup var service: ServiceOptions<OwnServices>
    @OptionGroup var file: ConfigurationOption
    @Flag(help: "Store the token from standard input.") var tokenStdin = false
    @Flag(help: "Store the token in a file instead of the Secret Service.") var noSecretService = false
    @Option(help: "The file with the token in its first line.") var tokenFile: String?
    @Option(parsing: .remaining, help: "The command that prints the token in its first line, with arguments.")
    var tokenCommand: [String] = []

    func validate() throws {
        guard !dryRun else { return }
        let missing = neededOptions.first { service.values[$0.name] == nil }?.name
        if let missing = name == nil ? "name" : missing { throw ValidationError("--\(missing) is missing.") }
    }

    func run() async throws {
        let token = tokenStdin ? try StandardInput.token() : nil
        let addition = AccountAddition(
            try account(),
            to: file.file,
            token: token,
            service: token == nil || noSecretService || dryRun ? nil : await .session()
        )
        do {
            if dryRun {
                try addition.check(isNamed: name != nil)
            } else {
                for sentence in try await addition.run() {
                    StandardStream.output.write(VisibleText.line(sentence) + "\n")
                }
            }
        } catch {
            throw problem("\(error)", code: error.exitCode)
        }
    }

    /// The placeholder for a missing value in a dry run.
    private static let standIn = "missing"

    private var neededOptions: [ServiceDescription.Option] {
        service.service?.options.filter { $0.isNeeded(beside: service.values) } ?? []
    }

    private func account() throws -> AccountConfiguration {
        guard let description = service.service, let type = Services.all.named(description.name) else {
            throw ValidationError("No service is supported by this build.")
        }
        var values: [String: String] = [:]
        for option in neededOptions { values[option.key] = Self.standIn }
        for (option, value) in service.values { values[option.replacing("-", with: "_")] = value }
        do throws(ConfigurationError) {
            return try AccountConfiguration(
                name: name ?? Self.standIn,
                service: type,
                values: values,
                token: tokenCommand.isEmpty ? tokenFile.map(TokenSource.file) : .command(tokenCommand)
            )
        } catch {
            throw problem(error.problem, code: 64)
        }
    }

    /// The required options of the default service, for the example.
    private static var options: String {
        (OwnServices.services.first?.options ?? []).filter(\.isNeeded).map { "--\($0.name) …" }.joined(separator: " ")
    }
}
