extension RichText {
    /// Parses a service's text, Markdown or HTML; the services do not declare which. Every text is valid: what is not
    /// markup stays unchanged.
    package init(markup text: String) { self = Self.read(markup: text).text }

    /// Parses a service's text, and counts the parser's accesses to it: at most a small multiple of its length.
    package static func read(markup text: String) -> (text: RichText, work: Int) {
        var parser = TextParser(TextScalars.shown(text))
        let rich = parser.parse()
        return (rich, parser.work)
    }

    /// Plain text, joined to one line.
    package init(line text: String) {
        var line = ""
        line.unicodeScalars.append(contentsOf: TextScalars.shown(text))
        self.init([Run(line.split(whereSeparator: \.isWhitespace).joined(separator: " "))])
    }
}

/// One pass over a text: blocks by line, inline markup by scalar. Linear in the length of any text.
struct TextParser {
    var text: TextScanner
    let isHTML: Bool
    var position = 0
    var pieces = TextPieces()
    var isHeading = false
    private var tagDepths: [RichText.Style.RawValue: Int] = [:]

    init(_ scalars: [Unicode.Scalar]) {
        text = TextScanner(scalars)
        isHTML = HTMLTag.isHTML(&text)
    }

    /// The number of accesses to the text and to the found pieces so far.
    var work: Int { text.work + pieces.work }

    mutating func parse() -> RichText {
        while position < text.count {
            if !isHTML, isAtLineStart() { skipBlockMarker() }
            guard let scalar = text.scalar(at: position) else { break }
            step(scalar)
        }
        return pieces.tidied(isHTML: isHTML)
    }

    private mutating func step(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "<": tagOrText()
        case "&":
            if let (decoded, end) = HTMLEntities.decode(&text, at: position) {
                append(decoded)
                position = end
            } else {
                take()
            }
        case "\n" where isHTML: whiteSpace()
        case "\n":
            isHeading = false
            take()
        default:
            if !isHTML {
                markdown(scalar)
            } else if scalar.properties.isWhitespace {
                whiteSpace()
            } else {
                take()
            }
        }
    }

    // MARK: Text

    var style: RichText.Style {
        var style = isHeading ? RichText.Style.bold : []
        for (raw, depth) in tagDepths where depth > 0 { style.insert(RichText.Style(rawValue: raw)) }
        return style
    }

    mutating func append(_ scalar: Unicode.Scalar) { pieces.append(scalar, style) }

    /// Appends the next `count` scalars.
    mutating func take(_ count: Int = 1) {
        for scalar in text.slice(position..<(position + count)) { append(scalar) }
        position += count
    }

    private mutating func whiteSpace() {
        position = text.end(from: position) { $0.properties.isWhitespace }
        if let last = pieces.last, last != "\n", last != " " { append(" ") }
    }

    private mutating func breakLine() {
        if let last = pieces.last, last != "\n" { append("\n") }
    }

    // MARK: HTML

    private mutating func tagOrText() {
        guard let (tag, end) = HTMLTag.parse(&text, at: position) else {
            if !isHTML, let end = endOfAutolink() {
                position += 1
                take(end - 1 - position)
                position = end
            } else {
                take()
            }
            return
        }
        position = end
        switch tag.meaning {
        case .style(let style):
            tagDepths[style.rawValue] = max(0, tagDepths[style.rawValue, default: 0] + (tag.isClosing ? -1 : 1))
        case .lineBreak:
            append("\n")
            if text.scalar(at: position) == "\n" { position += 1 }
        case .block:
            if tag.isClosing { isHeading = false }
            breakLine()
            if !tag.isClosing { isHeading = tag.isHeading }
        case .listItem:
            breakLine()
            if !tag.isClosing {
                append("•")
                append(" ")
            }
        case .cell: whiteSpace()
        case .image: for scalar in tag.alternative { append(scalar) }
        case .hidden: if !tag.isClosing { skip(element: tag.name) }
        case .transparent: break
        }
    }

    private mutating func skip(element name: String) {
        while true {
            position = text.end(from: position) { $0 != "<" }
            guard position < text.count else { return }
            if let (tag, end) = HTMLTag.parse(&text, at: position), tag.isClosing, tag.name == name {
                position = end
                return
            }
            position += 1
        }
    }

    /// CommonMark autolink: `<scheme:…>` without white space.
    private mutating func endOfAutolink() -> Int? {
        let limit = position + 2048
        let colon = text.end(from: position + 1, before: limit) { ("a"..."z").contains($0) || ("A"..."Z").contains($0) }
        guard colon > position + 2, text.scalar(at: colon) == ":" else { return nil }
        let end = text.end(from: colon, before: limit) { $0 != ">" && $0 != "<" && !$0.properties.isWhitespace }
        return end < limit && text.scalar(at: end) == ">" ? end + 1 : nil
    }
}
