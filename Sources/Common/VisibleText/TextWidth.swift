// The width of text in columns of a terminal: 2 for East Asian wide and emoji characters.

extension Character {
    /// The width of the character in columns.
    package var columns: Int {
        let scalars = unicodeScalars
        if scalars.count == 1, let scalar = scalars.first, scalar.isASCII { return 1 }
        // An emoji sequence, or a character that a variation selector turns into an emoji.
        let isPicture = scalars.contains {
            $0 == "\u{200D}" || $0 == "\u{FE0F}" || ("\u{1F3FB}"..."\u{1F3FF}").contains($0)
        }
        return isPicture && scalars.count > 1 ? 2 : scalars.reduce(0) { $0 + $1.columns }
    }
}

extension Unicode.Scalar {
    fileprivate var columns: Int {
        if value < 0x300 { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        // Vowels and final consonants of Hangul syllables (Jamo).
        if (0x1160...0x11FF).contains(value) { return 0 }
        return properties.isEmojiPresentation && !(0x1F1E6...0x1F1FF).contains(value)
            || Self.wide.contains { $0.contains(value) } ? 2 : 1
    }

    /// Unicode Standard Annex 11, "East Asian Width": the classes W and F.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
        0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}

extension String {
    /// The width of the text on one line, in columns. Color sequences have no width.
    package var columns: Int {
        var isColor = false
        return reduce(0) { sum, character in
            if character == "\u{1B}" { isColor = true }
            defer { if character == "m" { isColor = false } }
            return isColor ? sum : sum + character.columns
        }
    }

    /// The text, padded with spaces to this width.
    package func padded(toColumns width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - columns))
    }

    /// The text, truncated to this width, with "…" at its end. It must not contain color sequences.
    package func cut(toColumns width: Int) -> String {
        var (kept, sum) = ("", 0)
        for character in self {
            let columns = character.columns
            if sum + columns > width {
                while sum + 1 > width, let last = kept.popLast() { sum -= last.columns }
                return width > 0 ? kept + "…" : ""
            }
            kept.append(character)
            sum += columns
        }
        return kept
    }

    /// The text wrapped at spaces to this width. Continuation lines are indented by `hanging` spaces.
    package func wrapped(toColumns width: Int, hanging: Int = 4) -> String {
        split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let indent = String(line.prefix { $0 == " " })
            var (text, sum) = (indent, indent.count)
            for word in line.dropFirst(indent.count).split(separator: " ", omittingEmptySubsequences: false) {
                let columns = String(word).columns
                if sum > indent.count, sum + 1 + columns > width {
                    text += "\n" + String(repeating: " ", count: hanging)
                    sum = hanging
                } else if sum > indent.count {
                    text += " "
                    sum += 1
                }
                text += word
                sum += columns
            }
            return text
        }.joined(separator: "\n")
    }

    /// The text on one line, without control characters.
    package var onOneLine: String { VisibleText.line(self) }

    /// The text without control characters except line feeds.
    package var printable: String { VisibleText.lines(self) }
}
