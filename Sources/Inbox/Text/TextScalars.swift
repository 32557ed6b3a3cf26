/// What may stand in a text that comes from the network and is shown to a person.
enum TextScalars {
    /// At most so many scalars of a text are read; no popup shows as much.
    static let limit = 16_384

    /// The scalars of `text` that may be shown, `limit` at the most: line ends become `\n`, other white space controls
    /// a space. Other control characters vanish, and with them the overrides of writing direction, which make a text
    /// read differently from what it says.
    static func shown(_ text: String) -> [Unicode.Scalar] {
        var shown: [Unicode.Scalar] = []
        shown.reserveCapacity(min(text.utf8.count, limit))
        var afterReturn = false
        for scalar in text.unicodeScalars {
            guard shown.count < limit else {
                shown.append("…")
                break
            }
            defer { afterReturn = scalar == "\r" }
            switch scalar {
            case "\n": if !afterReturn { shown.append("\n") }
            case "\r", "\u{2028}", "\u{2029}": shown.append("\n")
            case "\t", "\u{0B}", "\u{0C}": shown.append(" ")
            default: if isShown(scalar) { shown.append(scalar) }
            }
        }
        return shown
    }

    /// Whether a scalar outside of line ends and tabulators may be shown.
    static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: false
        case 0x202A...0x202E, 0x2066...0x2069: false
        case 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F: false
        default: true
        }
    }
}
