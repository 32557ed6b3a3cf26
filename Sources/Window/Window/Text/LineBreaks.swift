import VisibleText

// Pango lays out a text in a time that grows with the square of its longest unbreakable part: 60,000 letters without a
// space take a minute and a half. What others write gets places to break, and has a limit.

/// Adds ZERO WIDTH SPACE where a text has no place to break a line for too long. `VisibleText` has removed those of the
/// text itself.
struct LineBreaks {
    /// The longest part without a place to break, in scalars.
    static let limit = 60

    private static let mark: Unicode.Scalar = "\u{200B}"
    /// What a scalar counts: Pango breaks some scripts by a dictionary, between words that it knows.
    private static let (weight, dictionaryWeight) = (4, 1)

    /// The weight since the last place to break.
    private var length = 0
    private var wasIdeograph = false

    init() {}

    /// - Parameter text: Follows the text of the previous call.
    mutating func added(to text: String) -> String {
        if length + Self.weight * text.utf8.count <= Self.weight * Self.limit, !text.utf8.contains(where: Self.isSpace)
        {
            length += Self.weight * text.utf8.count
            wasIdeograph = false
            return text
        }
        return text.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "\r") }) ? addedToASCII(text) : addedToAny(text)
    }

    /// Each byte is a character: most of what is shown, at a fraction of the time.
    private mutating func addedToASCII(_ text: String) -> String {
        var broken: [UInt8] = []
        broken.reserveCapacity(text.utf8.count + text.utf8.count / Self.limit * Self.mark.utf8.count)
        for byte in text.utf8 {
            let isSpace = Self.isSpace(byte)
            if !isSpace, length >= Self.weight * Self.limit {
                broken.append(contentsOf: Self.mark.utf8)
                length = 0
            }
            broken.append(byte)
            length = isSpace ? 0 : length + Self.weight
        }
        wasIdeograph = false
        return String(decoding: broken, as: UTF8.self)
    }

    private mutating func addedToAny(_ text: String) -> String {
        var broken = String.UnicodeScalarView()
        for character in text {
            // Between characters if possible. A character alone may have thousands of marks.
            var mustBreak = length >= Self.weight * Self.limit
            for scalar in character.unicodeScalars {
                let isIdeograph = scalar.properties.isIdeographic
                if scalar.canBreakAfter || isIdeograph && wasIdeograph {
                    length = 0
                } else if mustBreak || length >= 2 * Self.weight * Self.limit {
                    broken.append(Self.mark)
                    length = 0
                }
                mustBreak = false
                broken.append(scalar)
                length += scalar.isBrokenByDictionary ? Self.dictionaryWeight : Self.weight
                if scalar.canBreakAfter { length = 0 }
                wasIdeograph = isIdeograph
            }
        }
        return String(broken)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") }
}

extension Unicode.Scalar {
    /// White space, except for what forbids a line break (Unicode Standard Annex 14, class GL).
    fileprivate var canBreakAfter: Bool {
        if isASCII { return self == " " || self == "\n" }
        return properties.isWhitespace && ![0xA0, 0x2007, 0x202F].contains(value)
    }

    /// Thai, Lao, Myanmar and Khmer (Unicode Standard Annex 14, class SA).
    fileprivate var isBrokenByDictionary: Bool {
        switch value {
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF: true
        default: false
        }
    }
}

extension String {
    /// The text with places to break in long words.
    package var breakable: String {
        var breaks = LineBreaks()
        return breaks.added(to: self)
    }

    /// The text, or its beginning with "…", at most this many scalars together. It is cut between characters.
    package func beginning(_ limit: Int) -> String { cut(to: limit).map { $0 + "…" } ?? self }

    /// The beginning of a text with more scalars than the limit, which leaves room for "…"; nil: it is not longer.
    private func cut(to limit: Int) -> String? {
        guard utf8.count > limit,
            let last = unicodeScalars.index(startIndex, offsetBy: limit, limitedBy: endIndex), last < endIndex
        else { return nil }
        var end = unicodeScalars.index(before: last)
        if Index(end, within: self) == nil, let whole = self[..<end].indices.last, whole > startIndex { end = whole }
        return String(unicodeScalars[..<end])
    }

    /// The beginning of the text on one line, for a label: without what could disguise it, and with places to break.
    ///
    /// - Parameter limit: The maximum length in scalars.
    package func line(_ limit: Int) -> String {
        let read = unicodeScalars.prefix(Self.readLimit(limit))
        let line = String(read).onOneLine
        let cut = line.cut(to: limit)
        // The mark comes last: without it, most texts are ASCII.
        return (cut ?? line).breakable + (cut != nil || read.endIndex < endIndex ? "…" : "")
    }

    /// A name or a label on one line.
    package var nameLine: String { line(LineLimit.name) }

    /// A sentence or a description on one line.
    package var sentenceLine: String { line(LineLimit.sentence) }

    /// Control characters that are removed do not count, up to a number.
    private static func readLimit(_ limit: Int) -> Int { 4 * limit + 1_000 }
}

/// The limits of texts in labels, in scalars.
package enum LineLimit {
    /// A name or a label.
    package static let name = 100
    /// A title.
    package static let title = 160
    /// An address in a tooltip.
    package static let address = 200
    /// A sentence or a description.
    package static let sentence = 1_000
}
