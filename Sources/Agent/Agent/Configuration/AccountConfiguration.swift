package import AgentInterface
package import Inbox

/// One `[accounts.NAME]`.
package struct AccountConfiguration: Equatable, Sendable {
    package var name: String
    package var service: any AccountService
    /// The inbox's page on the web, an absolute URL; nil: unknown.
    package var inboxURL: String?
    /// The web page to which relative addresses in notifications belong; nil: unknown.
    package var linkBase: OpenableURL?
    /// The file that configures it.
    package var origin = AccountOrigin.config

    /// - Parameter linkBase: nil: the origin of the inbox's page.
    package init(
        name: String,
        service: any AccountService,
        inboxURL: String? = nil,
        linkBase: OpenableURL? = nil
    ) {
        self.name = name
        self.service = service
        self.inboxURL = inboxURL
        self.linkBase = linkBase ?? inboxURL.flatMap { OpenableURL(saved: $0)?.origin }
    }

    /// An account from the values of its keys.
    ///
    /// - Parameter hasTokenAlone: Whether it is an account with a token alone, which the service must have. Without
    ///   `token`, its source is the item of the Secret Service that Feedbell creates.
    package init(
        name: String,
        service: any AccountService.Type,
        values: [String: String],
        hasTokenAlone: Bool = false,
        token: TokenSource?
    ) throws(ConfigurationError) {
        let key = hasTokenAlone ? service.description.tokenLogin?.key : nil
        let trueKeys = key.map { ["\($0)_secret"] } ?? []
        var table = ConfigurationTable(values, trueKeys: trueKeys, path: name.accountTable, file: "the options")
        var new = try service.init(&table, account: name)
        try table.finish()
        if let token { new.token = token }
        self.init(name: name, service: new)
    }

    /// Reads an account.
    init(name: String, table: ConfigurationTable, services: ServiceList) throws(ConfigurationError) {
        var table = table
        guard !name.isEmpty, name.utf8.count <= 64,
            name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
        else {
            let problem = "An account's name must have 1 to 64 bytes and no control characters."
            throw ConfigurationError(file: table.file, line: table.line, problem: problem)
        }
        guard let chosen = try table.choice("provider", of: services.names), let service = services.named(chosen)
        else {
            let advice = services.names.first.map { " Add provider = \"\($0)\"." } ?? ""
            let problem = "[\(table.path)] has no \"provider\".\(advice)"
            throw ConfigurationError(file: table.file, line: table.line, problem: problem)
        }
        let inboxURL = try table.page("inbox_url")?.text
        let linkBase = try table.page("link_base")
        let configured = try service.init(&table, account: name)
        self.init(name: name, service: configured, inboxURL: inboxURL, linkBase: linkBase)
        try table.finish()
    }

    /// Whether an account with this configuration can go on with the other one, without a new connection.
    func hasSameSession(as other: AccountConfiguration) -> Bool {
        origin == other.origin && hasSameValues(as: other)
    }

    private func hasSameValues(as other: AccountConfiguration) -> Bool {
        name == other.name && linkBase == other.linkBase && service.isEqual(to: other.service)
    }

    /// Whether both have the same values, in whichever file.
    package static func == (left: AccountConfiguration, right: AccountConfiguration) -> Bool {
        left.hasSameValues(as: right) && left.inboxURL == right.inboxURL
    }

    /// The account in TOML, as the table `[accounts.NAME]`.
    package var toml: String {
        let keys =
            [("provider", type(of: service).description.name.tomlString)] + service.keys(account: name)
        return "[\(name.accountTable)]\n" + keys.map { "\($0) = \($1)\n" }.joined()
    }
}

extension ConfigurationTable {
    /// The address of a web page.
    fileprivate mutating func page(_ key: String) throws(ConfigurationError) -> OpenableURL? {
        guard let text = try string(key) else { return nil }
        if let url = OpenableURL(text, schemes: ["https", "http"]) { return url }
        throw error(key, "\"\(name(key))\" is invalid. Use the address of a page: https://…")
    }
}
