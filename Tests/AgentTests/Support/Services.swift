import Agent

extension Configuration {
    init(toml text: String, file: String) throws(ConfigurationError) {
        try self.init(toml: text, file: file, services: Services.all)
    }

    /// Checks that an account can be added to a file with this text.
    ///
    /// - Returns: The files with that of the account.
    static func files(
        adding account: AccountConfiguration,
        to text: String
    ) throws(AdditionFailure) -> [ConfigurationLayers.File] {
        let file = ConfigurationFile(path: "f")
        let old = ConfigurationLayers.File(.personal, path: file.path, text: text)
        let new = ConfigurationLayers.File(.account, path: file.path(ofAccount: account.name), text: account.toml)
        try Self.check(adding: account, in: new, to: [old], services: Services.all)
        return [new, old]
    }
}

extension ConfigurationFile {
    init(path: String) { self.init(path: path, services: Services.all) }
}
