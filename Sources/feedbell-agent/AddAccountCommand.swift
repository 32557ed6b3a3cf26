import Agent
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

    @Option(help: "The account's name.") var name: String
    @Option var publicKey: String
    @Option var distinctId: String
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

    func run() async throws {
        let token = tokenStdin ? try StandardInput.token() : nil
        let service = SuprSendConfiguration(
            publicKey: publicKey,
            distinctID: distinctId,
            tenantID: tenantId,
            token: tokenCommand.isEmpty ? tokenFile.map(TokenSource.file) : .command(tokenCommand),
            hubURL: hubUrl,
            apiURL: apiUrl,
            socketURL: socketUrl
        )
        let addition = AccountAddition(
            AccountConfiguration(name: name, service: .suprSend(service)),
            to: file.file,
            token: token,
            service: token == nil || noSecretService ? nil : await .session()
        )
        do {
            for sentence in try await addition.run() { print(VisibleText.line(sentence)) }
        } catch {
            throw complaint("\(error)", code: error.exitCode)
        }
    }
}
