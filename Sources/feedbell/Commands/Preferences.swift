import AgentInterface
import ArgumentParser
import DBus

struct Preferences: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows what you get by which channel; what cannot be changed is marked \"(fixed)\".",
        discussion: """
            Examples:
              $ feedbell preferences
              $ feedbell preferences set refund-news off
              $ feedbell preferences set refund-news inbox on --wait
              $ feedbell preferences channel email required
            """,
        subcommands: [PreferencesSet.self, PreferencesChannel.self]
    )
    @OptionGroup var account: AccountOptions
    @Flag(help: "Print a JSON object: categories and channels.") var json = false

    func run() async throws {
        let object = try await account.object()
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
        print(PreferencesReport(categories: categories, levels: channels.map(\.elements)).text, terminator: "")
    }
}

struct PreferencesSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Switches a category, or one of its channels, on or off.",
        discussion: "The service is told a second later; with --wait the command ends when it has confirmed."
    )
    @OptionGroup var account: AccountOptions
    @Argument(help: "The category, by the name that stands in brackets.") var category: String
    @Argument(help: "A channel and \"on\" or \"off\"; or one of these alone, for the category.") var words: [String]
    @Flag(help: "Wait for the service.") var wait = false

    func validate() throws {
        guard (1...2).contains(words.count), ["on", "off"].contains(words.last) else {
            throw ValidationError("Give CATEGORY [CHANNEL] on, or off.")
        }
    }

    func run() async throws {
        let object = try await account.object()
        let preference = words.last == "on" ? "opt_in" : "opt_out"
        if words.count == 2 {
            try await object.call(AgentPreferences.setCategoryChannel, category, words[0], preference)
        } else {
            try await object.call(AgentPreferences.setCategory, category, preference)
        }
        if wait { try await object.call(AgentPreferences.flush) }
    }
}

struct PreferencesChannel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "channel",
        abstract: "Lets everything come by a channel, or only what cannot be switched off."
    )
    @OptionGroup var account: AccountOptions
    @Argument(help: "The channel.") var channel: String
    @Argument(help: "\"all\" or \"required\".") var level: String
    @Flag(help: "Wait for the service.") var wait = false

    func run() async throws {
        let object = try await account.object()
        try await object.call(AgentPreferences.setChannel, channel, level)
        if wait { try await object.call(AgentPreferences.flush) }
    }
}
