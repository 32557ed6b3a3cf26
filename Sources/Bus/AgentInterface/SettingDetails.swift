/// One key of the configuration that programs change.
package struct SettingDetails: Sendable, Equatable, Codable {
    /// The name, such as `popups.timeout`.
    package var key: String
    /// The value in TOML; empty: none.
    package var value: String
    /// The value without a file that sets it, in TOML; empty: none.
    package var standard: String
    /// The path of the file that sets it; nil: none does.
    package var file: String?
    package var line: Int?
    /// The path of the preset that locks it; nil: none does.
    package var lockedBy: String?
    /// Whether programs cannot change it: a preset locks it, or the user's own file sets it.
    package var isFixed: Bool
    /// The effect, in a few words.
    package var meaning: String
    /// The words that it takes, or the most usual ones; empty: any.
    package var choices: [String]

    package init(
        key: String,
        value: String,
        standard: String,
        file: String? = nil,
        line: Int? = nil,
        lockedBy: String? = nil,
        isFixed: Bool = false,
        meaning: String,
        choices: [String] = []
    ) {
        self.key = key
        self.value = value
        self.standard = standard
        self.file = file
        self.line = line
        self.lockedBy = lockedBy
        self.isFixed = isFixed
        self.meaning = meaning
        self.choices = choices
    }

    /// The words for a completion: what it takes, its default and its value, as they are written on the command line.
    package var candidates: [String] {
        var words: [String] = []
        for word in choices + [standard, value].map(\.asArgument)
        where !word.isEmpty && !words.contains(word) { words.append(word) }
        return words
    }
}

extension String {
    /// A value of TOML as a word of the command line; empty for a list without elements.
    fileprivate var asArgument: String {
        let elements = hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self
        return elements.filter { $0 != "\"" && $0 != " " }
    }
}
