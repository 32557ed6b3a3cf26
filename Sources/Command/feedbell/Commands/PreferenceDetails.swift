import AgentInterface
import ArgumentParser
import DBus
import VisibleText

struct PreferencesDigest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "digest",
        _superCommandName: Feedbell.name,
        abstract: "Change when a category's digest is sent",
        discussion: """
            Changes only the parts that are given. "feedbell preferences" prints the schedule, and marks the parts \
            that you cannot change.

            Weekdays are mo, tu, we, th, fr, sa and su. A day of the month is a number, -1 for the last one, or a \
            position with weekdays: "1:mo" is the first Monday, "-1:sa+su" the last Saturday or Sunday.

            Examples:
              $ feedbell preferences digest builds --weekdays mo,th --time 09:00
              $ feedbell preferences digest reports --monthdays=1,-1:mo --wait
            """
    )
    @OptionGroup var account: AccountOptions
    @Argument(help: .categoryID, completion: .custom(ShellCompletion.digestCategories))
    var category: String
    @Option(help: "Another schedule of the category.") var schedule: String?
    @Option(help: "The time of day, such as 09:00.") var time: String?
    @Option(help: "The first day, such as 2026-01-31.") var start: String?
    @Option(help: "Days of the week, such as mo,th.") var weekdays: String?
    @Option(help: "Days of the month, such as 1,15.") var monthdays: String?
    @Flag(help: "Wait until the service has confirmed the change.") var wait = false

    func validate() throws {
        if try change().values.isEmpty {
            let options = "--time, --weekdays, --monthdays, --start, --schedule"
            throw ValidationError(translated("Give at least one of {options}.", ["options": options]))
        }
    }

    func run() async throws {
        try await account.object(withCategory: category).change(category, wait: wait) { object in
            try await object.call(AgentPreferences.setDigest, category, try change().values)
        }
    }

    private func change() throws -> DigestChangeRecord {
        var change = DigestChangeRecord()
        change.id = schedule
        change.time = time
        change.start = start
        change.weekdays = weekdays.map { $0.split(separator: ",").map(String.init) }
        change.monthdays = try monthdays.map { try $0.split(separator: ",").map(Self.monthDay) }
        return change
    }

    /// `15`, `-1` or `1:mo+tu`.
    private static func monthDay(_ text: Substring) throws -> DigestMonthDay {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let position = Int32(parts[0]) else {
            throw ValidationError(
                translated(
                    "\"{text}\" is no day of a month. Use a number, or a position such as 1:mo.",
                    ["text": String(text)]
                )
            )
        }
        let weekdays = parts.count == 2 ? parts[1].split(separator: "+").map(String.init) : []
        return DigestMonthDay(position, weekdays: weekdays)
    }
}

struct PreferencesProperty: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "property",
        _superCommandName: Feedbell.name,
        abstract: "Set a property of a category",
        usage:
            "feedbell preferences property <category> <property> <value> ... [--none] [--wait] [--account <account>]",
        discussion: """
            A list takes any number of values; --none sets an empty list. "feedbell preferences" prints the properties.

            Examples:
              $ feedbell preferences property builds min_minutes 10
              $ feedbell preferences property builds branches main release --wait
            """
    )
    @OptionGroup var account: AccountOptions
    @Argument(help: .categoryID, completion: .custom(ShellCompletion.propertyCategories))
    var category: String
    @Argument(help: "The property.", completion: .custom(ShellCompletion.properties)) var property: String
    @Argument(help: "The value, or the values of a list.", completion: .custom(ShellCompletion.propertyValues))
    var values: [String] = []
    @Flag(help: "Set an empty list.") var none = false
    @Flag(help: "Wait until the service has confirmed the change.") var wait = false

    func validate() throws {
        if values.isEmpty != none { throw ValidationError(translated("Give a value, or --none for an empty list.")) }
    }

    func run() async throws {
        try await account.object(withCategory: category).change(category, wait: wait) { object in
            let known = try await object.categories().first { $0.id == category }
            let property = known?.properties.map(PropertyRecord.init).first { $0.id == self.property }
            let value = try Self.value(of: values, kind: property?.kind ?? "", self.property)
            try await object.call(AgentPreferences.setProperty, category, self.property, value)
        }
    }

    /// The words as a value of the property's type. Of an unknown property: for the agent to reject.
    static func value(of words: [String], kind: String, _ property: String) throws -> Value {
        if kind == "list" { return Value(words) }
        guard words.count == 1 else {
            throw Failure(
                translated(
                    "The property \"{property}\" takes one value, not {count}.",
                    plural: "The property \"{property}\" takes one value, not {count}.",
                    count: words.count,
                    ["property": property]
                ),
                .usage
            )
        }
        guard kind == "integer" else { return .string(words[0]) }
        guard let number = Int64(words[0]) else {
            throw Failure(
                translated(
                    "The property \"{property}\" takes an integer, not \"{text}\".",
                    ["property": property, "text": words[0]]
                ),
                .usage
            )
        }
        return .int64(number)
    }
}

struct PreferencesRefresh: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh",
        _superCommandName: Feedbell.name,
        abstract: "Load the preferences from the service again",
        discussion: """
            Without it, preferences that were changed elsewhere are shown within a minute.

            Example:
              $ feedbell preferences refresh
            """
    )
    @OptionGroup var account: AccountOptions

    func run() async throws {
        for object in try await account.objectsWithPreferences() { try await object.call(AgentPreferences.refresh) }
    }
}

extension ArgumentHelp {
    fileprivate static let categoryID: ArgumentHelp =
        "The category's id, which \"feedbell preferences\" prints in brackets."
}

extension AgentObject {
    /// Changes a preference of a category. Reports an unknown category with those that exist.
    func change(_ category: String, wait: Bool, _ body: (AgentObject) async throws -> Void) async throws {
        do { try await body(self) } catch let failure as Failure where failure.code == .notFound {
            let known = try await categories().map(\.id)
            if known.contains(category) { throw failure }
            let problem = translated("There is no category \"{name}\".", ["name": category])
            throw Failure(translatedParagraph([problem, Failure.list(known)]), .notFound)
        }
        if wait { try await call(AgentPreferences.flush) }
    }
}
