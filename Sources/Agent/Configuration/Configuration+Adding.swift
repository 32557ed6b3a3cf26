package import ServiceKit

extension Configuration {
    /// Why an account cannot be added.
    package enum AdditionFailure: Error, Equatable, Sendable {
        /// What was given is wrong, for example a name that another account has.
        case rejected(String)
        /// What stands in the configuration already is wrong.
        case configuration(ConfigurationError)
    }

    /// The text of a configuration with one more account at its end. Everything that is there stays as it is, comments included.
    ///
    /// - Parameters:
    ///   - file: The file's name, for messages.
    ///   - services: Those that accounts can be of.
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
            throw .rejected("\(file) has an account \"\(account.name)\" already. Choose another name.")
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
            // For example accounts = { … }, to which TOML lets nobody add.
            let problem = "Its accounts are written in a form that cannot be added to. Write them as [accounts.NAME]."
            throw .configuration(ConfigurationError(file: file, problem: problem))
        }
        return result
    }
}
