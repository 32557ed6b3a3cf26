extension RichText {
    /// The text truncated to at most `limit` characters, the last of them "…", between two words, or within a word if
    /// the preceding blank is in the first half. A character may consist of many scalars; at most 8 per character on
    /// average are kept.
    func shortened(to limit: Int) -> RichText {
        var kept = RichText()
        var (characters, scalars) = (0, 0)
        for run in runs {
            kept.runs.append(Run("", run.style))
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
}
