/// The letters that choose one of several: those in brackets in its text, in the user's language, as in "[r]etry,
/// [q]uit". So the text and what a key does cannot differ.
struct ChoiceLetters: Equatable {
    /// The choices with their letters.
    let text: String
    private let letters: [Character]

    /// - Parameters:
    ///   - text: Has a letter in brackets for each choice. Otherwise numbers choose, which are added to it.
    ///   - count: The number of choices.
    init(_ text: String, of count: Int) {
        let found = text.lowercased().split(separator: "[").dropFirst(text.first == "[" ? 0 : 1).compactMap { part in
            part.dropFirst().first == "]" ? part.first : nil
        }
        if found.count == count, Set(found).count == count {
            (self.text, letters) = (text, found)
        } else {
            letters = (1...count).map { Character("\($0)") }
            self.text = "\(text) [\(letters.map(String.init).joined(separator: "/"))]"
        }
    }

    /// The number of the choice whose letter the answer begins with, in upper or lower case, from 0; nil: none.
    func choice(_ answer: String) -> Int? { answer.lowercased().first.flatMap(letters.firstIndex) }
}
