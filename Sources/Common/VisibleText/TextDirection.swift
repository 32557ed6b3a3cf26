/// The direction in which text is written (Unicode Standard Annex 9, "Unicode Bidirectional Algorithm").
package enum TextDirection: Equatable, Sendable {
    case leftToRight, rightToLeft

    /// The direction of the first letter or mark; nil: there is none.
    package init?(of text: String) {
        guard let direction = text.unicodeScalars.lazy.compactMap(\.direction).first else { return nil }
        self = direction
    }
}

extension String {
    /// The text for a sentence of the other direction: between FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE, so
    /// that the sentence keeps its order. Unchanged if no letter of the text has a direction other than `direction`.
    /// Bidirectional controls of an isolated text are removed, besides marks: one could end the isolation.
    package func isolated(in direction: TextDirection) -> String {
        if direction == .leftToRight, utf8.allSatisfy({ $0 < 0x80 }) { return self }
        let isOther = unicodeScalars.contains { $0.direction.map { $0 != direction } ?? false }
        guard isOther else { return self }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: unicodeScalars.lazy.filter { !$0.properties.isBidiControl || $0.isDirectionalMark })
        return "\u{2068}\(String(text))\u{2069}"
    }

    /// The text without the isolates of ``isolated(in:)``, for programs.
    package var withoutIsolates: String {
        guard utf8.contains(0xE2) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.filter { $0 != "\u{2068}" && $0 != "\u{2069}" }))
    }

    /// Whether each FIRST STRONG ISOLATE is followed by its POP DIRECTIONAL ISOLATE, and none is within another.
    var hasPairedIsolates: Bool {
        var isOpen = false
        for scalar in unicodeScalars {
            switch scalar {
            case "\u{2068}" where !isOpen: isOpen = true
            case "\u{2069}" where isOpen: isOpen = false
            case "\u{2068}", "\u{2069}": return false
            default: continue
            }
        }
        return !isOpen
    }
}

extension Unicode.Scalar {
    /// The direction of a letter, or of a mark that acts as one; nil: neither. By the blocks that the Unicode Character
    /// Database (`DerivedBidiClass.txt`) reserves for the classes R and AL.
    fileprivate var direction: TextDirection? {
        if isASCII { return properties.isAlphabetic ? .leftToRight : nil }
        if isDirectionalMark { return value == 0x200E ? .leftToRight : .rightToLeft }
        guard properties.isAlphabetic else { return nil }
        return Self.rightToLeft.contains { $0.contains(value) } ? .rightToLeft : .leftToRight
    }

    private static let rightToLeft: [ClosedRange<UInt32>] = [
        0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF,
    ]
}
