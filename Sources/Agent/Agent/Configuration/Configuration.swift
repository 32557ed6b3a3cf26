package import Inbox

/// The agent's configuration.
package struct Configuration: Equatable, Sendable {
    package var accounts: [AccountConfiguration]
    package var popups: PopupPolicy
    /// nil: none.
    package var quiet: QuietHours?
    package var desktop: DesktopSettings
    /// How much of each inbox is kept.
    package var inbox: InboxLimits
    /// Whether a notification is archived when its link was opened.
    package var archivesOnClick: Bool
    /// Whether the desktop's searches find notifications.
    package var search: Bool
    /// The names of the keys of functions of `feedbell inbox`, by the functions' names; a function that is absent has
    /// its default keys.
    package var inboxKeys: [String: [String]]
    /// Whether programs cannot change whether popups show texts.
    package var isPopupTextFixed = false
    /// The paths of the files that it was read from.
    package var paths: [String] = []
    /// The accounts whose files cannot be used.
    package var unused: [UnusedAccount] = []
    /// Why `settings.toml` was renamed at the start; nil: it was not, or there is a new one.
    package var settingsProblem: ConfigurationError?

    package init(
        accounts: [AccountConfiguration] = [],
        popups: PopupPolicy = PopupPolicy(),
        quiet: QuietHours? = nil,
        desktop: DesktopSettings = DesktopSettings(),
        inbox: InboxLimits = InboxLimits(),
        archivesOnClick: Bool = false,
        search: Bool = true,
        inboxKeys: [String: [String]] = [:]
    ) {
        self.accounts = accounts
        self.popups = popups
        self.quiet = quiet
        self.desktop = desktop
        self.inbox = inbox
        self.archivesOnClick = archivesOnClick
        self.search = search
        self.inboxKeys = inboxKeys
    }

    /// Reads a configuration of one file.
    ///
    /// - Parameters:
    ///   - file: The file's name, for messages.
    ///   - services: The supported services.
    package init(toml text: String, file: String, services: ServiceList) throws(ConfigurationError) {
        let layers = try ConfigurationLayers([.init(.personal, path: file, text: text)])
        try self.init(layers, services: services)
    }

    /// Reads a configuration of several files.
    ///
    /// - Parameter services: The supported services.
    package init(_ layers: ConfigurationLayers, services: ServiceList) throws(ConfigurationError) {
        var root = try ConfigurationTable(layers.root, path: "")
        var accounts: [AccountConfiguration] = []
        for (name, table) in try root.tables("accounts") {
            var account = try AccountConfiguration(name: name, table: table, services: services)
            account.origin = layers.origin(ofAccount: name)
            if let first = accounts.first(where: { $0.configuredKey == account.configuredKey }) {
                let problem = "[\(first.name.accountTable)] and [\(table.path)] are the same inbox. Remove one of them."
                throw ConfigurationError(file: table.file, line: table.line, problem: problem)
            }
            accounts.append(account)
        }
        let popups = try root.node("popups").map { (node) throws(ConfigurationError) in
            try PopupPolicy(ConfigurationTable(node, path: "popups"))
        }
        let quiet = try root.node("quiet").map { (node) throws(ConfigurationError) in
            try QuietHours(ConfigurationTable(node, path: "quiet"))
        }
        let desktop = try root.node("desktop").map { (node) throws(ConfigurationError) in
            try DesktopSettings(ConfigurationTable(node, path: "desktop"))
        }
        var (inbox, archivesOnClick, inboxKeys) = (InboxLimits(), false, [String: [String]]())
        if let node = root.node("inbox") {
            var table = try ConfigurationTable(node, path: "inbox")
            inbox = try InboxLimits(&table)
            archivesOnClick = try table.boolean("archive_on_click") ?? false
            inboxKeys = try InboxKeyNames.read(&table)
            try table.finish()
        }
        var search = true
        if let node = root.node("search") {
            var table = try ConfigurationTable(node, path: "search")
            search = try table.boolean("desktop") ?? search
            try table.finish()
        }
        var policy = popups ?? PopupPolicy()
        policy.rules = try Rules(layers.ruleLists)
        try root.finish()
        self.init(
            accounts: accounts,
            popups: policy,
            quiet: quiet,
            desktop: desktop ?? DesktopSettings(),
            inbox: inbox,
            archivesOnClick: archivesOnClick,
            search: search,
            inboxKeys: inboxKeys
        )
        isPopupTextFixed = layers.isFixed(Setting.popupText)
    }
}
