// The normalization forms of the standard library, which has no public names for them.
@_spi(_Unicode) import Swift

extension String {
    /// The text as it is compared with others by search and rules: in Unicode's normalization form NFKC (Unicode
    /// Standard Annex 15) and without the difference of upper and lower case, of accents, of quotation marks, and
    /// without invisible characters. Letters such as `ø` and `œ`, which only look like others, are these others.
    ///
    /// Vowel signs, and the marks that make another letter (`が`, `й`), stay.
    package var folded: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return lowercasedASCII }
        var expanded = UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar.isASCII || scalar.isPlainLetter {
                expanded.append(scalar)
            } else if let other = scalar.plainOther {
                expanded.append(other)
            } else if !scalar.isIgnoredInComparisons {
                if !CompatibilityCharacters.append(scalar, to: &expanded) { expanded.append(scalar) }
            }
        }
        var folded = UnicodeScalarView()
        var base: Unicode.Scalar = " "
        for scalar in String(expanded)._nfd {
            if scalar.isASCII || scalar.isPlainLetter {
                base = scalar
                scalar.appendFolded(to: &folded)
            } else if scalar.isAccent {
                if base.isOtherLetter(with: scalar) { folded.append(scalar) }
            } else {
                base = scalar
                // Some compatibility characters contain a quotation mark.
                (scalar.plainOther ?? scalar).appendFolded(to: &folded)
            }
        }
        return String(folded).composed
    }

    /// The text in Unicode's normalization form NFC (Unicode Standard Annex 15).
    package var composed: String {
        if utf8.allSatisfy({ $0 < 0xCC }) { return self }
        var composed = UnicodeScalarView()
        composed.append(contentsOf: _nfc)
        return String(composed)
    }

    /// Whether the text is in Unicode's normalization form NFC. Two such texts have the same bytes if they are equal.
    package var isComposed: Bool { hasSameBytes(as: composed) }

    private var lowercasedASCII: String {
        String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is one of the most frequent letters that are neither compatibility characters nor ignored.
    fileprivate var isPlainLetter: Bool {
        switch value {
        case 0xC0...0x131, 0x391...0x3CE, 0x400...0x482, 0x48A...0x52F, 0x5D0...0x5EA, 0x620...0x63F, 0x641...0x64A,
            0x3041...0x3096, 0x30A1...0x30FA, 0x3400...0x9FFF, 0xAC00...0xD7A3:
            true
        default: false
        }
    }

    /// The ASCII character that a quotation mark, a hyphen or a space stands for.
    fileprivate var plainOther: Unicode.Scalar? {
        switch value {
        case 0xB4, 0x2BB, 0x2BC, 0x2018, 0x2019, 0x201B, 0x2032: "'"
        case 0x201C...0x201F: "\""
        case 0x2010, 0x2011: "-"
        default: properties.isWhitespace ? " " : nil
        }
    }

    /// Whether the scalar is invisible, only lengthens a word (ARABIC TATWEEL), or is the color of a skin.
    fileprivate var isIgnoredInComparisons: Bool {
        value == 0x640 || (0x1F3FB...0x1F3FF).contains(value) || properties.isDefaultIgnorableCodePoint
    }

    /// Whether the scalar is an accent, or a vowel point of Hebrew or Arabic, which are usually not written.
    fileprivate var isAccent: Bool {
        switch value {
        case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
        case 0x653...0x655: false
        case 0x591...0x6ED: properties.generalCategory == .nonspacingMark
        default: false
        }
    }

    /// Whether an accent makes another letter of this Cyrillic one: й, ў, ї, ѓ and ќ.
    fileprivate func isOtherLetter(with accent: Unicode.Scalar) -> Bool {
        switch (accent.value, value) {
        case (0x306, 0x418), (0x306, 0x438), (0x306, 0x423), (0x306, 0x443), (0x308, 0x406), (0x308, 0x456): true
        case (0x301, 0x413), (0x301, 0x433), (0x301, 0x41A), (0x301, 0x43A): true
        default: false
        }
    }

    /// Appends what is the same for a capital and its small letter.
    fileprivate func appendFolded(to text: inout String.UnicodeScalarView) {
        switch value {
        case 0x41...0x5A, 0x391...0x3A1, 0x3A3...0x3A9, 0x410...0x42F: text.append(Unicode.Scalar(value + 0x20)!)
        case 0x3C2: text.append("σ")
        // Small letters, and scripts without case.
        case 0...0x7F, 0x3B1...0x3C9, 0x430...0x44F, 0x590...0x109F, 0x2E80...0xA63F, 0xAC00...0xFAFF: text.append(self)
        default:
            for capital in properties.uppercaseMapping.unicodeScalars {
                for small in capital.properties.lowercaseMapping.unicodeScalars { small.appendLetter(to: &text) }
            }
        }
    }

    /// Appends the letters that a small Latin letter is taken for, which is no composition of them.
    private func appendLetter(to text: inout String.UnicodeScalarView) {
        switch self {
        case "ß": text.append(contentsOf: "ss".unicodeScalars)
        case "æ": text.append(contentsOf: "ae".unicodeScalars)
        case "œ": text.append(contentsOf: "oe".unicodeScalars)
        case "þ": text.append(contentsOf: "th".unicodeScalars)
        case "ø": text.append("o")
        case "ł": text.append("l")
        case "đ", "ð": text.append("d")
        case "ħ": text.append("h")
        case "ŧ": text.append("t")
        default: text.append(self)
        }
    }
}

extension CompatibilityCharacters {
    private struct Entry {
        var first: UInt32
        var count: UInt32
        var text: Substring.UnicodeScalarView
    }

    /// In the order of the scalars.
    private static let entries: [Entry] = table.unicodeScalars.split { $0 == " " || $0 == "\n" }.map { word in
        let sign = word.firstIndex(of: "=") ?? word.endIndex
        let numbers = word[..<sign].split(separator: "+")
        return Entry(
            first: UInt32(String(numbers[0]), radix: 16) ?? 0,
            count: numbers.count > 1 ? UInt32(String(numbers[1])) ?? 1 : 1,
            text: word[sign...].dropFirst()
        )
    }

    /// Appends what stands for a compatibility character; false: it is none.
    fileprivate static func append(_ scalar: Unicode.Scalar, to text: inout String.UnicodeScalarView) -> Bool {
        let value = scalar.value
        // Most scripts have none.
        guard !(0x400..<0x587).contains(value), !(0x678..<0xE33).contains(value), !(0x3400..<0xA69C).contains(value),
            !(0xAC00..<0xF900).contains(value)
        else { return false }
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].first <= value { low = middle + 1 } else { high = middle }
        }
        guard low > 0, value < entries[low - 1].first + entries[low - 1].count else { return false }
        let entry = entries[low - 1]
        if value == entry.first {
            text.append(contentsOf: entry.text)
        } else if let begin = entry.text.first, let other = Unicode.Scalar(begin.value + (value - entry.first)) {
            text.append(other)
        }
        return true
    }
}
