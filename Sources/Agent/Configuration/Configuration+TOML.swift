import AgentInterface
import FoundationEssentials
import Inbox
import SuprSend

extension Configuration {
    /// Reads a configuration.
    ///
    /// - Parameter file: The file's name, for messages.
    package init(toml text: String, file: String) throws(ConfigurationError) {
        var root = try ConfigurationTable(TOMLNode.parse(text, file: file), path: "", file: file)
        var accounts: [AccountConfiguration] = []
        for (name, table) in try root.tables("accounts") {
            accounts.append(try AccountConfiguration(name: name, table: table))
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
    fileprivate init(name: String, table: ConfigurationTable) throws(ConfigurationError) {
        var table = table
        guard !name.isEmpty, name.utf8.count <= 64,
            name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
        else {
            let problem = "An account's name must have 1 to 64 bytes and no control characters."
            throw ConfigurationError(file: table.file, line: table.line, problem: problem)
        }
        guard let provider: ServiceName = try table.choice("provider") else {
            let problem = "[\(table.path)] has no \"provider\". Add provider = \"suprsend\"."
            throw ConfigurationError(file: table.file, line: table.line, problem: problem)
        }
        switch provider {
        case .suprsend: self.init(name: name, service: .suprSend(try SuprSendConfiguration(&table, account: name)))
        }
        try table.finish()
    }
}

extension SuprSendConfiguration {
    fileprivate init(_ table: inout ConfigurationTable, account name: String) throws(ConfigurationError) {
        publicKey = try table.requiredString("public_key")
        distinctID = try table.requiredString("distinct_id")
        tenantID = try table.string("tenant_id") ?? "default"
        token = try TokenSource(&table, account: name)
        hubURL = try table.url("hub_url", of: "hub", schemes: ["https", "http"])
        apiURL = try table.url("api_url", of: "API", schemes: ["https", "http"])
        socketURL = try table.url("socket_url", of: "socket", schemes: ["https", "http", "wss", "ws"])
        caFile = try table.path("ca_file")
        pageSize = try table.integer("page_size", in: 1...100) ?? 20
        stores = try table.tableArray("stores")?.map { (table) throws(ConfigurationError) in try Store(table) }
        var ids: Set<String> = []
        for store in stores ?? [] where !ids.insert(store.id).inserted {
            throw table.error("stores", "Two stores of [\(table.path)] have the id \"\(store.id)\". Give each its own.")
        }
    }
}

extension SuprSendConfiguration.Store {
    fileprivate init(_ table: ConfigurationTable) throws(ConfigurationError) {
        var table = table
        id = try table.requiredString("id")
        label = try table.string("label") ?? id
        read = try table.boolean("read")
        archived = try table.boolean("archived")
        tags = try table.strings("tags") ?? []
        categories = try table.strings("categories") ?? []
        try table.finish()
    }
}

extension TokenSource {
    /// The source named in an account's table; at most one may be.
    fileprivate init?(_ table: inout ConfigurationTable, account: String) throws(ConfigurationError) {
        let keys = ["token_command", "token_file", "token_secret"]
        let command = try table.strings("token_command")
        let file = try table.string("token_file")
        let attributes = try table.attributes("token_secret", account: account)
        let given = keys.filter(table.contains)
        guard given.count < 2 else {
            throw table.error(
                given[1],
                "[\(table.path)] names more than one source of its token. Keep one of \(given.joined(separator: ", "))."
            )
        }
        if let command {
            guard let program = command.first, !program.isEmpty else {
                let problem =
                    "\"\(table.name("token_command"))\" must name a program, such as [\"pass\", \"suprsend/work\"]."
                throw table.error("token_command", problem)
            }
            self = .command(command)
        } else if let file {
            self = .file(file)
        } else if let attributes {
            self = .secret(attributes)
        } else {
            return nil
        }
    }
}

extension ConfigurationTable {
    /// The attributes of an item of the Secret Service: `true` for those of the item that Feedbell makes, or a table.
    fileprivate mutating func attributes(_ key: String, account: String) throws(ConfigurationError) -> [String: String]?
    {
        guard let node = node(key) else { return nil }
        let example = "{ service = \"suprsend\", user = \"anna\" }"
        switch node.value {
        case .boolean(true): return TokenItem(account: account).attributes
        case .table(let entries) where !entries.isEmpty:
            var attributes: [String: String] = [:]
            for (attribute, value) in entries.sorted(by: { $0.key < $1.key }) {
                guard case .string(let text) = value.value, !attribute.isEmpty else {
                    let problem =
                        "\"\(name(key)).\(attribute)\" must be a string in quotation marks, but it is \(value.kind)."
                    throw ConfigurationError(file: file, line: value.line, problem: problem)
                }
                attributes[attribute] = text
            }
            return attributes
        default:
            let problem =
                "\"\(name(key))\" must be true, for the item that feedbell accounts add makes, or the attributes of an item "
                + "of yours, such as \(example)."
            throw error(key, problem)
        }
    }

    /// A file, by its whole path or from the home directory.
    fileprivate mutating func path(_ key: String) throws(ConfigurationError) -> String? {
        guard let text = try string(key) else { return nil }
        if text.hasPrefix("/") { return text }
        guard text.hasPrefix("~/"), let home = ProcessInfo.processInfo.environment["HOME"], home.hasPrefix("/") else {
            throw error(key, "\"\(name(key))\" must be the whole path of a file, beginning with / or ~/.")
        }
        return home + text.dropFirst()
    }

    /// The base URL of one of the service's hosts, by the library's own rules.
    fileprivate mutating func url(_ key: String, of host: String, schemes: [String]) throws(ConfigurationError)
        -> String?
    {
        guard let text = try string(key) else { return nil }
        do {
            return try Hosts.normal(text, named: host, schemes: schemes)
        } catch {
            throw self.error(key, "\"\(name(key))\" is wrong. \(error.message)")
        }
    }
}
