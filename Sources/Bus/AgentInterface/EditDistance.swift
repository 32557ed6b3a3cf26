extension String {
    /// The Levenshtein distance.
    package func editDistance(to other: String) -> Int {
        let others = Array(other)
        var row = Array(0...others.count)
        for (i, character) in enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, otherCharacter) in others.enumerated() {
                let substitution = diagonal + (character == otherCharacter ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = Swift.min(substitution, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[others.count]
    }
}
