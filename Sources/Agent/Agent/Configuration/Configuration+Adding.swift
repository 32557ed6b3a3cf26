extension Configuration {
    /// Why an account cannot be added or changed.
    package enum AdditionFailure: Error, Equatable, Sendable {
        /// A value is invalid.
        case rejected(String)
        /// Another account has the name.
        case nameInUse(String)
        /// The existing configuration is invalid.
        case configuration(ConfigurationError)
    }

    /// Checks that an account can be added in a file of its own, and changes nothing else.
    ///
    /// - Parameters:
    ///   - new: The account's file.
    ///   - files: The existing files. With `replaces`, one with the path of `new` is replaced.
    ///   - replaces: Whether the account may be there already, because it changes.
    ///   - isComplete: Whether all values are known; false: its inbox is not compared with those of the others.
    ///   - services: The supported services.
    package static func check(
        adding account: AccountConfiguration,
        in new: ConfigurationLayers.File,
        to files: [ConfigurationLayers.File],
        replaces: Bool = false,
        isComplete: Bool = true,
        specifiers: Specifiers = Specifiers(),
        services: ServiceList
    ) throws(AdditionFailure) {
        func inUse(_ file: String) -> AdditionFailure {
            .nameInUse("\(file) already has an account \"\(account.name)\". Choose another name.")
        }
        if !replaces, files.contains(where: { $0.path == new.path }) { throw inUse(new.path) }
        let others = files.filter { $0.path != new.path }
        let layers: ConfigurationLayers
        let before: Configuration
        do {
            layers = try ConfigurationLayers(others, specifiers: specifiers)
            before = try Configuration(layers, services: services)
        } catch {
            throw .configuration(error)
        }
        let key = ConfigurationKey(["accounts", account.name])
        if let present = layers.node(key) {
            throw inUse(present.file)
        }
        if isComplete, let same = before.accounts.first(where: { $0.configuredKey == account.configuredKey }) {
            let file = layers.node(ConfigurationKey(["accounts", same.name]))?.file ?? ""
            throw .rejected("The account \"\(same.name)\" in \(file) has this inbox already.")
        }
        do { _ = try Configuration(toml: new.text, file: new.path, services: services) } catch {
            throw .rejected(error.problem)
        }
        var expected = before
        expected.accounts.append(account)
        do {
            let index = others.firstIndex { $0.kind == .settings || $0.kind == .personal } ?? others.endIndex
            let layers = try ConfigurationLayers(
                others[..<index] + [new] + others[index...],
                specifiers: specifiers
            )
            if let value = layers.ignored.first(where: { $0.file == new.path }) {
                throw AdditionFailure.rejected("\(value.preset) locks \"\(value.key)\", so it cannot be changed.")
            }
            guard isComplete else { return }
            let after = try Configuration(layers, services: services)
            guard Self.sorted(after) != Self.sorted(expected) else { return }
            throw AdditionFailure.rejected("The account \"\(account.name)\" would change the configuration of others.")
        } catch let failure as AdditionFailure {
            throw failure
        } catch let error as ConfigurationError {
            throw .rejected("\(error)")
        } catch {
            throw .rejected("\(error)")
        }
    }

    /// With its accounts in the order of their names.
    private static func sorted(_ configuration: Configuration) -> Configuration {
        var configuration = configuration
        configuration.accounts.sort { $0.name < $1.name }
        return configuration
    }
}
