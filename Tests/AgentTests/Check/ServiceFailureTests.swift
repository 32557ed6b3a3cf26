import Inbox
import SuprSend
import Testing

@testable import Agent

/// The agent's classes of a library's errors.
struct ServiceFailureTests {
    @Test(
        "Forbidden rejects a change, but makes an account unauthorized",
        arguments: [
            (.forbidden, .unauthorized, .rejected), (.unauthorized, .unauthorized, .unauthorized),
            (.notFound, .notFound, .notFound), (.rejected, .rejected, .rejected),
            (.invalidState, .rejected, .transient), (.unexpectedAnswer, .transient, .transient),
            (.serverFailure, .transient, .transient), (.cancelled, .transient, .transient),
        ] as [(SuprSendError.Kind, ServiceFailure.Kind, ServiceFailure.Kind)]
    )
    func kinds(kind: SuprSendError.Kind, account: ServiceFailure.Kind, change: ServiceFailure.Kind) {
        let error = SuprSendError(kind, "No")
        #expect(ServiceFailure(error).kind == account)
        #expect(ServiceFailure(changing: error).kind == change)
        #expect(ServiceFailure(changing: error).sentence.hasPrefix("No."))
    }

    @Test("LastError and ActionFailed contain no invisible characters")
    func failures() {
        let failure = ServiceFailure(.rejected, "Refused: \u{202E}no\n\u{1B}[2J\u{200B}.")
        #expect(failure.sentence == "Refused: no [2J.")
    }
}
