/// A search for notifications: all of its words must occur, each as a word or as the beginning of one. Case and accents
/// do not matter.
package struct KeptSearch: Equatable, Sendable {
    /// The maximum time of a search.
    static let timeLimit = Duration.milliseconds(250)
    /// The maximum number of words.
    private static let wordLimit = 32

    /// A place among what was found.
    package struct Position: Equatable, Sendable { let number: Int64 }

    /// The query in the syntax of FTS5; nil: nothing matches, as there is no word.
    let match: String?

    package init(_ text: String) {
        let words = text.split { $0.isWhitespace || $0 == "\"" }.filter { word in
            word.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
        }
        let phrases = words.prefix(Self.wordLimit).map { "\"\(Self.indexed(String($0)))\" *" }
        match = phrases.isEmpty ? nil : phrases.joined(separator: " AND ")
    }

    /// A text in the form that is searched. Languages without spaces between words are found by character.
    package static func indexed(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0xE2 }) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar.isWordOfItsOwn {
                result += " "
                result.unicodeScalars.append(scalar)
                result += " "
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    /// Han, Hiragana, Katakana and Thai characters.
    fileprivate var isWordOfItsOwn: Bool {
        switch value {
        case 0x0E00...0x0E7F, 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF:
            true
        default: false
        }
    }
}
