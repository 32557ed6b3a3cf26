import AgentInterface
import ArgumentParser
import DBus
import VisibleText

struct PreferencesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preferences",
        _superCommandName: Feedbell.name,
        abstract: "Show your notification preferences",
        discussion: """
            On a terminal, prints a table with a column for each channel; "*" marks preferences that you cannot \
            change. In a pipe or on a narrow terminal, prints a line for each category; "(fixed)" marks them. Digest \
            schedules and properties follow their category.

            A wide terminal shows the descriptions of sections and categories, too; with --long, they are printed in \
            full everywhere.

            Without --account, prints those of each account whose service has some, below the account's name; in JSON, \
            categories and channels then have the member "account". A category or channel that several accounts have \
            is changed with --account.

            Preferences older than a minute are loaded again if the account is online. --refresh always loads them \
            again, and fails if the service is unreachable.

            Examples:
              $ feedbell preferences
              $ feedbell preferences --long
              $ feedbell preferences --refresh
              $ feedbell preferences set refund-news off
              $ feedbell preferences set refund-news inbox on --wait
              $ feedbell preferences channel email required
              $ feedbell preferences digest builds --time 09:00
              $ feedbell preferences property builds min_minutes 10
              $ feedbell preferences topic build-4711 off
              $ feedbell preferences edit
            """,
        subcommands: [
            PreferencesSet.self, PreferencesChannel.self, PreferencesDigest.self, PreferencesProperty.self,
            PreferencesTopic.self, PreferencesRefresh.self, PreferencesEdit.self,
        ]
    )
    @OptionGroup var account: AccountOptions
    @Flag(help: "Load the preferences from the service first.") var refresh = false
    @Flag(help: "Print the descriptions of sections and categories.") var long = false
    @Flag(help: "Print a JSON object: categories and channels.") var json = false

    func run() async throws {
        var found: [PrintedPreferences] = []
        var failure: Failure?
        let objects = try await account.objectsWithPreferences()
        for object in objects {
            do {
                if refresh { try await object.call(AgentPreferences.refresh) }
                found.append(try await PrintedPreferences(of: object, isNamed: objects.count > 1))
            } catch let problem as Failure where objects.count > 1 && problem.concernsOneAccount {
                failure = failure ?? problem
            }
        }
        if found.isEmpty, let failure { throw failure }
        if json {
            let lists = ["categories": found.flatMap(\.categoriesJSON), "channels": found.flatMap(\.channelsJSON)]
            Output.json(.object(lists.mapValues(JSONText.array)))
        } else {
            Output.text(found.map { text($0) }.joined(separator: "\n"), terminator: "")
        }
        if let failure { throw failure }
    }

    private func text(_ preferences: PrintedPreferences) -> String {
        let heading = preferences.account.map { translated("Account {name}", ["name": $0.onOneLine]) + "\n" } ?? ""
        if preferences.categories.isEmpty, preferences.levels.isEmpty {
            guard Terminal.standardOutput != nil else { return heading }
            return heading + translated("The service has no preferences for you.") + "\n"
        }
        let report = PreferencesReport(
            categories: preferences.categories,
            levels: preferences.levels.map { (channel: $0.channel, level: $0.level) },
            isLong: long
        )
        return heading + (Terminal.standardOutput.flatMap(report.table) ?? report.text)
    }
}

struct PreferencesSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        _superCommandName: Feedbell.name,
        abstract: "Switch a category or one of its channels on or off",
        usage: "feedbell preferences set <category> [<channel>] on|off [--wait] [--account <account>]",
        discussion: """
            The change shows at once and is sent to the service a second later. With --wait the command waits until \
            the service has confirmed it.

            Examples:
              $ feedbell preferences set refund-news off
              $ feedbell preferences set refund-news inbox on --wait
            """
    )
    @OptionGroup var account: AccountOptions
    @Argument(
        help: "The category's id, which \"feedbell preferences\" prints in brackets.",
        completion: .custom(ShellCompletion.categories)
    )
    var category: String
    @Argument(
        help: "A channel and \"on\" or \"off\", or only \"on\" or \"off\" for the category.",
        completion: .custom(ShellCompletion.channelsAndSwitches)
    )
    var words: [String]
    @Flag(help: "Wait until the service has confirmed the change.") var wait = false

    func validate() throws {
        guard (1...2).contains(words.count), ["on", "off"].contains(words.last) else {
            throw ValidationError(translated("Give CATEGORY [CHANNEL] on|off."))
        }
    }

    func run() async throws {
        let preference = PreferenceSwitch(isOn: words.last == "on").rawValue
        try await account.object(withCategory: category).change(category, wait: wait) { object in
            if words.count == 2 {
                try await object.call(AgentPreferences.setCategoryChannel, category, words[0], preference)
            } else {
                try await object.call(AgentPreferences.setCategory, category, preference)
            }
        }
    }
}

struct PreferencesChannel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "channel",
        _superCommandName: Feedbell.name,
        abstract: "Allow all or only required notifications on a channel",
        discussion: """
            Examples:
              $ feedbell preferences channel email required
              $ feedbell preferences channel email all --wait
            """
    )
    @OptionGroup var account: AccountOptions
    @Argument(help: "The channel.", completion: .custom(ShellCompletion.channels)) var channel: String
    @Argument(
        help: "\"all\", or \"required\": only categories that cannot be switched off.",
        completion: .list(["all", "required"])
    )
    var level: String
    @Flag(help: "Wait until the service has confirmed the change.") var wait = false

    func run() async throws {
        let object = try await account.object(withChannel: channel)
        do {
            try await object.call(AgentPreferences.setChannel, channel, level)
        } catch let failure as Failure where failure.code == .notFound {
            let known = try await object.call(AgentPreferences.listChannels).map(\.elements.0)
            let problem = translated("There is no channel \"{name}\".", ["name": channel])
            throw Failure(translatedParagraph([problem, Failure.list(known)]), .notFound)
        }
        if wait { try await object.call(AgentPreferences.flush) }
    }
}
