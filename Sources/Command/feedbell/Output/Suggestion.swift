import AgentInterface
import Basics
import VisibleText

/// Suggests a known word for an unknown one.
enum Suggestion {
    /// A question with the most similar known word; nil: none is similar.
    static func of(_ known: [String], for word: String) -> String? {
        let distances = known.map { (word: $0, distance: $0.folded.editDistance(to: word.folded)) }
        guard let nearest = distances.min(by: { $0.distance < $1.distance }),
            nearest.distance <= min(2, nearest.word.count / 2)
        else { return nil }
        return translated("Did you mean \"{word}\"?", ["word": nearest.word])
    }
}
