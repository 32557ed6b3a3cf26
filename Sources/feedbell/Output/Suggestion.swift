import AgentInterface

/// What a person probably meant by a word that does not exist.
enum Suggestion {
    /// A question with the known word that is nearest; nil: none is near.
    static func of(_ known: [String], for word: String) -> String? {
        let distances = known.map { (word: $0, distance: $0.editDistance(to: word)) }
        guard let nearest = distances.min(by: { $0.distance < $1.distance }),
            nearest.distance <= min(2, nearest.word.count / 2)
        else { return nil }
        return "Did you mean \"\(nearest.word)\"?"
    }
}
