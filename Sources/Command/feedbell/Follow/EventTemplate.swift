import AgentInterface
import VisibleText

/// The argument of `--format`: text with names in braces, of members of the event or of its notification.
struct EventTemplate: Equatable, Sendable {
    private enum Part: Equatable {
        case text(String)
        case value(String)
    }

    /// The names that a template can contain, in alphabetical order.
    static var names: [String] {
        Set(FollowedEvent.memberNames + NotificationKeys.descriptions.map(\.name)).sorted()
    }

    private var parts: [Part] = []

    /// Reads `{name}`; `\t` and `\n` are a tab and a line feed, `\\` and `\{` the second character.
    ///
    /// - Throws: ``Failure`` if a brace is not closed, or there is no such name.
    init(_ text: String) throws(Failure) {
        let names = Self.names
        var literal = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            switch character {
            case "\\":
                switch rest.popFirst() {
                case "t"?: literal += "\t"
                case "n"?: literal += "\n"
                case let next?: literal.append(next)
                case nil: literal += "\\"
                }
            case "{":
                guard let end = rest.firstIndex(of: "}") else { throw Self.invalid("{\(rest)") }
                let name = String(rest[..<end])
                guard names.contains(name) else { throw Self.invalid(name, among: names) }
                parts += [.text(literal), .value(name)]
                literal = ""
                rest = rest[rest.index(after: end)...]
            default: literal.append(character)
            }
        }
        parts.append(.text(literal))
    }

    /// The line for an event. A value that it does not have is empty.
    func line(for event: FollowedEvent) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .value(let name): Self.text(of: name, in: event)
            }
        }.joined()
    }

    private static func text(of name: String, in event: FollowedEvent) -> String {
        if name == "tags", let tags = event.notification?.tags { return tags.joined(separator: ",").onOneLine }
        guard let value = event[name] ?? event.notification?.values[name].map({ JSONText($0) }), value != .null else {
            return ""
        }
        return value.plain?.onOneLine ?? value.text
    }

    private static func invalid(_ text: String) -> Failure {
        Failure(translated("\"{text}\" has no closing brace. Write \\{ for a brace.", ["text": text]), .usage)
    }

    private static func invalid(_ name: String, among names: [String]) -> Failure {
        let problem = translated("Events and notifications have no \"{name}\".", ["name": name])
        return Failure(translatedParagraph([problem, Suggestion.of(names, for: name) ?? Failure.list(names)]), .usage)
    }
}
