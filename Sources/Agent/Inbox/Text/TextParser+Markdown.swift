extension TextParser {
    /// Whether a scalar may be more than text, also that of HTML.
    static func hasMeaning(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "<", "&", "\n", "\\", "`", "*", "_", "~", "!", "[", "]": true
        default: false
        }
    }

    /// Handles a scalar of Markdown.
    mutating func markdown(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\\":
            if text.scalar(at: position + 1)?.isEscapable == true { position += 1 }
            take()
        case "`": code()
        case "*", "_", "~": delimiter(scalar)
        case "!":
            if text.scalar(at: position + 1) == "[" { open("![") } else { take() }
        case "[": open("[")
        case "]": closeLink()
        default: take()
        }
    }

    /// Headings become bold, list items get a bullet; block quote markers, code fences and rules are removed.
    ///
    /// - Returns: Whether the whole line was taken, or a block of lines.
    mutating func skipBlockMarker() -> Bool {
        if let block = structure.code(at: position), block.isBlock {
            takeCode(block)
            return true
        }
        let endOfLine = text.end(from: position) { $0 != "\n" }
        let start = text.end(from: position, before: endOfLine) { $0 == " " }
        guard start < endOfLine, let first = text.scalar(at: start) else { return false }
        if isRule(start..<endOfLine) || CodeFences.isFence(&text, at: position) {
            position = min(text.count, endOfLine + 1)
            return true
        }
        switch first {
        case "#":
            let end = text.end(from: start) { $0 == "#" }
            guard end - start <= 6, text.scalar(at: end) == " " else { return false }
            isHeading = true
            position = text.end(from: end) { $0 == " " }
        case ">": position = text.end(from: start) { $0 == ">" || $0 == " " }
        case "-", "*", "+":
            guard text.scalar(at: start + 1) == " " else { return false }
            append("•")
            append(" ")
            position = start + 2
        default: break
        }
        return false
    }

    /// Three or more of `-`, `*` or `_` alone on a line.
    private mutating func isRule(_ line: Range<Int>) -> Bool {
        guard line.count >= 3, let mark = text.scalar(at: line.lowerBound), mark == "-" || mark == "*" || mark == "_"
        else { return false }
        return text.end(from: line.lowerBound, before: line.upperBound) { $0 == mark || $0 == " " } == line.upperBound
    }

    private mutating func code() {
        if let span = structure.code(at: position) { return takeCode(span) }
        take(text.end(from: position) { $0 == "`" } - position)
    }

    private mutating func takeCode(_ code: TextStructure.Code) {
        position = code.content.lowerBound
        take(code.content.count)
        position = code.range.upperBound
    }

    private mutating func delimiter(_ scalar: Unicode.Scalar) {
        let end = text.end(from: position) { $0 == scalar }
        let before = text.scalar(at: position - 1) ?? " "
        let after = text.scalar(at: end) ?? " "
        let insideWord = before.isWordScalar && after.isWordScalar
        let canOpen = !after.isSpace && !(scalar == "_" && insideWord)
        let canClose = !before.isSpace && !(scalar == "_" && insideWord)
        let run = end - position
        let markers = scalar == "~" ? (run == 2 ? ["~~"] : []) : emphasisMarkers(scalar, run: run)
        guard !markers.isEmpty, canOpen || canClose else { return take(run) }
        for marker in markers {
            if canClose, pieces.close(marker, style) {
                position += marker.unicodeScalars.count
            } else if canOpen {
                open(marker)
            } else {
                take(marker.unicodeScalars.count)
            }
        }
    }

    /// Runs of more than three are not emphasis.
    private func emphasisMarkers(_ scalar: Unicode.Scalar, run: Int) -> [String] {
        let one = String(Character(scalar))
        return switch run {
        case 1: [one]
        case 2: [one + one]
        case 3: [one + one, one]
        default: []
        }
    }

    private mutating func open(_ marker: String) {
        pieces.open(marker, style)
        position += marker.unicodeScalars.count
    }

    /// `[text](address)` becomes a link, `![text](address)` its text.
    private mutating func closeLink() {
        guard let marker = pieces.openLinkMarker(), text.scalar(at: position + 1) == "(",
            let end = text.closingParenthesis(of: position + 1), end - position < 2050
        else { return take() }
        let address = address(inDestination: (position + 2)..<end)
        if marker == "[" {
            pieces.closeLink(address, style)
        } else {
            pieces.closeLink(nil, style)
            hasImage = true
            if let address { images.append(address) }
        }
        position = end + 1
    }
}
