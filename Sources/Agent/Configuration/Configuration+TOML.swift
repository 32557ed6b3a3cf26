import Inbox
package import ServiceKit

extension Configuration {
    /// Reads a configuration.
    ///
    /// - Parameters:
    ///   - file: The file's name, for messages.
    ///   - services: The supported services.
    package init(toml text: String, file: String, services: ServiceList) throws(ConfigurationError) {
        var root = try ConfigurationTable(TOMLNode.parse(text, file: file), path: "", file: file)
        var accounts: [AccountConfiguration] = []
        for (name, table) in try root.tables("accounts") {
            accounts.append(try AccountConfiguration(name: name, table: table, services: services))
        }
        let popups = try root.node("popups").map { (node) throws(ConfigurationError) in
            try PopupPolicy(ConfigurationTable(node, path: "popups", file: file))
        }
        let quiet = try root.node("quiet").map { (node) throws(ConfigurationError) in
            try QuietHours(ConfigurationTable(node, path: "quiet", file: file))
        }
        try root.finish()
        self.init(accounts: accounts, popups: popups ?? PopupPolicy(), quiet: quiet)
    }
}

extension AccountConfiguration {
    fileprivate init(name: String, table: ConfigurationTable, services: ServiceList) throws(ConfigurationError) {
        var table = table
        guard !name.isEmpty, name.utf8.count <= 64,
            name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
        else {
            let problem = "An account's name must have 1 to 64 bytes and no control characters."
            throw ConfigurationError(file: table.file, line: table.line, problem: problem)
        }
        guard let provider = try table.choice("provider", of: services.names), let service = services.named(provider)
        else {
            let advice = services.names.first.map { " Add provider = \"\($0)\"." } ?? ""
            let problem = "[\(table.path)] has no \"provider\".\(advice)"
            throw ConfigurationError(file: table.file, line: table.line, problem: problem)
        }
        self.init(name: name, service: try service.init(&table, account: name))
        try table.finish()
    }
}
