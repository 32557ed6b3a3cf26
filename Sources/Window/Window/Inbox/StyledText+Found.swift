import Basics

extension StyledText {
    /// The words of a search in the form in which they are compared.
    static func words(of search: String) -> [String] {
        search.folded.split { !$0.isOfWord }.map(String.init)
    }

    /// With marks where the words of a search are, as the agent finds them: at the beginning of a word, and anywhere in
    /// scripts without spaces.
    func marked(_ words: [String]) -> StyledText {
        if words.isEmpty { return self }
        var marked = self
        marked.runs = runs.flatMap { run in
            var (parts, rest, isInWord) = ([Run](), run.text.startIndex, false)
            func add(_ range: Range<String.Index>, _ style: Style) {
                if !range.isEmpty { parts.append(Run(text: String(run.text[range]), style: style, link: run.link)) }
            }
            var index = rest
            while index < run.text.endIndex {
                let character = run.text[index]
                let begins = character.isOfWord && (!isInWord || character.needsNoSpaces)
                isInWord = character.isOfWord
                if begins, let end = words.compactMap({ $0.end(in: run.text[index...]) }).max() {
                    add(rest..<index, run.style)
                    add(index..<end, run.style.union(.found))
                    (rest, index) = (end, end)
                } else {
                    run.text.formIndex(after: &index)
                }
            }
            add(rest..<run.text.endIndex, run.style)
            return parts
        }
        return marked
    }
}

extension Character {
    fileprivate var isOfWord: Bool {
        isLetter || isNumber || unicodeScalars.first?.properties.generalCategory == .otherSymbol
    }

    /// Whether the character is of a script without spaces between words, from Thai on, or a symbol.
    fileprivate var needsNoSpaces: Bool { unicodeScalars.first.map { $0.value >= 0xE00 } ?? false }
}

extension String {
    /// Where this folded word ends at the beginning of a text; nil: the text begins with another one.
    fileprivate func end(in text: Substring) -> Index? {
        var folded = ""
        for index in text.indices {
            folded += String(text[index]).folded
            if folded.hasPrefix(self) { return text.index(after: index) }
            guard hasPrefix(folded) else { return nil }
        }
        return nil
    }
}
