import AgentInterface
package import Inbox
package import ServiceKit

/// The agent's configuration.
package struct Configuration: Equatable, Sendable {
    package var accounts: [AccountConfiguration]
    package var popups: PopupPolicy
    /// nil: none.
    package var quiet: QuietHours?

    package init(
        accounts: [AccountConfiguration] = [],
        popups: PopupPolicy = PopupPolicy(),
        quiet: QuietHours? = nil
    ) {
        self.accounts = accounts
        self.popups = popups
        self.quiet = quiet
    }
}

/// One `[accounts.NAME]`.
package struct AccountConfiguration: Equatable, Sendable {
    package var name: String
    package var service: any Service

    package init(name: String, service: any Service) {
        self.name = name
        self.service = service
    }

    /// An account from the values of its keys.
    package init(
        name: String,
        service: any Service.Type,
        values: [String: String],
        token: TokenSource?
    ) throws(ConfigurationError) {
        var table = ConfigurationTable(values, path: "accounts.\(name)", file: "the options")
        var new = try service.init(&table, account: name)
        try table.finish()
        if let token { new.token = token }
        self.init(name: name, service: new)
    }

    package static func == (left: AccountConfiguration, right: AccountConfiguration) -> Bool {
        left.name == right.name && left.service.isEqual(to: right.service)
    }

    /// The account in TOML, as the table `[accounts.NAME]`.
    package var toml: String {
        let keys =
            [("provider", type(of: service).description.name.tomlString)] + service.keys(account: name)
        return "[accounts.\(name.tomlKey)]\n" + keys.map { "\($0) = \($1)\n" }.joined()
    }
}
