package import AgentInterface
import VisibleText

/// A key of the configuration that `feedbell settings` shows and changes. The rules and accounts are not among them:
/// they are more than one value.
package struct Setting: Equatable, Sendable {
    /// How a value is written on the command line.
    enum Kind: Sendable {
        case boolean
        /// As it is.
        case text
        /// A whole number.
        case integer
        /// A number, or a text.
        case number
        /// Separated by commas.
        case texts
    }

    package let key: ConfigurationKey
    let kind: Kind
    /// The value without a file that sets it, in TOML; empty: none.
    package let standard: String
    let meaning: String

    private init(_ table: String, _ name: String, _ kind: Kind, _ standard: String, _ meaning: String) {
        key = ConfigurationKey([table, name])
        self.kind = kind
        self.standard = standard
        self.meaning = meaning
    }

    package static let all: [Setting] = [
        .init(
            "popups",
            "timeout",
            .number,
            "\"default\"",
            translated("How long a popup stays: \"default\", seconds or \"never\"")
        ),
        .init("popups", "group_above", .integer, "3", translated("More popups than this at once become one summary")),
        .init(
            "popups",
            "mark_seen",
            .text,
            "\"dismissed\"",
            translated("When a popup marks as seen: shown, dismissed or never")
        ),
        .init(
            "popups",
            "open_schemes",
            .texts,
            "[\"https\", \"http\", \"mailto\"]",
            translated("Schemes of links that open")
        ),
        .init("popups", "critical_categories", .texts, "[]", translated("Categories that pass do-not-disturb")),
        .init("popups", "text", .text, "\"show\"", translated("The texts of popups: show or hide")),
        .init("popups", "locked", .text, "\"show\"", translated("Popups on a locked screen: show, hide-text or hold")),
        .init(
            "popups",
            "buttons",
            .texts,
            "[]",
            translated("Buttons beside the sender's: read, archive, snooze, mute")
        ),
        .init("popups", "pictures", .boolean, "true", translated("Whether popups show pictures")),
        .init("popups", "private_picture_hosts", .texts, "[]", translated("Hosts of pictures in your own network")),
        .init("quiet", "from", .text, "", translated("Quiet hours begin at this local time")),
        .init("quiet", "to", .text, "", translated("Quiet hours end at this local time")),
        .init("quiet", "days", .texts, "", translated("Days on which quiet hours begin; none: every day")),
        .init(
            "quiet",
            "let_through",
            .text,
            "\"nothing\"",
            translated("What quiet hours let through: critical or nothing")
        ),
        .init("inbox", "keep", .integer, "5000", translated("Notifications of each account that are kept; 0: none")),
        .init("inbox", "keep_days", .integer, "180", translated("Days for which notifications are kept")),
        .init(
            "inbox",
            "archive_on_click",
            .boolean,
            "false",
            translated("Whether a notification is archived when its link was opened")
        ),
        .init("search", "desktop", .boolean, "true", translated("Whether the desktop's search finds notifications")),
        .init("desktop", "tray_icon", .boolean, "true", translated("Whether the tray has an icon")),
        .init(
            "desktop",
            "launcher_badge",
            .text,
            "\"auto\"",
            translated("The launcher's badge: auto, always or never")
        ),
    ]

    /// Whether popups show texts.
    static let popupText = ConfigurationKey(["popups", "text"])

    /// The setting with this name.
    ///
    /// - Throws: A sentence, if there is none.
    package static func named(_ name: String) throws(AgentRequest.Failure) -> Setting {
        if let setting = all.first(where: { $0.key.description == name }) { return setting }
        throw unknown(name, among: all.map(\.key.description))
    }

    /// The setting with this name, or those of the table with this name.
    ///
    /// - Throws: A sentence, if there is neither.
    static func group(_ name: String) throws(AgentRequest.Failure) -> [Setting] {
        let group = all.filter { $0.key.description == name || $0.table == name }
        if group.isEmpty { throw unknown(name, among: all.flatMap { [$0.key.description, $0.table] }) }
        return group
    }

    private static func unknown(_ name: String, among names: [String]) -> AgentRequest.Failure {
        let nearest = names.min { $0.editDistance(to: name) < $1.editDistance(to: name) } ?? ""
        return .invalid(
            translated(
                "There is no setting \"{name}\". The nearest one is \"{nearest}\".",
                ["name": name, "nearest": nearest]
            )
        )
    }

    /// The name of its table.
    var table: String { key.names[0] }

    /// The value that a text on the command line means. Only its kind is checked. A value in TOML's brackets is taken
    /// as it is.
    ///
    /// - Throws: A sentence, if the text is of another kind.
    func node(_ text: String) throws(AgentRequest.Failure) -> TOMLNode {
        let parsed = try? TOMLNode.parse("value = \(text)", file: "").entries?["value"]
        var value = TOMLNode.Value.string(text)
        switch (kind, parsed?.value) {
        case (.boolean, _):
            guard let flag = Self.flags[text.lowercased()] else {
                throw .invalid(
                    translated("\"{key}\" must be true or false, not \"{value}\".", ["key": "\(key)", "value": text])
                )
            }
            value = .boolean(flag)
        case (.integer, .integer(let number)?), (.number, .integer(let number)?): value = .integer(number)
        case (.integer, _):
            throw .invalid(
                translated("\"{key}\" must be a whole number, not \"{value}\".", ["key": "\(key)", "value": text])
            )
        case (.number, .float(let number)?): value = .float(number)
        case (.texts, .array(let elements)?): value = .array(elements)
        case (.texts, _):
            let words = text.split(separator: ",").map { $0.drop { $0 == " " } }
            value = .array(words.map { TOMLNode(.string(String($0)), file: "", line: 1) })
        default: break
        }
        return TOMLNode(value, file: "", line: 1)
    }

    private static let flags = ["true": true, "on": true, "yes": true, "false": false, "off": false, "no": false]
}
