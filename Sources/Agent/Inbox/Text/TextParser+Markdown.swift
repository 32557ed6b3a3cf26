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
            if let next = text.scalar(at: position + 1), isPunctuation(next) { position += 1 }
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

    mutating func isAtLineStart() -> Bool { position == 0 || text.scalar(at: position - 1) == "\n" }

    /// Headings become bold, list items get a bullet; block quote markers, code fences and rules are removed.
    mutating func skipBlockMarker() {
        let endOfLine = text.end(from: position) { $0 != "\n" }
        let start = text.end(from: position, before: endOfLine) { $0 == " " }
        guard start < endOfLine, let first = text.scalar(at: start) else { return }
        if isRule(start..<endOfLine) || text.has("```", at: start) || text.has("~~~", at: start) {
            position = min(text.count, endOfLine + 1)
            return
        }
        switch first {
        case "#":
            let end = text.end(from: start) { $0 == "#" }
            guard end - start <= 6, text.scalar(at: end) == " " else { return }
            isHeading = true
            position = text.end(from: end) { $0 == " " }
        case ">": position = text.end(from: start) { $0 == ">" || $0 == " " }
        case "-", "*", "+":
            guard text.scalar(at: start + 1) == " " else { return }
            append("•")
            append(" ")
            position = start + 2
        default: break
        }
    }

    /// Three or more of `-`, `*` or `_` alone on a line.
    private mutating func isRule(_ line: Range<Int>) -> Bool {
        guard line.count >= 3, let mark = text.scalar(at: line.lowerBound), mark == "-" || mark == "*" || mark == "_"
        else { return false }
        return text.end(from: line.lowerBound, before: line.upperBound) { $0 == mark || $0 == " " } == line.upperBound
    }

    private mutating func code() {
        let start = text.end(from: position) { $0 == "`" }
        let fence = start - position
        guard let end = text.backticks(fence, from: start) else { return take(fence) }
        position = start
        take(end - start)
        position = end + fence
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
            if let address { images.append(address) }
        }
        position = end + 1
    }

    private func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && scalar.value > 0x20 && !scalar.isWordScalar
    }
}
