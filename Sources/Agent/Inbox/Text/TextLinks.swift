/// The links in a text, Markdown or HTML, for notifications without a URL.
package enum TextLinks {
    /// The maximum number of links of each kind.
    static let limit = 8

    /// The addresses of the links in their order, then those that are written out in the text, then those of images
    /// that have a scheme.
    package static func all(in text: String) -> [String] {
        guard text.utf8.contains(where: Self.beginsLink) else { return [] }
        var parser = TextParser(text)
        let shown = parser.parse()
        let images = parser.images.filter { OpenableURL.scheme(of: $0) != nil }
        return parser.pieces.links + plain(in: Array(shown.plain.unicodeScalars)) + images
    }

    /// Whether a link may begin with a byte: a scheme's end, Markdown or HTML.
    private static func beginsLink(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case ":", "(", "<": true
        default: false
        }
    }

    /// The web addresses in plain text.
    static func plain(in text: [Unicode.Scalar]) -> [String] {
        plainRanges(in: text).map { String(scalars: text[$0]) }
    }

    /// The places of web addresses in plain text.
    static func plainRanges(in text: [Unicode.Scalar]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var position = 0
        while let start = text[position...].firstIndex(where: { $0 == "h" || $0 == "H" }), found.count < limit {
            position = start + 1
            guard start == 0 || !(text[start - 1].isASCII && text[start - 1].isWordScalar) else { continue }
            let beginning = String(scalars: text[start...].prefix(8)).lowercased()
            guard beginning.hasPrefix("http://") || beginning == "https://" else { continue }
            let rest = text[start...]
            let end = rest.firstIndex(where: \.endsAddress) ?? rest.endIndex
            found.append(withoutPunctuation(rest[..<end]).indices)
            position = end
        }
        return found
    }

    /// Without the punctuation of the sentence that follows an address. A closing parenthesis belongs to the address if
    /// the opening one does.
    private static func withoutPunctuation(_ address: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
        var address = address
        while let last = address.last {
            if last == ")" {
                var depth = 0
                for scalar in address { depth += scalar == "(" ? 1 : scalar == ")" ? -1 : 0 }
                guard depth < 0 else { break }
            } else if !".,;:!?\'*_~]}".unicodeScalars.contains(last) {
                break
            }
            address.removeLast()
        }
        return address
    }
}

extension Unicode.Scalar {
    /// Whether an address that is written out in a text ends before it. Chinese and Japanese have no spaces between
    /// words, and in Korean a particle follows: an address with such characters has them percent-encoded (RFC 3986,
    /// section 2.5).
    fileprivate var endsAddress: Bool {
        if isASCII { return isSpace || "<>\"".unicodeScalars.contains(self) }
        return switch value {
        // Dashes, quotation marks, the ellipsis and angle quotation marks.
        case 0xAB, 0xBB, 0x2014, 0x2015, 0x2018...0x201F, 0x2026, 0x2039, 0x203A: true
        // Hangul letters; CJK radicals, punctuation, kana, Bopomofo and all Han up to Yi; Hangul syllables.
        case 0x1100...0x11FF, 0x2E80...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7FF: true
        // Compatibility ideographs, vertical, small, full-width and half-width forms.
        case 0xF900...0xFAFF, 0xFE10...0xFE1F, 0xFE30...0xFE6F, 0xFF00...0xFFEF: true
        // Kana and Han of the supplementary planes.
        case 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFF: true
        default: isSpace
        }
    }
}

extension TextParser {
    /// The address in the destination of a link of Markdown: with or without angle brackets, with or without a title
    /// (CommonMark, "Links"). nil: there is none, or there are too many links.
    mutating func address(inDestination range: Range<Int>) -> String? {
        let destination = text.slice(range).drop { $0.isSpace }
        return if destination.first == "<" {
            address(Array(destination.dropFirst().prefix { $0 != ">" }))
        } else {
            address(Array(destination.prefix { !$0.isSpace }))
        }
    }

    /// An address with its character references decoded; nil: it is empty, or there are too many links.
    func address(_ address: [Unicode.Scalar]) -> String? {
        guard pieces.links.count + images.count < TextLinks.limit, !address.isEmpty else { return nil }
        return String(scalars: HTMLEntities.decoded(address))
    }
}
