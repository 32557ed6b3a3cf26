import Basics

/// A search for notifications: all of its words must occur, each as a word or as the beginning of one. Words are
/// compared as ``Swift/String/folded``: case, accents and widths do not matter.
package struct InboxSearch: Equatable, Sendable {
    /// The maximum time of a search.
    static let timeLimit = Duration.milliseconds(250)
    /// The maximum number of words.
    private static let wordLimit = 32

    /// The query in the syntax of FTS5; nil: nothing matches, as there is no word.
    let match: String?

    package init(_ text: String) {
        let words = text.folded.split { $0.isWhitespace || $0 == "\"" }.filter { word in
            word.unicodeScalars.contains(where: \.isInWords)
        }
        let phrases = words.prefix(Self.wordLimit).map { "\"\(Self.separated(String($0)))\" *" }
        match = phrases.isEmpty ? nil : phrases.joined(separator: " AND ")
    }

    /// Whether there is anything to search for: a letter, a digit, or a symbol such as an emoji.
    package var hasWords: Bool { match != nil }

    /// A text in the form that is searched. Languages without spaces between words are found by character, as are
    /// symbols.
    static func indexed(_ text: String) -> String { separated(text.folded) }

    private static func separated(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0xC2 }) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar.isWordOfItsOwn {
                result.append(" ")
                result.append(scalar)
                result.append(" ")
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }
}

extension Unicode.Scalar {
    fileprivate var isInWords: Bool {
        properties.isAlphabetic || properties.numericType != nil || properties.generalCategory == .otherSymbol
    }

    /// Characters of Thai, Lao, Burmese, Khmer, Chinese and Japanese, and symbols such as emoji.
    fileprivate var isWordOfItsOwn: Bool {
        switch value {
        case 0..<0xA0, 0x250..<0x482, 0x4A0..<0xE00, 0xAC00...0xD7FF: false
        case 0xE00...0xEFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3005...0x3007, 0x3041...0x318F, 0x31A0...0x31FF,
            0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF:
            true
        default: properties.generalCategory == .otherSymbol
        }
    }
}
