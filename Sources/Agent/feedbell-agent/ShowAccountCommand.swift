import Agent
import AgentInterface
import ArgumentParser
import FoundationEssentials
import VisibleText

/// `feedbell-agent show-account`, from which `feedbell accounts edit` gets the present values.
struct ShowAccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show-account",
        abstract: "Print the values of an account that `accounts add` added",
        discussion: """
            The output is a JSON object: provider, the values by option of `accounts add`, and whether the token alone \
            names project and user. It has no secrets.

            Example:
              $ feedbell-agent show-account work | jq .values

            Exit codes: 64 no such account, or it is in a file that programs do not change, 78 invalid configuration.
            """
    )

    @Argument(help: "The account's name.") var name: String
    @OptionGroup var file: ConfigurationOption

    func run() async throws {
        let entries: [String: TOMLNode]
        do throws(AccountChangeFailure) {
            entries = try await ConfiguredAccount(name, in: file.file).changeableTable.entries ?? [:]
        } catch {
            throw problem("\(error)", code: error.exitCode)
        }
        let texts = entries.compactMapValues(\.text)
        let provider = texts["provider"] ?? ""
        let description = Services.all.named(provider)?.description
        var values: [String: String] = [:]
        for option in description?.options ?? [] { values[option.name] = texts[option.key] }
        let login = description?.tokenLogin.map { $0.key + "_" }
        let hasTokenAlone = login.map { login in entries.keys.contains { $0.hasPrefix(login) } } ?? false
        if let described = hasTokenAlone ? description?.withTokenAlone : description {
            values.merge(TokenBackend.values(named: described.tokenKey, in: entries)) { $1 }
        }
        try StandardStream.output.write(
            json: AccountDetails(provider: provider, values: values, hasTokenAlone: hasTokenAlone)
        )
    }
}
