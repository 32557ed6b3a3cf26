extension RichText {
    /// Reads a service's text, markdown or HTML. Every text is readable: what is not markup of either kind stays as it is.
    ///
    /// suprsend.md §2.1: `message.text` is "markdown or HTML body", and nothing says which one it is.
    package init(markup text: String) {
        let scalars = TextScalars.shown(text)
        var parser = TextParser(scalars, isHTML: HTMLTag.isHTML(scalars))
        self = parser.parse()
    }

    /// Takes a text that is no markup, one line of it.
    package init(line text: String) {
        var line = ""
        line.unicodeScalars.append(contentsOf: TextScalars.shown(text))
        self.init([Run(line.split(whereSeparator: \.isWhitespace).joined(separator: " "))])
    }
}

/// One pass over a text: blocks by line, inline markup by scalar. Linear but for the search of an opening delimiter, which
/// looks at the last few only.
struct TextParser {
    /// A piece of the result. An opening delimiter is a piece of its own, so that it can be taken back as text.
    private struct Piece {
        var text = ""
        var style: RichText.Style = []
        var openDelimiter: String?
    }

    private let text: [Unicode.Scalar]
    private let isHTML: Bool
    private var position = 0
    private var pieces: [Piece] = []
    private var tagDepths: [RichText.Style.RawValue: Int] = [:]
    private var isHeading = false

    /// An emphasis or a link may begin so many delimiters before it ends.
    private static let openDelimiters = 32

    init(_ text: [Unicode.Scalar], isHTML: Bool) {
        self.text = text
        self.isHTML = isHTML
    }

    mutating func parse() -> RichText {
        while position < text.count {
            if !isHTML, isAtLineStart { skipBlockMarker() }
            guard position < text.count else { break }
            step()
        }
        return tidied()
    }

    private mutating func step() {
        let scalar = text[position]
        switch scalar {
        case "<": tagOrText()
        case "&":
            if let (decoded, end) = HTMLEntities.decode(text, at: position) {
                if TextScalars.isShown(decoded) { append(decoded) }
                position = end
            } else {
                take()
            }
        case "\n" where isHTML: whiteSpace()
        case "\n":
            isHeading = false
            take()
        case "\\" where !isHTML && position + 1 < text.count && isPunctuation(text[position + 1]):
            position += 1
            take()
        case "`" where !isHTML: code()
        case "*", "_", "~":
            if isHTML { take() } else { delimiter(scalar) }
        case "!" where !isHTML && position + 1 < text.count && text[position + 1] == "[":
            position += 1
            open("[")
        case "[" where !isHTML: open("[")
        case "]" where !isHTML: closeLink()
        default:
            if isHTML && scalar.properties.isWhitespace { whiteSpace() } else { take() }
        }
    }

    // MARK: Text

    private var style: RichText.Style {
        var style = isHeading ? RichText.Style.bold : []
        for (raw, depth) in tagDepths where depth > 0 { style.insert(RichText.Style(rawValue: raw)) }
        return style
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        if let last = pieces.last, last.openDelimiter == nil, last.style == style {
            pieces[pieces.count - 1].text.unicodeScalars.append(scalar)
        } else {
            pieces.append(Piece(text: String(Character(scalar)), style: style))
        }
    }

    private mutating func take() {
        append(text[position])
        position += 1
    }

    private mutating func whiteSpace() {
        while position < text.count, text[position].properties.isWhitespace { position += 1 }
        let last = pieces.last { !$0.text.isEmpty }?.text.unicodeScalars.last
        if let last, last != "\n", last != " " { append(" ") }
    }

    private mutating func breakLine() {
        guard let last = pieces.last(where: { !$0.text.isEmpty }), last.text.unicodeScalars.last != "\n" else { return }
        append("\n")
    }

    // MARK: HTML

    private mutating func tagOrText() {
        guard let (tag, end) = HTMLTag.parse(text, at: position) else {
            if !isHTML, let end = endOfAutolink() {
                position += 1
                while position < end - 1 { take() }
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
            if position < text.count, text[position] == "\n" { position += 1 }
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
        while position < text.count {
            if text[position] == "<", let (tag, end) = HTMLTag.parse(text, at: position), tag.isClosing,
                tag.name == name
            {
                position = end
                return
            }
            position += 1
        }
    }

    /// CommonMark autolink: `<scheme:…>` without white space.
    private func endOfAutolink() -> Int? {
        let rest = text[(position + 1)...].prefix(2048)
        guard let end = rest.firstIndex(of: ">"), let colon = rest.firstIndex(of: ":"), colon < end else { return nil }
        let scheme = rest[..<colon]
        guard scheme.count > 1, scheme.allSatisfy({ $0.isASCII && $0.properties.isAlphabetic }) else { return nil }
        guard !rest[..<end].contains(where: { $0.properties.isWhitespace || $0 == "<" }) else { return nil }
        return end + 1
    }

    // MARK: Markdown

    private var isAtLineStart: Bool { position == 0 || text[position - 1] == "\n" }

    /// Headings become bold, list items get a bullet, quotation marks, code fences and rules vanish.
    private mutating func skipBlockMarker() {
        let line = text[position...].prefix { $0 != "\n" }
        let content = line.drop { $0 == " " }
        let kinds = Set(content.filter { $0 != " " })
        if content.count >= 3, kinds.count == 1, let only = kinds.first, only == "-" || only == "*" || only == "_" {
            position = min(text.count, line.endIndex + 1)
        } else if content.starts(with: "```".unicodeScalars) || content.starts(with: "~~~".unicodeScalars) {
            position = min(text.count, line.endIndex + 1)
        } else if content.first == "#" {
            let after = content.drop { $0 == "#" }
            guard content.count - after.count <= 6, after.first == " " else { return }
            isHeading = true
            position = after.drop { $0 == " " }.startIndex
        } else if content.first == ">" {
            position = content.dropFirst().drop { $0 == " " || $0 == ">" }.startIndex
        } else if let marker = content.first, marker == "-" || marker == "*" || marker == "+",
            content.dropFirst().first == " "
        {
            append("•")
            append(" ")
            position = content.dropFirst(2).startIndex
        }
    }

    private mutating func code() {
        let fence = text[position...].prefix { $0 == "`" }.count
        let start = position + fence
        var end = start
        while end < text.count {
            guard text[end] == "`" else {
                end += 1
                continue
            }
            let run = text[end...].prefix { $0 == "`" }.count
            if run == fence {
                position = start
                while position < end { take() }
                position = end + fence
                return
            }
            end += run
        }
        for _ in 0..<fence { take() }
    }

    private mutating func delimiter(_ scalar: Unicode.Scalar) {
        let run = text[position...].prefix { $0 == scalar }.count
        let before = position == 0 ? " " : text[position - 1]
        let after = position + run == text.count ? " " : text[position + run]
        let insideWord = isWordScalar(before) && isWordScalar(after)
        let canOpen = !after.properties.isWhitespace && !(scalar == "_" && insideWord)
        let canClose = !before.properties.isWhitespace && !(scalar == "_" && insideWord)
        let markers = scalar == "~" ? (run == 2 ? ["~~"] : []) : emphasisMarkers(scalar, run: run)
        guard !markers.isEmpty, canOpen || canClose else {
            for _ in 0..<run { take() }
            return
        }
        for marker in markers {
            if !(canClose && close(marker)) {
                if canOpen { open(marker, isText: true) } else { for _ in marker { take() } }
            }
        }
    }

    /// Runs of more than three are no emphasis.
    private func emphasisMarkers(_ scalar: Unicode.Scalar, run: Int) -> [String] {
        let one = String(Character(scalar))
        return switch run {
        case 1: [one]
        case 2: [one + one]
        case 3: [one + one, one]
        default: []
        }
    }

    private mutating func open(_ marker: String, isText: Bool = false) {
        pieces.append(Piece(text: marker, style: style, openDelimiter: marker))
        position += marker.unicodeScalars.count
    }

    private func opener(_ marker: String) -> Int? {
        var looked = 0
        for index in pieces.indices.reversed() where pieces[index].openDelimiter != nil {
            if pieces[index].openDelimiter == marker { return index }
            looked += 1
            if looked == Self.openDelimiters { return nil }
        }
        return nil
    }

    private mutating func close(_ marker: String) -> Bool {
        guard let start = opener(marker), pieces[(start + 1)...].contains(where: { !$0.text.isEmpty }) else {
            return false
        }
        pieces[start].text = ""
        pieces[start].openDelimiter = nil
        let style: RichText.Style = marker == "~~" ? [] : marker.count == 2 ? .bold : .italic
        for index in (start + 1)..<pieces.count { pieces[index].style.formUnion(style) }
        position += marker.unicodeScalars.count
        pieces.append(Piece(style: self.style))
        return true
    }

    /// `[text](address)` becomes its text, `![text](address)` too.
    private mutating func closeLink() {
        guard let start = opener("["), position + 1 < text.count, text[position + 1] == "(" else { return take() }
        let address = text[(position + 2)...].prefix(2048).prefix { $0 != "\n" }
        var depth = 1
        for index in address.indices {
            if text[index] == "(" { depth += 1 }
            if text[index] == ")" { depth -= 1 }
            if depth == 0 {
                pieces[start].text = ""
                pieces[start].openDelimiter = nil
                position = index + 1
                return
            }
        }
        take()
    }

    private func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && scalar.value > 0x20 && !isWordScalar(scalar)
    }

    private func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    // MARK: Result

    /// Joins runs of one style, and leaves no space at a line's end and no more than one blank line in a row.
    private func tidied() -> RichText {
        var runs: [RichText.Run] = []
        func add(_ scalar: Unicode.Scalar, _ style: RichText.Style) {
            if runs.last?.style == style {
                runs[runs.count - 1].text.unicodeScalars.append(scalar)
            } else {
                runs.append(RichText.Run(String(Character(scalar)), style))
            }
        }
        var lineEnds = 2
        var spaces: [RichText.Style] = []
        for piece in pieces {
            for scalar in piece.text.unicodeScalars {
                switch scalar {
                case " ":
                    spaces.append(piece.style)
                case "\n":
                    spaces = []
                    lineEnds += 1
                    if lineEnds <= 2 { add("\n", piece.style) }
                default:
                    if lineEnds == 0 || !isHTML { for style in spaces { add(" ", style) } }
                    spaces = []
                    lineEnds = 0
                    add(scalar, piece.style)
                }
            }
        }
        while let last = runs.last, last.text.last == "\n" {
            runs[runs.count - 1].text.removeLast()
            if runs[runs.count - 1].text.isEmpty { runs.removeLast() }
        }
        return RichText(runs)
    }
}
