import AgentInterface
import ArgumentParser
import DBus

struct Preferences: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preferences",
        abstract: "Shows what you get by which channel.",
        discussion: """
            On a terminal, a table with a column for each channel; "*" marks what cannot be changed. Elsewhere, and on a narrow \
            terminal, lines with "(fixed)" after it.

            What the agent loaded more than a minute ago is loaded anew while it is online. --refresh loads it in any case, and \
            fails if that fails.

            Examples:
              $ feedbell preferences
              $ feedbell preferences --refresh
              $ feedbell preferences set refund-news off
              $ feedbell preferences set refund-news inbox on --wait
              $ feedbell preferences channel email required
            """,
        subcommands: [PreferencesSet.self, PreferencesChannel.self]
    )
    @OptionGroup var account: AccountOptions
    @Flag(help: "Ask the service first, however new what is loaded is.") var refresh = false
    @Flag(help: "Print a JSON object: categories and channels.") var json = false

    func run() async throws {
        let object = try await account.object()
        if refresh { try await object.call(AgentPreferences.refresh) }
        async let asked = object.call(AgentPreferences.listChannels)
        let categories = try await object.call(AgentPreferences.list)
        let channels = try await asked
        if json {
            let levels = channels.map {
                ["channel": Value.string($0.elements.0), "level": .string($0.elements.1)].json
            }
            let lists = [categories.map(\.json), levels].map { "[\($0.joined(separator: ","))]" }
            return print("{\"categories\":\(lists[0]),\"channels\":\(lists[1])}")
        }
        let report = PreferencesReport(categories: categories, levels: channels.map(\.elements))
        print(Terminal.standardOutput.flatMap(report.table) ?? report.text, terminator: "")
    }
}

struct PreferencesSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Switches a category, or one of its channels, on or off.",
        usage: "feedbell preferences set <category> [<channel>] on|off [--wait] [--account <account>]",
        discussion: """
            It shows at once. The service is told a second later; with --wait the command ends when it has confirmed.

            Examples:
              $ feedbell preferences set refund-news off
              $ feedbell preferences set refund-news inbox on --wait
            """
    )
    @OptionGroup var account: AccountOptions
    @Argument(help: "The category, by the name that stands in brackets.", completion: .custom(Completion.categories))
    var category: String
    @Argument(
        help: "A channel and \"on\" or \"off\"; or one of these alone, for the category.",
        completion: .custom(Completion.channelsAndSwitches)
    )
    var words: [String]
    @Flag(help: "Wait for the service.") var wait = false

    func validate() throws {
        guard (1...2).contains(words.count), ["on", "off"].contains(words.last) else {
            throw ValidationError("Give CATEGORY [CHANNEL] on, or off.")
        }
    }

    func run() async throws {
        let object = try await account.object()
        let preference = PreferenceSwitch(isOn: words.last == "on").rawValue
        do {
            if words.count == 2 {
                try await object.call(AgentPreferences.setCategoryChannel, category, words[0], preference)
            } else {
                try await object.call(AgentPreferences.setCategory, category, preference)
            }
        } catch let failure as Failure where failure.code == .notFound {
            let known = try await object.call(AgentPreferences.list).compactMap { $0.text("category") }
            if known.contains(category) { throw failure }
            throw Failure("There is no category \"\(category)\". \(Failure.list(known))", .notFound)
        }
        if wait { try await object.call(AgentPreferences.flush) }
    }
}

struct PreferencesChannel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "channel",
        abstract: "Lets everything come by a channel, or only what cannot be switched off.",
        discussion: """
            Examples:
              $ feedbell preferences channel email required
              $ feedbell preferences channel email all --wait
            """
    )
    @OptionGroup var account: AccountOptions
    @Argument(help: "The channel.", completion: .custom(Completion.channels)) var channel: String
    @Argument(
        help: "\"all\", or \"required\": only what cannot be switched off.",
        completion: .list(["all", "required"])
    )
    var level: String
    @Flag(help: "Wait for the service.") var wait = false

    func run() async throws {
        let object = try await account.object()
        do {
            try await object.call(AgentPreferences.setChannel, channel, level)
        } catch let failure as Failure where failure.code == .notFound {
            let known = try await object.call(AgentPreferences.listChannels).map(\.elements.0)
            throw Failure("There is no channel \"\(channel)\". \(Failure.list(known))", .notFound)
        }
        if wait { try await object.call(AgentPreferences.flush) }
    }
}
