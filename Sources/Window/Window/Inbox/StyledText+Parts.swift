extension StyledText {
    /// The limits of a part that a label lays out in a few milliseconds. Pango takes a time that grows with the square
    /// of the number of lines, and each change of style is a run of its own.
    static let (partLength, partLines, partRuns) = (4_000, 100, 300)
    /// A part ends at white space that is that near to its limit, in scalars.
    private static let partEnd = 200

    /// The text in parts for a label each, without white space between them.
    var parts: [StyledText] {
        var (parts, part): ([StyledText], [Run]) = ([], [])
        var (length, lines) = (0, 0)
        func endPart() {
            var whole = self
            whole.runs = part
            whole = whole.trimmed
            if !whole.runs.isEmpty { parts.append(whole) }
            (part, length, lines) = ([], 0, 0)
        }
        for run in runs {
            if part.count >= Self.partRuns { endPart() }
            var rest = run.text[...]
            while !rest.isEmpty {
                var end = rest.startIndex
                var isFull = false
                while end < rest.endIndex, !isFull {
                    let character = rest[end]
                    length += character.unicodeScalars.count
                    if character == "\n" { lines += 1 }
                    isFull =
                        length >= Self.partLength || lines >= Self.partLines
                        || length >= Self.partLength - Self.partEnd && character.isWhitespace
                    rest.formIndex(after: &end)
                }
                part.append(Run(text: String(rest[..<end]), style: run.style, link: run.link))
                rest = rest[end...]
                if isFull { endPart() }
            }
        }
        endPart()
        return parts
    }
}
