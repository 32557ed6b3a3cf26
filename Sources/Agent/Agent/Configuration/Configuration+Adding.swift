package import ServiceKit

extension Configuration {
    /// Why an account cannot be added.
    package enum AdditionFailure: Error, Equatable, Sendable {
        /// A value is invalid, for example a name that another account has.
        case rejected(String)
        /// The existing configuration is invalid.
        case configuration(ConfigurationError)
    }

    /// The text of a configuration with an account appended. The existing text stays unchanged, with its comments.
    ///
    /// - Parameters:
    ///   - file: The file's name, for messages.
    ///   - services: The supported services.
    package static func text(
        _ text: String,
        adding account: AccountConfiguration,
        file: String,
        services: ServiceList
    ) throws(AdditionFailure) -> String {
        let before: Configuration
        do { before = try Configuration(toml: text, file: file, services: services) } catch {
            throw .configuration(error)
        }
        guard !before.accounts.contains(where: { $0.name == account.name }) else {
            throw .rejected("\(file) already has an account \"\(account.name)\". Choose another name.")
        }
        if let same = before.accounts.first(where: { $0.configuredKey == account.configuredKey }) {
            throw .rejected("The account \"\(same.name)\" in \(file) has this inbox already.")
        }
        let added: Configuration
        do { added = try Configuration(toml: account.toml, file: file, services: services) } catch {
            throw .rejected(error.problem)
        }
        let isWhole = text.isEmpty || text.utf8.last == UInt8(ascii: "\n")
        let result = text + (isWhole ? "" : "\n") + (text.isEmpty ? "" : "\n") + account.toml
        var expected = before
        expected.accounts += added.accounts
        guard (try? Configuration(toml: result, file: file, services: services)) == expected else {
            // For example an inline table, accounts = { … }, which TOML does not allow to extend.
            let problem = "Cannot add to this form of \"accounts\". Write each account as [accounts.NAME]."
            throw .configuration(ConfigurationError(file: file, problem: problem))
        }
        return result
    }
}
