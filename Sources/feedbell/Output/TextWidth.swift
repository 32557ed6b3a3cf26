import VisibleText

// Columns of a terminal: East Asian and emoji characters take two, and a character is never cut.

extension Character {
    /// How many columns of a terminal the character takes.
    var columns: Int {
        let scalars = unicodeScalars
        if scalars.count == 1, let scalar = scalars.first, scalar.isASCII { return 1 }
        // One picture of several characters, or one that would else be text.
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
        // The vowels and endings of a Korean syllable.
        if (0x1160...0x11FF).contains(value) { return 0 }
        return properties.isEmojiPresentation && !(0x1F1E6...0x1F1FF).contains(value)
            || Self.wide.contains { $0.contains(value) } ? 2 : 1
    }

    /// Unicode Standard Annex 11, "East Asian Width": W and F, whole blocks where nothing else is in them.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
        0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}

extension String {
    /// How many columns of a terminal the text takes, on one line; colours take none.
    var columns: Int {
        var isColor = false
        return reduce(0) { sum, character in
            if character == "\u{1B}" { isColor = true }
            defer { if character == "m" { isColor = false } }
            return isColor ? sum : sum + character.columns
        }
    }

    /// Filled with spaces up to so many columns.
    func padded(toColumns width: Int) -> String { self + String(repeating: " ", count: max(0, width - columns)) }

    /// As much of the text as fits into so many columns, with "…" for the rest. The text has no colours.
    func cut(toColumns width: Int) -> String {
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

    /// The text on lines of so many columns, broken at spaces; further lines begin with so many.
    func wrapped(toColumns width: Int, hanging: Int = 4) -> String {
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

    /// As a user may read it, on one line.
    var onOneLine: String { VisibleText.line(self) }

    /// As a user may read it. Line ends stay.
    var printable: String { VisibleText.lines(self) }
}
