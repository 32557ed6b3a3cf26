import VisibleText

extension RichText {
    /// Parses a service's text, Markdown or HTML; the services do not declare which. Every text is valid: what is not
    /// markup stays unchanged.
    package init(markup text: String) {
        self = RecentTexts.shared.text(of: text) { Self.read(markup: $0).text }
    }

    /// Parses a service's text, and counts the parser's accesses to it: at most a small multiple of its length.
    package static func read(markup text: String) -> (text: RichText, work: Int) {
        var parser = TextParser(text)
        let rich = parser.parse()
        return (rich, parser.work)
    }

    /// A title or another label of a service: plain text on one line, whose character references are decoded once.
    package init(title text: String) {
        let hasReferences = text.utf8.contains(UInt8(ascii: "&"))
        self.init(line: hasReferences ? HTMLEntities.decoded(text) : text)
    }

    /// Plain text, joined to one line.
    package init(line text: String) {
        if text.utf8.count <= TextScalars.limit, text.isTidyLine {
            self.init([Run(text)])
        } else {
            let line = String(scalars: TextScalars.shown(text))
            self.init([Run(line.split(whereSeparator: \.isWhitespace).joined(separator: " "))])
        }
    }
}

extension String {
    /// Whether the text is one line of printable ASCII with single spaces between words, as most lines are.
    fileprivate var isTidyLine: Bool {
        var last = UInt8(ascii: " ")
        for byte in utf8 {
            guard byte >= 0x20, byte < 0x7F, byte != 0x20 || last != 0x20 else { return false }
            last = byte
        }
        return last != 0x20
    }
}

/// One pass over a text: blocks by line, inline markup by scalar. Linear in the length of any text.
struct TextParser {
    var text: TextScanner
    var structure: TextStructure
    var position = 0
    var pieces = TextPieces()
    var isHeading = false
    /// The addresses of the images of Markdown.
    var images: [String] = []
    /// Whether there was an image, with an address or without.
    var hasImage = false
    private var tagDepths: [RichText.Style.RawValue: Int] = [:]
    /// The styles of the open tags.
    private var tagStyle: RichText.Style = []
    /// Whether a link of HTML is open.
    private var isInAnchor = false

    init(_ source: String) {
        text = TextScanner(TextScalars.shown(source))
        structure = TextStructure(&text, isCut: TextScalars.isCut(source))
    }

    var isHTML: Bool { structure.isHTML }

    /// The number of accesses to the text and to the found pieces so far.
    var work: Int { text.work + pieces.work }

    mutating func parse() -> RichText {
        while position < text.count {
            if !isHTML, text.isAtLineStart(position), skipBlockMarker() { continue }
            takePlain()
            if let scalar = text.scalar(at: position) { step(scalar) }
        }
        let parsed = pieces.tidied(isHTML: isHTML)
        // Translators: Shown instead of a text that consists of an image without a description.
        return parsed.isEmpty && hasImage ? RichText([RichText.Run(translated("Picture"))]) : parsed
    }

    /// Takes what has no meaning in either markup.
    private mutating func takePlain() {
        let end =
            isHTML
            ? text.end(from: position) { $0 != "<" && $0 != "&" && !$0.isSpace }
            : text.end(from: position) { !TextParser.hasMeaning($0) }
        if end > position { take(end - position) }
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
            } else if scalar.isSpace {
                whiteSpace()
            } else {
                take()
            }
        }
    }

    // MARK: Text

    var style: RichText.Style {
        isHeading ? tagStyle.union(.bold) : tagStyle
    }

    mutating func append(_ scalar: Unicode.Scalar) { pieces.append(scalar, style) }

    /// Appends the next `count` scalars.
    mutating func take(_ count: Int = 1) {
        pieces.append(text.slice(position..<(position + count)), style)
        position += count
    }

    private mutating func whiteSpace() {
        position = text.end(from: position) { $0.isSpace }
        if let last = pieces.last, last != "\n", last != " " { append(" ") }
    }

    private mutating func breakLine() {
        if let last = pieces.last, last != "\n" { append("\n") }
    }

    // MARK: HTML

    private mutating func tagOrText() {
        guard let found = structure.tag(at: position) else {
            if !isHTML, let end = endOfAutolink() {
                autolink(to: end)
            } else {
                take()
            }
            return
        }
        let tag = found.tag
        if tag.name == "a" { anchor(tag) }
        position = found.range.upperBound
        switch tag.meaning {
        case .style(let style):
            let depth = max(0, tagDepths[style.rawValue, default: 0] + (tag.isClosing ? -1 : 1))
            tagDepths[style.rawValue] = depth
            if depth > 0 { tagStyle.insert(style) } else { tagStyle.remove(style) }
        case .lineBreak:
            append("\n")
            position = text.end(from: position) { $0 == " " }
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
        case .image:
            hasImage = true
            if let range = tag.alternative { for scalar in text.slice(range) { append(scalar) } }
        case .hidden, .transparent: break
        }
    }

    private mutating func anchor(_ tag: HTMLTag) {
        if isInAnchor { pieces.endLink(style) }
        isInAnchor = false
        guard let range = tag.address, let address = address(Array(text.slice(range))) else { return }
        pieces.beginLink(address, style)
        isInAnchor = true
    }

    /// Takes an autolink: its address is its text.
    private mutating func autolink(to end: Int) {
        let range = (position + 1)..<(end - 1)
        let address = address(Array(text.slice(range)))
        if let address { pieces.beginLink(address, style) }
        position += 1
        take(range.count)
        if address != nil { pieces.endLink(style) }
        position = end
    }

    /// CommonMark autolink: `<scheme:…>` without white space.
    private mutating func endOfAutolink() -> Int? {
        let limit = position + 2048
        let colon = text.end(from: position + 1, before: limit) { ("a"..."z").contains($0) || ("A"..."Z").contains($0) }
        guard colon > position + 2, text.scalar(at: colon) == ":" else { return nil }
        let end = text.end(from: colon, before: limit) { $0 != ">" && $0 != "<" && !$0.isSpace }
        return end < limit && text.scalar(at: end) == ">" ? end + 1 : nil
    }
}
