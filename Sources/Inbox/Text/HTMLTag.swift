/// A tag of HTML in a notification text. Only elements that a text editor of a service makes count as tags; anything else
/// in angle brackets, `<banana@example.com>` for one, is text.
struct HTMLTag: Equatable {
    /// What an element means for text.
    enum Meaning: Equatable {
        case style(RichText.Style)
        case lineBreak
        case block
        case listItem
        case cell
        case image
        /// Neither shown nor meaningful; what it contains is shown.
        case transparent
        /// Not shown, nor what it contains.
        case hidden
    }

    var name: String
    var isClosing: Bool
    /// The `alt` attribute, for images.
    var alternative: [Unicode.Scalar]
    var meaning: Meaning

    /// Whether it is one of `h1` to `h6`.
    var isHeading: Bool { name.count == 2 && name.first == "h" && name != "hr" }

    /// The longest tag that is looked for, in scalars.
    static let longest = 2048

    /// Reads the tag or comment that starts at `start` (a `<`) and tells the position behind it; `nil` if none starts there.
    static func parse(_ text: [Unicode.Scalar], at start: Int) -> (tag: HTMLTag, end: Int)? {
        let limit = min(text.count, start + longest)
        var position = start + 1
        if text[position..<limit].starts(with: "!--".unicodeScalars) {
            return comment(text, from: position + 3)
        }
        let isClosing = position < limit && text[position] == "/"
        if isClosing { position += 1 }
        var name = ""
        while position < limit, text[position].properties.isASCIIHexDigit || isLetter(text[position]) {
            name.unicodeScalars.append(text[position])
            position += 1
        }
        name = name.lowercased()
        guard let meaning = meanings[name], position < limit, isEndOfName(text[position]) else { return nil }
        guard let end = endOfTag(text, from: position, limit: limit) else { return nil }
        let alternative = meaning == .image ? attribute("alt", in: Array(text[position..<(end - 1)])) : []
        return (HTMLTag(name: name, isClosing: isClosing, alternative: alternative, meaning: meaning), end)
    }

    private static func comment(_ text: [Unicode.Scalar], from start: Int) -> (tag: HTMLTag, end: Int)? {
        var position = start
        while position + 2 < text.count {
            if text[position] == "-", text[position + 1] == "-", text[position + 2] == ">" {
                return (HTMLTag(name: "!", isClosing: false, alternative: [], meaning: .transparent), position + 3)
            }
            position += 1
        }
        return nil
    }

    private static func endOfTag(_ text: [Unicode.Scalar], from start: Int, limit: Int) -> Int? {
        var quote: Unicode.Scalar?
        for position in start..<limit {
            let scalar = text[position]
            if let open = quote {
                if scalar == open { quote = nil }
            } else if scalar == "\"" || scalar == "'" {
                quote = scalar
            } else if scalar == ">" {
                return position + 1
            } else if scalar == "<" {
                return nil
            }
        }
        return nil
    }

    private static func attribute(_ name: String, in text: [Unicode.Scalar]) -> [Unicode.Scalar] {
        let key = Array((name + "=").unicodeScalars)
        for start in text.indices where text[start...].starts(with: key) {
            guard start > 0, text[start - 1].properties.isWhitespace else { continue }
            let value = text[(start + key.count)...]
            guard let quote = value.first, quote == "\"" || quote == "'" else {
                return Array(value.prefix { !$0.properties.isWhitespace })
            }
            return Array(value.dropFirst().prefix { $0 != quote })
        }
        return []
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    private static func isEndOfName(_ scalar: Unicode.Scalar) -> Bool {
        scalar == ">" || scalar == "/" || scalar.properties.isWhitespace
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

    /// Whether the text is laid out by tags, so that its line ends and asterisks mean nothing. Line breaks and styles occur
    /// in markdown as well.
    static func isHTML(_ text: [Unicode.Scalar]) -> Bool {
        for start in text.indices where text[start] == "<" {
            guard let (tag, _) = parse(text, at: start) else { continue }
            switch tag.meaning {
            case .block, .listItem, .cell: return true
            case .style, .lineBreak, .transparent, .image, .hidden: continue
            }
        }
        return false
    }
}
