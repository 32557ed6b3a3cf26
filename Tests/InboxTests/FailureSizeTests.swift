import Inbox
import Testing

@Test("A failure keeps 500 characters of the service's message", arguments: ["x", "e\u{301}"])
func aFailureIsCut(character: String) {
    let failure = ServiceFailure(.transient, String(repeating: character, count: 100_000))
    #expect(failure.sentence.unicodeScalars.count == 500)
}
