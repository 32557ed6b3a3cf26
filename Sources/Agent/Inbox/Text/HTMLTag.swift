/// An HTML tag in a notification text. Only elements that the text editors of services produce are tags; anything else
/// in angle brackets, such as `<banana@example.com>`, is text.
struct HTMLTag: Equatable {
    /// The effect of an element on text.
    enum Meaning: Equatable {
        case style(RichText.Style)
        case lineBreak
        case block
        case listItem
        case cell
        case image
        /// Ignored; its content is shown.
        case transparent
        /// Not shown, including its content.
        case hidden
    }

    var name: String
    var isClosing: Bool
    /// The `alt` attribute, for images.
    var alternative: [Unicode.Scalar]
    var meaning: Meaning

    /// Whether it is one of `h1` to `h6`.
    var isHeading: Bool { name.count == 2 && name.first == "h" && name != "hr" }

    /// The maximum length of a tag, in scalars.
    static let longest = 2048
    /// Longer than any known element name.
    private static let longestName = 16

    /// Parses the tag or comment at `start` (a `<`). Returns it and the position after it, or `nil` if there is none.
    static func parse(_ text: inout TextScanner, at start: Int) -> (tag: HTMLTag, end: Int)? {
        if text.has("<!--", at: start) {
            let comment = HTMLTag(name: "!", isClosing: false, alternative: [], meaning: .transparent)
            return text.endOfComment(from: start + 4).map { (comment, $0) }
        }
        let limit = min(text.count, start + longest)
        let isClosing = text.scalar(at: start + 1) == "/"
        let startOfName = start + (isClosing ? 2 : 1)
        let endOfName = text.end(from: startOfName, before: min(limit, startOfName + longestName)) {
            isLetter($0) || ("0"..."9").contains($0)
        }
        var name = ""
        name.unicodeScalars.append(contentsOf: text.slice(startOfName..<endOfName))
        name = name.lowercased()
        guard let meaning = meanings[name], let next = text.scalar(at: endOfName), isEndOfName(next) else { return nil }
        guard let end = endOfTag(&text, from: endOfName, limit: limit) else { return nil }
        let alternative = meaning == .image ? attribute("alt", in: Array(text.slice(endOfName..<(end - 1)))) : []
        return (HTMLTag(name: name, isClosing: isClosing, alternative: alternative, meaning: meaning), end)
    }

    /// Finds the end of a tag. Linear for all tags of a text together, although it may read beyond the start of the
    /// next tag: a quotation mark swaps two of the three states, so consecutive tags are in different states, and only
    /// a tag within quotes continues at a `<`.
    private static func endOfTag(_ text: inout TextScanner, from start: Int, limit: Int) -> Int? {
        var quote: Unicode.Scalar?
        let end = text.end(from: start, before: limit) { scalar in
            if let open = quote {
                if scalar == open { quote = nil }
            } else if scalar == "\"" || scalar == "'" {
                quote = scalar
            } else {
                return scalar != ">" && scalar != "<"
            }
            return true
        }
        return end < limit && text.scalar(at: end) == ">" ? end + 1 : nil
    }

    /// The value of an attribute in a tag; empty if there is none.
    static func attribute(_ name: String, in text: [Unicode.Scalar]) -> [Unicode.Scalar] {
        let key = Array((name + "=").unicodeScalars)
        for start in text.indices where text[start...].starts(with: key) {
            guard start > 0, text[start - 1].isSpace else { continue }
            let value = text[(start + key.count)...]
            guard let quote = value.first, quote == "\"" || quote == "'" else {
                return Array(value.prefix { !$0.isSpace })
            }
            return Array(value.dropFirst().prefix { $0 != quote })
        }
        return []
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    private static func isEndOfName(_ scalar: Unicode.Scalar) -> Bool {
        scalar == ">" || scalar == "/" || scalar.isSpace
    }

    private static let meanings: [String: Meaning] = {
        var meanings: [String: Meaning] = [
            "b": .style(.bold), "strong": .style(.bold), "i": .style(.italic), "em": .style(.italic),
            "u": .style(.underline), "ins": .style(.underline), "br": .lineBreak, "li": .listItem, "td": .cell,
            "th": .cell, "img": .image,
        ]
        for name in [
            "p", "div", "section", "article", "header", "footer", "ul", "ol", "table", "tr", "blockquote", "hr", "pre",
        ] {
            meanings[name] = .block
        }
        for level in 1...6 { meanings["h\(level)"] = .block }
        for name in [
            "html", "body", "a", "span", "font", "small", "big", "sub", "sup", "code", "kbd", "s", "del", "strike",
            "mark",
            "tbody", "thead", "center", "label", "abbr", "time", "figure", "figcaption", "picture", "q", "cite",
        ] {
            meanings[name] = .transparent
        }
        for name in ["script", "style", "head", "title", "template", "iframe", "object", "svg", "noscript"] {
            meanings[name] = .hidden
        }
        return meanings
    }()

    /// Whether tags determine the layout, so that line ends and asterisks have no meaning. Line breaks and styles also
    /// occur in Markdown.
    static func isHTML(_ text: inout TextScanner) -> Bool {
        var position = 0
        while true {
            position = text.end(from: position) { $0 != "<" }
            guard position < text.count else { return false }
            if let (tag, _) = parse(&text, at: position) {
                switch tag.meaning {
                case .block, .listItem, .cell: return true
                case .style, .lineBreak, .transparent, .image, .hidden: break
                }
            }
            position += 1
        }
    }
}
