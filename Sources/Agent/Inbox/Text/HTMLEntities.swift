/// The character references of HTML in notification texts.
enum HTMLEntities {
    /// The maximum length of a reference, from `&` to `;`.
    static let longest = 12

    /// Decodes the reference at `start` (an `&`). Returns its scalar and the position after its `;`, or `nil` if there
    /// is none.
    static func decode(_ text: inout TextScanner, at start: Int) -> (scalar: Unicode.Scalar, end: Int)? {
        let semicolon = text.end(from: start + 1, before: start + longest) { $0 != ";" }
        guard semicolon > start + 1, semicolon < start + longest, text.scalar(at: semicolon) == ";" else { return nil }
        let name = String(scalars: text.slice((start + 1)..<semicolon))
        guard let scalar = scalar(named: name) else { return nil }
        return (scalar, semicolon + 1)
    }

    /// A text with its references decoded, once.
    static func decoded(_ text: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var scanner = TextScanner(text)
        var decoded: [Unicode.Scalar] = []
        var position = 0
        while let scalar = scanner.scalar(at: position) {
            if scalar == "&", let (reference, end) = decode(&scanner, at: position) {
                decoded.append(reference)
                position = end
            } else {
                decoded.append(scalar)
                position += 1
            }
        }
        return decoded
    }

    /// At most the begin of a text that is shown, with its references decoded, once.
    static func decoded(_ text: String) -> String {
        String(scalars: decoded(Array(text.unicodeScalars.prefix(TextScalars.limit + 1))))
    }

    private static func scalar(named name: String) -> Unicode.Scalar? {
        let scalar = name.hasPrefix("#") ? scalar(numbered: name.dropFirst()) : named[name]
        // Spaces of all widths are spaces between words.
        return scalar.map { $0.isSpace && $0 != "\n" ? " " : $0 }
    }

    private static func scalar(numbered digits: Substring) -> Unicode.Scalar? {
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        guard let value = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10) else {
            return nil
        }
        return (0x80...0x9F).contains(value) ? windows1252[Int(value) - 0x80] : Unicode.Scalar(value)
    }

    /// The characters of Windows-1252 from 128 to 159 (HTML, "Numeric character reference end state"); the five numbers
    /// that it leaves out are control characters.
    private static let windows1252: [Unicode.Scalar] = [
        "€", "\u{81}", "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", "\u{8D}", "Ž", "\u{8F}",
        "\u{90}", "‘", "’", "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", "\u{9D}", "ž", "Ÿ",
    ]
}
