import Testing

@testable import feedbell

@Suite struct ChoiceLettersTests {
    @Test(
        "The letters in brackets choose, in every language",
        arguments: [
            ("[r]etry, [s]ave without check, [q]uit", ["r", "s", "q"]),
            ("[w]iederholen, ohne Prüfung [s]peichern, [b]eenden", ["w", "s", "b"]),
            ("Nochmal [W], [s]peichern, [b]eenden", ["w", "s", "b"]),
            ("[r] 再試行、[s] 確認せずに保存、[q] 終了", ["r", "s", "q"]),
        ]
    )
    func letters(text: String, letters: [String]) {
        let choices = ChoiceLetters(text, of: 3)
        #expect(choices.text == text)
        for (number, letter) in letters.enumerated() {
            #expect([letter, letter.uppercased(), letter + "etc"].map(choices.choice) == [number, number, number])
        }
        #expect(choices.choice("") == nil && choices.choice("x") == nil)
    }

    @Test(
        "Without a letter for each choice, numbers choose",
        arguments: ["No letters", "[r]etry, [r]eset, [q]uit", "[r]"]
    )
    func numbers(text: String) {
        let choices = ChoiceLetters(text, of: 3)
        #expect(choices.text == text + " [1/2/3]")
        #expect(["1", "2", "3", "4"].map(choices.choice) == [0, 1, 2, nil])
    }
}
