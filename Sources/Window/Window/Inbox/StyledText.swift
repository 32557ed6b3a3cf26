import Basics
import VisibleText

/// A text with styles and links, as the agent reports it in the key `markup` of a notification.
///
/// Whatever it was made of, ``pango`` is well-formed: text of others cannot change what GTK reads.
struct StyledText: Equatable, Sendable {
    struct Style: OptionSet, Hashable, Sendable {
        let rawValue: UInt8

        static let bold = Style(rawValue: 1)
        static let italic = Style(rawValue: 2)
        static let underline = Style(rawValue: 4)
        /// A match of a search.
        static let found = Style(rawValue: 8)
    }

    /// A part of the text with one style, and at most one link.
    struct Run: Equatable, Sendable {
        var text: String
        var style: Style = []
        /// The index of its address in ``StyledText/addresses``.
        var link: Int?
    }

    var runs: [Run]
    /// The addresses of the links, in their order.
    var addresses: [String] = []
    /// Whether the text goes on beyond the limit with which it was read.
    private(set) var isCut = false

    private static let elements: [(name: String, style: Style)] = [
        ("b", .bold), ("i", .italic), ("u", .underline),
    ]

    /// A plain text.
    ///
    /// - Parameter limit: The number of scalars that are read.
    init(plain text: String, limit: Int = .max) {
        let read = text.unicodeScalars.prefix(limit)
        runs = [Run(text: String(read))]
        isCut = read.endIndex < text.endIndex
    }

    /// nil: it is not what the agent's interface describes.
    ///
    /// - Parameter limit: The number of scalars of text that are read, as well as that of elements. What follows them
    ///   is not checked.
    init?(markup: String, limit: Int = .max) {
        var reader = MarkupReader(markup, limit: limit)
        var (open, runs, addresses): ([String], [Run], [String]) = ([], [], [])
        while let token = reader.next() {
            switch token {
            case .text(let text):
                let styles = Self.elements.filter { open.contains($0.name) }.map(\.style)
                let link = open.contains("a") ? addresses.count - 1 : nil
                runs.append(Run(text: text, style: Style(styles), link: link))
            case .start(let name, let address):
                guard !open.contains(name), (name == "a") == (address != nil) else { return nil }
                guard name == "a" || Self.elements.contains(where: { $0.name == name }) else { return nil }
                if let address { addresses.append(address) }
                open.append(name)
            case .end(let name): guard open.popLast() == name else { return nil }
            case .error: return nil
            }
        }
        isCut = reader.isCut
        guard open.isEmpty || isCut else { return nil }
        (self.runs, self.addresses) = (runs, addresses)
    }

    /// The text alone.
    var plain: String { runs.map(\.text).joined() }

    /// Without characters that could disguise it, and without white space at its ends.
    var tidied: StyledText {
        var tidied = self
        for index in runs.indices { tidied.runs[index].text = runs[index].text.printable }
        return tidied.trimmed
    }

    /// Without white space at its ends.
    var trimmed: StyledText {
        var trimmed = self
        trimmed.runs = Array(runs.drop { $0.text.allSatisfy(\.isWhitespace) })
        if let first = trimmed.runs.first { trimmed.runs[0].text = String(first.text.drop(while: \.isWhitespace)) }
        while let last = trimmed.runs.last {
            let end = last.text.lastIndex { !$0.isWhitespace }
            if let end {
                trimmed.runs[trimmed.runs.count - 1].text = String(last.text[...end])
                break
            }
            trimmed.runs.removeLast()
        }
        return trimmed
    }

    /// With places to break in long words, also in those that have several styles.
    var breakable: StyledText {
        var (breakable, breaks) = (self, LineBreaks())
        for index in runs.indices { breakable.runs[index].text = breaks.added(to: runs[index].text) }
        return breakable
    }

    /// The number of lines with text, and of characters.
    var size: (lines: Int, characters: Int) {
        let plain = plain
        let lines = plain.split(separator: "\n").count { !$0.allSatisfy(\.isWhitespace) }
        return (lines, plain.count)
    }

    /// The limit of characters of a word that is left out at the end of a shortened text. Longer ones are cut.
    private static let wordLimit = 40

    /// The first lines with text, up to a number of lines and characters, and "…", which stays beside the last word.
    func shortened(lines: Int, characters: Int) -> StyledText {
        var short = self
        short.runs = []
        var (line, lineCount, count) = ([Run](), 0, 0)
        var (isFull, isWordCut) = (false, false)
        func hasText(_ line: [Run]) -> Bool { !line.allSatisfy { $0.text.allSatisfy(\.isWhitespace) } }
        /// Adds the line, unless it is blank.
        func endLine() {
            defer { line = [] }
            guard hasText(line), lineCount < lines else { return }
            if lineCount > 0 { line.insert(Run(text: "\n"), at: 0) }
            lineCount += 1
            for var run in line where !isFull {
                let kept = run.text.prefix(characters - count)
                if kept.endIndex < run.text.endIndex {
                    (isFull, isWordCut) = (true, !run.text[kept.endIndex].isWhitespace)
                }
                run.text = String(kept)
                count += run.text.count
                short.runs.append(run)
            }
        }
        for run in runs {
            for (index, part) in run.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                if index > 0 { endLine() }
                if !part.isEmpty { line.append(Run(text: String(part), style: run.style, link: run.link)) }
            }
        }
        endLine()
        if isWordCut { short.removeLastWord() }
        short = short.trimmed
        // Without a place to break a line.
        short.runs.append(Run(text: "\u{A0}…"))
        return short
    }

    /// Removes what follows the last white space, if it is not too long.
    private mutating func removeLastWord() {
        let word = plain.reversed().prefix { !$0.isWhitespace }.count
        guard word <= Self.wordLimit, word < plain.count else { return }
        var left = word
        while left > 0, let last = runs.last {
            runs[runs.count - 1].text.removeLast(min(left, last.text.count))
            left -= min(left, last.text.count)
            if runs.last?.text.isEmpty == true { runs.removeLast() }
        }
    }

    /// Readable below dark text and below light text.
    private static let mark = "<span background=\"#f5c211\" background_alpha=\"40%\">"

    /// Pango's markup, with the element `a` of GTK's labels; nil: it is a plain text.
    var pango: String? {
        guard runs.contains(where: { !$0.style.isEmpty || $0.link != nil }) else { return nil }
        var markup = ""
        var open: Int?
        for run in runs where !run.text.isEmpty {
            if run.link != open {
                if open != nil { markup += "</a>" }
                if let link = run.link { markup += "<a \(attributes(ofLinkTo: addresses[link]))>" }
                open = run.link
            }
            let names = Self.elements.filter { run.style.contains($0.style) }.map(\.name)
            let isFound = run.style.contains(.found)
            if isFound { markup += Self.mark }
            for name in names { markup += "<\(name)>" }
            markup += run.text.escapedForXML
            for name in names.reversed() { markup += "</\(name)>" }
            if isFound { markup += "</span>" }
        }
        return open == nil ? markup : markup + "</a>"
    }

    /// The tooltip is markup itself.
    private func attributes(ofLinkTo address: String) -> String {
        let address = address.onOneLine
        let tooltip = address.beginning(LineLimit.address).escapedForXML
        return "href=\"\(address.escapedForXMLAttribute)\" title=\"\(tooltip.escapedForXMLAttribute)\""
    }
}
