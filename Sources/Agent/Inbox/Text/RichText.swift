import Basics
import VisibleText

/// Text with the three styles of notification servers, and links: the result of converting a service's Markdown or
/// HTML, where everything dangerous or unknown becomes plain text.
package struct RichText: Hashable, Sendable {
    /// The styles of the Desktop Notifications Specification, "Markup".
    package struct Style: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let bold = Style(rawValue: 1)
        package static let italic = Style(rawValue: 2)
        package static let underline = Style(rawValue: 4)
    }

    /// A part of the text with one style, and at most one link.
    package struct Run: Hashable, Sendable {
        package var text: String
        package var style: Style
        /// The address that the text links to, as the sender wrote it: it may be one that must not be opened.
        package var link: String?

        package init(_ text: String, _ style: Style = [], link: String? = nil) {
            self.text = text
            self.style = style
            self.link = link
        }

        /// Another text with the same style and link.
        fileprivate func with(_ text: some StringProtocol) -> Run { Run(String(text), style, link: link) }
    }

    package var runs: [Run]

    package init(_ runs: [Run] = []) { self.runs = runs }

    /// Whether the text is empty or only white space and marks of the direction.
    package var isEmpty: Bool {
        runs.allSatisfy { $0.text.unicodeScalars.allSatisfy { $0.isSpace || $0.isDirectionalMark } }
    }

    /// The text without styles.
    package var plain: String { runs.map(\.text).joined() }

    /// The length in UTF-8: at least the number of characters and of scalars.
    private var bytes: Int { runs.reduce(0) { $0 + $1.text.utf8.count } }

    /// The text in the markup of the Desktop Notifications Specification: `b`, `i`, `u`, and `&`, `<`, `>` escaped. No
    /// other element and no other entity is used, because each of them breaks some server.
    package var markup: String { markup { _ in nil } }

    private static let elements: [(Style, String)] = [(.bold, "b"), (.italic, "i"), (.underline, "u")]

    /// As ``markup``, and with the element `a` for links.
    ///
    /// - Parameters:
    ///   - hasReferences: Whether `&` and `>` are escaped, too, and not only `<`.
    ///   - address: The address to use for a link, without quotation marks; nil: only its text is shown.
    package func markup(hasReferences: Bool = true, address: (String) -> String?) -> String {
        let escaped = { (text: String) in hasReferences ? text.escapedForXML : text.replacing("<", with: "&lt;") }
        var result = ""
        var open: String?
        for run in runs where !run.text.isEmpty {
            let link = run.link.flatMap(address)
            if link != open {
                if open != nil { result += "</a>" }
                if let link { result += "<a href=\"\(escaped(link))\">" }
                open = link
            }
            for (style, element) in Self.elements where run.style.contains(style) { result += "<\(element)>" }
            result += escaped(run.text)
            for (style, element) in Self.elements.reversed() where run.style.contains(style) {
                result += "</\(element)>"
            }
        }
        return open == nil ? result : result + "</a>"
    }

    /// The text truncated to at most `limit` characters, the last of them "…" if it was truncated. A character may
    /// consist of many scalars; at most 8 per character on average are kept.
    package func truncated(to limit: Int) -> RichText {
        if bytes <= limit { return self }
        var characters = 0
        var scalars = 0
        var kept: [Run] = []
        for run in runs {
            var text = ""
            for character in run.text {
                guard characters < limit, scalars + character.unicodeScalars.count <= limit * 8 else {
                    while characters >= limit, !text.isEmpty {
                        text.removeLast()
                        characters -= 1
                    }
                    return RichText(kept + [run.with(text + "…")])
                }
                text.append(character)
                characters += 1
                scalars += character.unicodeScalars.count
            }
            kept.append(run.with(text))
        }
        return RichText(kept)
    }

    /// The text truncated to at most `limit` characters, the last of them "…", between two words, or within a word if
    /// the preceding blank is in the first half. A character may consist of many scalars; at most 8 per character on
    /// average are kept.
    package func shortened(to limit: Int) -> RichText {
        if bytes <= limit { return self }
        var kept = RichText()
        var (characters, scalars) = (0, 0)
        for run in runs {
            kept.runs.append(run.with(""))
            for character in run.text {
                guard characters < limit, scalars + character.unicodeScalars.count <= limit * 8 else {
                    kept.end(at: limit - 1, of: characters, before: character)
                    return kept
                }
                kept.runs[kept.runs.count - 1].text.append(character)
                characters += 1
                scalars += character.unicodeScalars.count
            }
        }
        return self
    }

    /// Removes the text beyond a limit and the partial word before it, and appends "…".
    ///
    /// - Parameters:
    ///   - count: The number of characters.
    ///   - next: The next character.
    private mutating func end(at limit: Int, of count: Int, before next: Character) {
        var (count, next) = (count, next)
        while count > limit, let last = removeLast() { (count, next) = (count - 1, last) }
        if !next.isWhitespace { dropLastWord(of: count, keeping: limit / 2) }
        while runs.last(where: { !$0.text.isEmpty })?.text.last?.isWhitespace == true { _ = removeLast() }
        while runs.count > 1, runs.last?.text.isEmpty == true { runs.removeLast() }
        runs[runs.count - 1].text += "…"
    }

    private mutating func removeLast() -> Character? {
        while runs.count > 1, runs.last?.text.isEmpty == true { runs.removeLast() }
        return runs[runs.count - 1].text.popLast()
    }

    /// Removes the text after the last blank, unless fewer than `minimum` characters would remain.
    private mutating func dropLastWord(of count: Int, keeping minimum: Int) {
        var start = count
        for index in runs.indices.reversed() {
            let text = runs[index].text
            start -= text.count
            guard let blank = text.lastIndex(where: \.isWhitespace) else { continue }
            guard start + text.distance(from: text.startIndex, to: blank) >= minimum else { return }
            runs.removeSubrange((index + 1)...)
            runs[index].text = String(text[..<blank])
            return
        }
    }

    /// The text, isolated from a line of the other direction (Unicode Standard Annex 9).
    func isolated(in direction: TextDirection) -> RichText {
        let text = plain
        guard text.isolated(in: direction) != text else { return self }
        return RichText([Run("\u{2068}")] + runs + [Run("\u{2069}")])
    }

    /// The first `limit` lines; "…" ends the last of them if there are more.
    func truncated(toLines limit: Int) -> RichText {
        var lines = 1
        for (index, run) in runs.enumerated() {
            for end in run.text.indices where run.text[end].isNewline {
                lines += 1
                guard lines > limit else { continue }
                let rest = [run.with(run.text[end...])] + runs[(index + 1)...]
                let kept = runs[..<index] + [run.with(run.text[..<end] + (RichText(rest).isEmpty ? "" : "…"))]
                return RichText(Array(kept))
            }
        }
        return self
    }

    /// The first line, and everything after it.
    package func splitFirstLine() -> (line: RichText, rest: RichText) {
        for (index, run) in runs.enumerated() {
            guard let end = run.text.firstIndex(of: "\n") else { continue }
            let line = Array(runs[..<index]) + [run.with(run.text[..<end])]
            let rest = [run.with(run.text[run.text.index(after: end)...])] + runs[(index + 1)...]
            return (RichText(line), RichText(rest))
        }
        return (self, RichText())
    }
}
