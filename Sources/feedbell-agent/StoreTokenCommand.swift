import Agent
import ArgumentParser
import Desktop
import ServiceKit

/// `feedbell-agent store-token`: another token for an account whose token is in the Secret Service.
struct StoreTokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store-token",
        abstract: "Stores the token that comes on standard input in the Secret Service.",
        discussion: """
            It takes the place of the one that was stored for the account, and is read by accounts with token_secret = true. \
            A running agent asks for it when it needs one; `feedbell reconnect` lets it try at once.

            Example:
              $ new-token | feedbell-agent store-token work

            Exit codes: 0 stored, 64 the configuration has no such account, 65 no token came, 69 there is no Secret Service, \
            77 the keyring stayed locked or failed, 78 the configuration has a mistake.
            """
    )

    @Argument(help: "The account's name.") var name: String
    @OptionGroup var file: ConfigurationOption

    func run() async throws {
        try checkAccount()
        let token = try StandardInput.token()
        guard let service = await SecretService.session() else {
            throw complaint("\(SecretServiceError.noService)", code: 69)
        }
        let item = TokenItem(account: name)
        do {
            try await service.store(Array(token.utf8), label: item.label, attributes: item.allAttributes)
        } catch {
            throw complaint("\(error)", code: error == .noService || error == .noEncryption ? 69 : 77)
        }
    }

    /// A token under a mistyped name would never be read.
    private func checkAccount() throws {
        let names: [String]
        do { names = try file.file.read().accounts.map(\.name) } catch { throw complaint("\(error)", code: 78) }
        guard !names.contains(name) else { return }
        let others =
            names.isEmpty
            ? "No account is there; add one with: feedbell accounts add"
            : "There are: \(names.joined(separator: ", "))."
        throw complaint("\(file.file.path) has no account \"\(name)\". \(others)", code: 64)
    }
}
