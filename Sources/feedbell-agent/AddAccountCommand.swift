import Agent
import AgentInterface
import ArgumentParser
import ServiceKit
import ServiceOptions
import Services
import VisibleText

/// `feedbell-agent add-account`, which does the work of `feedbell accounts add`.
struct AddAccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-account",
        abstract: "Adds an account to the configuration. People use: feedbell accounts add",
        discussion: """
            Example:
              $ pass work | feedbell-agent add-account --name work \\
                  \(options) --token-stdin

            Exit codes: 0 added, 64 wrong options or an account of that name, 65 no token came, 73 a file cannot be written, \
            77 the keyring stayed locked or failed, 78 the configuration is wrong.
            """
    )

    @Flag(help: "Check what is given, and add nothing. Anything may be missing then.") var dryRun = false
    @Option(help: "The account's name.") var name: String?
    @OptionGroup var service: ServiceOptions<OwnServices>
    @OptionGroup var file: ConfigurationOption
    @Flag(help: "Store the token that comes on standard input.") var tokenStdin = false
    @Flag(help: "Store it in a file, even if there is a Secret Service.") var noSecretService = false
    @Option(help: "The file whose first line is the token.") var tokenFile: String?
    @Option(parsing: .remaining, help: "The command whose first line of output is the token, with its arguments.")
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
                for sentence in try await addition.run() { print(VisibleText.line(sentence)) }
            }
        } catch {
            throw problem("\(error)", code: error.exitCode)
        }
    }

    /// What takes the place of a missing value in a check.
    private static let standIn = "missing"

    private var neededOptions: [ServiceDescription.Option] { service.service?.options.filter(\.isNeeded) ?? [] }

    private func account() throws -> AccountConfiguration {
        guard let description = service.service, let type = Services.all.named(description.name) else {
            throw ValidationError("There is no service.")
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

    /// For the example: the options that an account of the usual service needs.
    private static var options: String {
        (OwnServices.services.first?.options ?? []).filter(\.isNeeded).map { "--\($0.name) …" }.joined(separator: " ")
    }
}
