/// The letters that answer a question with yes or no: those that its text, in the user's language, ends with, as in
/// "Delete it? [y/N]". So the text and what a key does cannot differ.
struct AnswerLetters: Equatable {
    /// The question with its letters.
    let text: String
    private let yes: Character
    private let no: Character

    /// - Parameter text: Ends with two letters or words in brackets, first that for yes. Otherwise "y" and "n" answer.
    init(_ text: String) {
        self.text = text
        let bracket = text.last == "]" ? text.dropLast().split(separator: "[").last ?? "" : ""
        let letters = bracket.lowercased().split(separator: "/").compactMap(\.first)
        (yes, no) = letters.count == 2 && letters[0] != letters[1] ? (letters[0], letters[1]) : ("y", "n")
    }

    /// Whether an answer begins with the letter for yes, in upper or lower case.
    func isYes(_ answer: String) -> Bool { answer.lowercased().first == yes }

    /// Whether an answer begins with the letter for no, in upper or lower case.
    func isNo(_ answer: String) -> Bool { answer.lowercased().first == no }
}
