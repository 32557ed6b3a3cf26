extension String {
    /// The maximum number of words of a notification that are found. Texts that people write are shorter: others are
    /// made to keep the computer busy.
    static let indexedWordLimit = 4_000

    /// The text up to its last word that is found.
    var indexedPart: String {
        // A word has a byte, and another byte is between two words.
        guard utf8.count >= 2 * Self.indexedWordLimit else { return self }
        var words = 0
        var isInWord = false
        for index in unicodeScalars.indices {
            let properties = unicodeScalars[index].properties
            let isOfWord = properties.isAlphabetic || properties.numericType != nil
            if isOfWord, !isInWord {
                words += 1
                if words > Self.indexedWordLimit { return String(self[..<index]) }
            }
            isInWord = isOfWord
        }
        return self
    }
}
