import Testing

@testable import feedbell

@Suite struct AnswerLettersTests {
    @Test(
        "The letters of the question answer it, in every language",
        arguments: [
            ("Delete this notification? [y/N]", "y", "n"), ("Diese Benachrichtigung löschen? [j/N]", "j", "n"),
            ("Supprimer cette notification ? [o/N]", "o", "n"), ("Удалить? [д/Н]", "д", "н"),
            ("Löschen? [Ja/nein]", "j", "n"), ("No letters", "y", "n"), ("[x] One letter [y]", "y", "n"),
            ("Twice the same? [n/N]", "y", "n"),
        ]
    )
    func letters(_ question: String, yes: String, no: String) {
        let letters = AnswerLetters(question)
        #expect(letters.text == question)
        for answer in [yes, yes.uppercased(), yes + "es"] {
            #expect(letters.isYes(answer) && !letters.isNo(answer), "\(answer)")
        }
        for answer in [no, no.uppercased()] { #expect(letters.isNo(answer) && !letters.isYes(answer), "\(answer)") }
        #expect(!letters.isYes("") && !letters.isNo("") && !letters.isYes("q"))
    }
}
