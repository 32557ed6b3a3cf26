import AgentInterface
import ArgumentParser
import DBus
import Translation

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
              $ feedbell preferences edit
            """,
        subcommands: [
            PreferencesSet.self, PreferencesChannel.self, PreferencesDigest.self, PreferencesProperty.self,
            PreferencesRefresh.self, PreferencesEdit.self,
        ]
    )
    @OptionGroup var account: AccountOptions
    @Flag(help: "Load the preferences from the service first.") var refresh = false
    @Flag(help: "Print the descriptions of sections and categories.") var long = false
    @Flag(help: "Print a JSON object: categories and channels.") var json = false

    func run() async throws {
        let object = try await account.object()
        if refresh { try await object.call(AgentPreferences.refresh) }
        async let requested = object.call(AgentPreferences.listChannels)
        let categories = try await object.categories()
        let levels = try await requested.map(\.elements)
        if json {
            let channels = levels.map { JSONText.object(["channel": .string($0), "level": .string($1)]) }
            let lists = ["categories": categories.map { JSONText($0) }, "channels": channels]
            return Output.json(.object(lists.mapValues(JSONText.array)))
        }
        let report = PreferencesReport(categories: categories, levels: levels, isLong: long)
        Output.text(Terminal.standardOutput.flatMap(report.table) ?? report.text, terminator: "")
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
        try await account.object().change(category, wait: wait) { object in
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
        let object = try await account.object()
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
