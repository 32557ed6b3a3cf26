import AgentInterface
import ServiceKit

/// A key of the configuration that `feedbell settings` shows and changes. The rules and accounts are not among them:
/// they are more than one value.
package struct Setting: Equatable, Sendable {
    /// How a value is written on the command line.
    enum Kind: Sendable {
        case boolean
        /// As it is.
        case text
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
        .init("popups", "timeout", .number, "\"default\"", "How long a popup stays: \"default\", seconds or \"never\""),
        .init("popups", "group_above", .number, "3", "More popups than this at once become one summary"),
        .init("popups", "mark_seen", .text, "\"dismissed\"", "When a popup marks as seen: shown, dismissed or never"),
        .init("popups", "open_schemes", .texts, "[\"https\", \"http\", \"mailto\"]", "Schemes of links that open"),
        .init("popups", "critical_categories", .texts, "[]", "Categories that pass do-not-disturb"),
        .init("popups", "locked", .text, "\"show\"", "Popups on a locked screen: show or hide-text"),
        .init("popups", "buttons", .texts, "[]", "Buttons beside the sender's: read, archive, snooze"),
        .init("popups", "pictures", .boolean, "true", "Whether popups show pictures"),
        .init("popups", "private_picture_hosts", .texts, "[]", "Hosts of pictures in your own network"),
        .init("quiet", "from", .text, "", "Quiet hours begin at this local time"),
        .init("quiet", "to", .text, "", "Quiet hours end at this local time"),
        .init("quiet", "days", .texts, "", "Days on which quiet hours begin; none: every day"),
        .init("quiet", "let_through", .text, "\"nothing\"", "What quiet hours let through: critical or nothing"),
        .init("inbox", "keep", .number, "5000", "Notifications of each account that are kept; 0: none"),
        .init("inbox", "keep_days", .number, "180", "Days for which notifications are kept"),
        .init("desktop", "tray_icon", .boolean, "true", "Whether the tray has an icon"),
        .init("desktop", "launcher_badge", .text, "\"auto\"", "The launcher's badge: auto, always or never"),
    ]

    /// The setting with this name.
    ///
    /// - Throws: A sentence, if there is none.
    package static func named(_ name: String) throws(SettingsFailure) -> Setting {
        if let setting = all.first(where: { $0.key.description == name }) { return setting }
        let names = all.map(\.key.description)
        let nearest = names.min { $0.editDistance(to: name) < $1.editDistance(to: name) } ?? ""
        throw .invalid("There is no setting \"\(name)\". The nearest one is \"\(nearest)\".")
    }

    /// The value that a text on the command line means. Whether it is valid is not checked. A value in TOML's brackets
    /// is taken as it is.
    func node(_ text: String) -> TOMLNode {
        let parsed = try? TOMLNode.parse("value = \(text)", file: "").entries?["value"]
        var value = TOMLNode.Value.string(text)
        switch (kind, parsed?.value) {
        case (.boolean, .boolean(let flag)?): value = .boolean(flag)
        case (.number, .integer(let number)?): value = .integer(number)
        case (.number, .float(let number)?): value = .float(number)
        case (.texts, .array(let elements)?): value = .array(elements)
        case (.texts, _):
            let words = text.split(separator: ",").map { $0.drop { $0 == " " } }
            value = .array(words.map { TOMLNode(.string(String($0)), file: "", line: 1) })
        default: break
        }
        return TOMLNode(value, file: "", line: 1)
    }
}
