import Agent
import ArgumentParser
import Desktop
import ServiceKit

/// `feedbell-agent store-token`: replaces the token of an account in the Secret Service.
struct StoreTokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store-token",
        abstract: "Store a token from standard input in the Secret Service",
        discussion: """
            Replaces the account's stored token, which accounts with token_secret = true use. A running agent reads \
            it when it needs a token; `feedbell reconnect` makes it retry at once.

            Example:
              $ new-token | feedbell-agent store-token work

            Exit codes: 0 stored, 64 the configuration has no such account, 65 standard input has no valid token, 69 \
            there is no Secret Service, 77 the keyring stayed locked or failed, 78 invalid configuration.
            """
    )

    @Argument(help: "The account's name.") var name: String
    @OptionGroup var file: ConfigurationOption

    func run() async throws {
        try checkAccount()
        let token = try StandardInput.token()
        guard let service = await SecretService.session() else {
            throw problem("\(SecretServiceError.noService)", code: 69)
        }
        let item = TokenItem(account: name)
        do {
            try await service.store(Array(token.utf8), label: item.label, attributes: item.allAttributes)
        } catch {
            throw problem("\(error)", code: error == .noService || error == .noEncryption ? 69 : 77)
        }
    }

    /// Checks that the account exists: a token of a misspelled account would never be read.
    private func checkAccount() throws {
        let names: [String]
        do { names = try file.file.read().accounts.map(\.name) } catch { throw problem("\(error)", code: 78) }
        guard !names.contains(name) else { return }
        let others =
            names.isEmpty
            ? "No account is configured. Add one with: feedbell accounts add"
            : "Configured accounts: \(names.joined(separator: ", "))."
        throw problem("\(file.file.path) has no account \"\(name)\". \(others)", code: 64)
    }
}
