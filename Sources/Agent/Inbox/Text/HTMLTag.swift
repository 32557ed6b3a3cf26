/// An HTML tag in a notification text. Only elements that the text editors of services produce are tags; anything else
/// in angle brackets, such as `<banana@example.com>`, is text. Which of the tags of a text count: ``TextStructure``.
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

    /// Whether an element has an end tag (HTML, "Optional tags").
    enum EndTag { case required, optional, none }

    var name: String
    var isClosing = false
    var meaning: Meaning
    /// The place of the value of `alt`.
    var alternative: Range<Int>?
    /// The place of the value of `href`.
    var address: Range<Int>?

    /// Whether the tag is one of `h1` to `h6`.
    var isHeading: Bool { name.count == 2 && name.first == "h" && name != "hr" }

    var endTag: EndTag {
        switch name {
        case "!", "br", "img", "hr": .none
        case "p", "li", "td", "th", "tr", "tbody", "thead": .optional
        default: .required
        }
    }

    /// The maximum length of a tag, in scalars.
    static let longest = 2048
    /// Longer than any known element name.
    private static let longestName = 16

    /// Parses the tag or comment at `start` (a `<`). Returns it and the position after it, or `nil` if there is none.
    ///
    /// Linear for all tags of a text together, although it may read beyond the start of the next tag: a quotation mark
    /// swaps two of the three states, so consecutive tags are in different states, and only a tag within quotes
    /// continues at a `<`.
    static func parse(_ text: inout TextScanner, at start: Int) -> (tag: HTMLTag, end: Int)? {
        if text.has("<!--", at: start) {
            return text.endOfComment(from: start + 4).map { (HTMLTag(name: "!", meaning: .transparent), $0) }
        }
        let limit = min(text.count, start + longest)
        let isClosing = text.scalar(at: start + 1) == "/"
        let startOfName = start + (isClosing ? 2 : 1)
        let endOfName = text.end(from: startOfName, before: min(limit, startOfName + longestName)) {
            isLetter($0) || ("0"..."9").contains($0)
        }
        let name = String(scalars: text.slice(startOfName..<endOfName)).lowercased()
        guard let meaning = meanings[name] else { return nil }
        var tag = HTMLTag(name: name, isClosing: isClosing, meaning: meaning)
        guard let end = tag.readAttributes(&text, from: endOfName, limit: limit) else { return nil }
        // One that shows nothing is a word of the text.
        if name == "img", tag.alternative == nil, !tag.hasSource { return nil }
        return (tag, end)
    }

    private var hasSource = false

    private init(name: String, isClosing: Bool = false, meaning: Meaning) {
        (self.name, self.isClosing, self.meaning) = (name, isClosing, meaning)
    }

    /// Reads the rest of a tag (HTML, "Start tags" and "Attributes"). An attribute without a value is one of those that
    /// HTML has.
    ///
    /// - Returns: The position after the tag; nil: it is none.
    private mutating func readAttributes(_ text: inout TextScanner, from start: Int, limit: Int) -> Int? {
        var position = start
        while true {
            let spaces = position
            position = text.end(from: position, before: limit) { $0.isSpace }
            guard position < limit, let scalar = text.scalar(at: position) else { return nil }
            if scalar == ">" { return position + 1 }
            if isClosing { return nil }
            if scalar == "/" { return text.scalar(at: position + 1) == ">" ? position + 2 : nil }
            guard spaces < position, let end = readAttribute(&text, at: position, limit: limit) else { return nil }
            position = end
        }
    }

    private mutating func readAttribute(_ text: inout TextScanner, at start: Int, limit: Int) -> Int? {
        let endOfName = text.end(from: start, before: limit) { Self.isLetter($0) || Self.isInName($0) }
        guard let first = text.scalar(at: start), Self.isLetter(first) || first == "_" || first == ":" else {
            return nil
        }
        let name = String(scalars: text.slice(start..<endOfName)).lowercased()
        let sign = text.end(from: endOfName, before: limit) { $0.isSpace }
        guard sign < limit, text.scalar(at: sign) == "=" else {
            return Self.attributesWithoutValue.contains(name) ? endOfName : nil
        }
        let startOfValue = text.end(from: sign + 1, before: limit) { $0.isSpace }
        guard startOfValue < limit, let quote = text.scalar(at: startOfValue) else { return nil }
        let value: Range<Int>
        var end: Int
        if quote == "\"" || quote == "'" {
            end = text.end(from: startOfValue + 1, before: limit) { $0 != quote }
            guard end < limit else { return nil }
            value = (startOfValue + 1)..<end
            end += 1
        } else {
            end = text.end(from: startOfValue, before: limit) { !$0.isSpace && !"\"'=<>`".unicodeScalars.contains($0) }
            // The `=` of an address without quotation marks belongs to it.
            while end > startOfValue, end < limit, text.scalar(at: end) == "=" {
                end = text.end(from: end + 1, before: limit) { !$0.isSpace && !"\"'=<>`".unicodeScalars.contains($0) }
            }
            guard end > startOfValue else { return nil }
            value = startOfValue..<end
        }
        switch name {
        case "alt": alternative = alternative ?? value
        case "href": address = address ?? value
        case "src": hasSource = true
        default: break
        }
        return end
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    /// Whether a scalar may be in the name of an attribute, besides letters.
    private static func isInName(_ scalar: Unicode.Scalar) -> Bool {
        ("0"..."9").contains(scalar) || "-_:.".unicodeScalars.contains(scalar)
    }

    /// The boolean attributes of HTML and HTML 4, and those whose value may be empty.
    private static let attributesWithoutValue: Set<String> = [
        "alt", "async", "class", "compact", "crossorigin", "defer", "disabled", "download", "hidden", "inert",
        "itemscope", "noshade", "nowrap", "open", "reversed", "style",
    ]

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
}
