import AgentInterface
import ArgumentParser
import VisibleText

/// The events that `feedbell follow` prints or runs a program for.
struct EventFilter: Equatable, Sendable {
    /// The names of events; empty: all.
    var names: Set<String> = []
    /// Only notifications of one of these categories; empty: of all.
    var categories: Set<String> = []
    /// Only notifications with one of these tags; empty: with any or none.
    var tags: Set<String> = []

    /// Whether the event passes. With a category or a tag, no event passes that is not about a notification.
    func includes(_ event: FollowedEvent) -> Bool {
        if !names.isEmpty, !names.contains(event.name) { return false }
        if categories.isEmpty, tags.isEmpty { return true }
        guard let notification = event.notification else { return false }
        return (categories.isEmpty || categories.contains(notification.category))
            && (tags.isEmpty || !tags.isDisjoint(with: notification.tags))
    }
}

struct EventFilterOptions: ParsableArguments {
    @Option(
        name: .customLong("event"),
        help: ArgumentHelp("Print only this event; several: repeat the option.", valueName: "event"),
        completion: .list(FollowedEvent.names)
    )
    var names: [String] = []
    @Option(
        name: .customLong("category"),
        help: ArgumentHelp("Only notifications of this category; several: repeat it.", valueName: "category"),
        completion: .custom(ShellCompletion.inboxCategories)
    )
    var categories: [String] = []
    @Option(
        name: .customLong("tag"),
        help: ArgumentHelp("Only notifications with this tag; several: repeat it.", valueName: "tag"),
        completion: .custom(ShellCompletion.inboxTags)
    )
    var tags: [String] = []

    /// The options that are given.
    var given: [String] {
        [("--event", names), ("--category", categories), ("--tag", tags)].filter { !$0.1.isEmpty }.map(\.0)
    }

    /// - Parameter default: The names of events without `--event`; empty: all.
    func filter(default defaultNames: Set<String>) -> EventFilter {
        EventFilter(names: names.isEmpty ? defaultNames : Set(names), categories: Set(categories), tags: Set(tags))
    }

    func validate() throws {
        for name in names where !FollowedEvent.names.contains(name) {
            let problem = translated("There is no event \"{name}\".", ["name": name])
            let advice = Suggestion.of(FollowedEvent.names, for: name) ?? Failure.list(FollowedEvent.names)
            throw ValidationError(translatedParagraph([problem, advice]))
        }
    }
}
