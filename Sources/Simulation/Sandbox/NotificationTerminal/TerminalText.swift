import VisibleText

/// Converts external text to plain text that is safe for a terminal.
package enum TerminalText {
    /// Removes the markup of a body: removes known tags (`img` becomes its alternative text, `br` a new line) and
    /// decodes entities. Other text is unchanged.
    package static func fromMarkup(_ body: String) -> String {
        var plain = String.UnicodeScalarView()
        var rest = Substring(body).unicodeScalars
        while let character = rest.first {
            if character == "<", let (text, end) = tag(rest) {
                plain.append(contentsOf: text.unicodeScalars)
                rest = rest[end...]
            } else if character == "&", let (meant, end) = entity(rest) {
                plain.append(meant)
                rest = rest[end...]
            } else {
                plain.append(character)
                rest.removeFirst()
            }
        }
        return String(plain)
    }

    /// The visible part of a text (see ``VisibleText``).
    package static func visible(_ text: String, keepingNewlines: Bool = false) -> String {
        keepingNewlines ? VisibleText.lines(text) : VisibleText.line(text)
    }

    /// Lines of at most `width` characters, broken between words where possible.
    package static func wrap(_ text: String, width: Int) -> [String] {
        let width = max(1, width)
        return text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph in
            var lines: [String] = []
            var line = ""
            for word in paragraph.split(separator: " ") {
                var word = word
                if !line.isEmpty && line.count + 1 + word.count > width {
                    lines.append(line)
                    line = ""
                }
                while word.count > width {
                    lines.append(String(word.prefix(width)))
                    word = word.dropFirst(width)
                }
                line += line.isEmpty ? String(word) : " " + word
            }
            return lines + [line]
        }
    }

    private typealias Scalars = Substring.UnicodeScalarView

    /// The replacement of a tag at the front, and the position after it.
    private static func tag(_ text: Scalars) -> (String, Scalars.Index)? {
        let inside = text.dropFirst()
        let isClosing = inside.first == "/"
        let name = String(inside.prefix(8).drop { $0 == "/" }.prefix { $0.properties.isAlphabetic }).lowercased()
        guard ["b", "i", "u", "a", "img", "br"].contains(name) else { return nil }
        // In attributes "<" is escaped, so an unescaped "<" means that this is not a tag.
        guard let end = inside.firstIndex(where: { $0 == ">" || $0 == "<" }), inside[end] == ">" else { return nil }
        let content = inside[..<end]
        let after = text.index(after: end)
        switch name {
        case "br": return ("\n", after)
        case "img" where !isClosing: return (alternative(String(content)), after)
        default: return ("", after)
        }
    }

    private static func alternative(_ tag: String) -> String {
        guard let start = tag.firstRange(of: "alt=")?.upperBound, start < tag.endIndex else { return "" }
        let quote = tag[start]
        guard quote == "\"" || quote == "'" else { return "" }
        return String(tag[tag.index(after: start)...].prefix { $0 != quote })
    }

    private static func entity(_ text: Scalars) -> (Unicode.Scalar, Scalars.Index)? {
        // The longest entity is “&#x10FFFF;”.
        guard let end = text.prefix(11).firstIndex(of: ";") else { return nil }
        let name = String(text[text.index(after: text.startIndex)..<end])
        let meant: Unicode.Scalar? =
            switch name {
            case "amp": "&"
            case "lt": "<"
            case "gt": ">"
            case "quot": "\""
            case "apos": "'"
            case _ where name.hasPrefix("#x"): UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
            case _ where name.hasPrefix("#"): UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init)
            default: nil
            }
        return meant.map { ($0, text.index(after: end)) }
    }
}
