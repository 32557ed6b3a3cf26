import Agent
import ServiceKit
import Services

extension Configuration {
    init(toml text: String, file: String) throws(ConfigurationError) {
        try self.init(toml: text, file: file, services: Services.all)
    }

    static func text(
        _ text: String,
        adding account: AccountConfiguration,
        file: String
    ) throws(AdditionFailure) -> String {
        try Self.text(text, adding: account, file: file, services: Services.all)
    }
}

extension ConfigurationFile {
    init(path: String) { self.init(path: path, services: Services.all) }
}
