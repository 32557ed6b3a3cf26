import Agent
import AgentInterface
import ArgumentParser
import VisibleText

/// `feedbell-agent add-account`, which does the work of `feedbell accounts add`.
struct AddAccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-account",
        abstract: "Adds an account to the configuration. People use: feedbell accounts add",
        discussion: """
            Example:
              $ pass suprsend/work | feedbell-agent add-account --name work \\
                  --public-key SS.PUBK.abc --distinct-id anna --token-stdin

            Exit codes: 0 added, 64 wrong options or an account of that name, 65 no token came, 73 a file cannot be written, \
            77 the keyring stayed locked or failed, 78 the configuration is wrong.
            """
    )

    @Flag(help: "Check what is given, and add nothing. Anything may be missing then.") var dryRun = false
    @Option(help: "The account's name.") var name: String?
    @Option(help: "The service.") var provider: ServiceName = .suprsend
    @Option var publicKey: String?
    @Option var distinctId: String?
    @Option var tenantId = "default"
    @Option var hubUrl: String?
    @Option var apiUrl: String?
    @Option var socketUrl: String?
    @OptionGroup var file: ConfigurationOption
    @Flag(help: "Store the token that comes on standard input.") var tokenStdin = false
    @Flag(help: "Store it in a file, even if there is a Secret Service.") var noSecretService = false
    @Option(help: "The file whose first line is the token.") var tokenFile: String?
    @Option(parsing: .remaining, help: "The command whose first line of output is the token, with its arguments.")
    var tokenCommand: [String] = []

    func validate() throws {
        guard !dryRun else { return }
        for (option, value) in [("name", name), ("public-key", publicKey), ("distinct-id", distinctId)]
        where value == nil { throw ValidationError("--\(option) is missing.") }
    }

    func run() async throws {
        let token = tokenStdin ? try StandardInput.token() : nil
        let addition = AccountAddition(
            AccountConfiguration(name: name ?? Self.standIn, service: service),
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
            throw complaint("\(error)", code: error.exitCode)
        }
    }

    /// What takes the place of a missing value in a check.
    private static let standIn = "missing"

    private var service: AccountConfiguration.Service {
        switch provider {
        case .suprsend: .suprSend(suprSend)
        }
    }

    private var suprSend: SuprSendConfiguration {
        SuprSendConfiguration(
            publicKey: publicKey ?? Self.standIn,
            distinctID: distinctId ?? Self.standIn,
            tenantID: tenantId,
            token: tokenCommand.isEmpty ? tokenFile.map(TokenSource.file) : .command(tokenCommand),
            hubURL: hubUrl,
            apiURL: apiUrl,
            socketURL: socketUrl
        )
    }
}

extension ServiceName: ExpressibleByArgument {}
