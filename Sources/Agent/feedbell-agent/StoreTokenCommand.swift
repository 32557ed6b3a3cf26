import Agent
import ArgumentParser
import VisibleText

/// `feedbell-agent store-token`, which `feedbell accounts token` runs.
struct StoreTokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store-token",
        abstract: "Replace an account's token by one from standard input",
        discussion: """
            `feedbell accounts token` runs this command, prompts for the token and reconnects the account. The \
            present token is kept unless the service accepts the new one.

            Example:
              $ new-token | feedbell-agent store-token work

            Exit codes: 0 stored, 64 no such account or its token is stored elsewhere, 65 standard input has no \
            valid token, 69 the service did not answer or there is no Secret Service, 73 cannot write the token's \
            file, 77 the service refused the token, or the keyring stayed locked or failed, 78 invalid configuration.
            """
    )

    @Argument(help: "The account's name.") var name: String
    @Flag(help: "Only check that the account's token can be replaced.") var dryRun = false
    @Flag(help: "Store the token without a request to the service.") var noVerify = false
    /// On failure, no option of this command is advised.
    @Flag(name: .customLong("dialogue"), help: .hidden) var isDialogue = false
    @OptionGroup var file: ConfigurationOption

    func run() async throws {
        let replacement: TokenReplacement
        do throws(TokenReplacement.Failure) {
            replacement = try await TokenReplacement(account: name, in: file.file)
        } catch {
            throw problem("\(error)", code: error.exitCode)
        }
        if dryRun { return }
        let token = try StandardInput.token()
        do throws(TokenReplacement.Failure) {
            StandardStream.output.write(sentences: try await replace(replacement, token))
        } catch {
            throw problem(isDialogue ? error.reason : "\(error)", code: error.exitCode)
        }
    }

    private func replace(
        _ replacement: TokenReplacement,
        _ token: String
    ) async throws(TokenReplacement.Failure) -> [String] {
        let service = await SecretService.session()
        if noVerify { return try await replacement.run(token, service: service, verifyingIn: nil) }
        return try await ServiceEnvironment.withEnvironment(keyring: Keyring(service, mayPrompt: false)) {
            (environment) async throws(TokenReplacement.Failure) in
            try await replacement.run(token, service: service, verifyingIn: environment)
        }
    }
}
