/// The links in a text, Markdown or HTML, for notifications without a URL.
package enum TextLinks {
    /// The maximum number of links of each kind.
    static let limit = 8

    /// The addresses of the links in their order, then those that are written out in the text, then those of images
    /// that have a scheme.
    package static func all(in text: String) -> [String] {
        guard text.utf8.contains(where: ":(<".utf8.contains) else { return [] }
        var parser = TextParser(TextScalars.shown(text))
        let shown = parser.parse()
        let images = parser.images.filter { OpenableURL.scheme(of: $0) != nil }
        return parser.pieces.links + plain(in: Array(shown.plain.unicodeScalars)) + images
    }

    /// The web addresses in plain text.
    static func plain(in text: [Unicode.Scalar]) -> [String] {
        var found: [String] = []
        var position = 0
        while let start = text[position...].firstIndex(where: { $0 == "h" || $0 == "H" }), found.count < limit {
            position = start + 1
            guard start == 0 || !text[start - 1].isWordScalar else { continue }
            let beginning = String(scalars: text[start...].prefix(8)).lowercased()
            guard beginning.hasPrefix("http://") || beginning == "https://" else { continue }
            let rest = text[start...]
            let end = rest.firstIndex { $0.isSpace || "<>\"…".unicodeScalars.contains($0) } ?? rest.endIndex
            found.append(String(scalars: withoutPunctuation(rest[..<end])))
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
        var scanner = TextScanner(address)
        var decoded: [Unicode.Scalar] = []
        var position = 0
        while let scalar = scanner.scalar(at: position) {
            if scalar == "&", let (reference, end) = HTMLEntities.decode(&scanner, at: position) {
                decoded.append(reference)
                position = end
            } else {
                decoded.append(scalar)
                position += 1
            }
        }
        return String(scalars: decoded)
    }
}
