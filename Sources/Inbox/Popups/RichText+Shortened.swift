extension RichText {
    /// The text cut to at most this many characters, the last of them "…", between two words. Within a word only where the blank before it
    /// is in the first half. A character may consist of many scalars; eight for each on average are the most that stay.
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

    /// Drops what is beyond a limit and what is left of the word there, and ends with "…".
    ///
    /// - Parameters:
    ///   - count: The number of characters.
    ///   - next: What follows.
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

    /// Drops what comes after the last blank, unless fewer than this many characters would stay.
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
