import Inbox
import SuprSend
import Testing

@testable import Services

/// The agent's classes of a library's errors.
struct ProviderFailureTests {
    @Test(
        "Forbidden rejects a change, but makes an account unauthorized",
        arguments: [
            (.forbidden, .unauthorized, .rejected), (.unauthorized, .unauthorized, .unauthorized),
            (.notFound, .notFound, .notFound), (.rejected, .rejected, .rejected),
            (.invalidState, .rejected, .transient), (.unexpectedAnswer, .transient, .transient),
            (.serverFailure, .transient, .transient), (.cancelled, .transient, .transient),
        ] as [(SuprSendError.Kind, ProviderFailure.Kind, ProviderFailure.Kind)]
    )
    func kinds(kind: SuprSendError.Kind, account: ProviderFailure.Kind, change: ProviderFailure.Kind) {
        let error = SuprSendError(kind, "No")
        #expect(ProviderFailure(error).kind == account)
        #expect(ProviderFailure(changing: error).kind == change)
        #expect(ProviderFailure(changing: error).sentence.hasPrefix("No."))
    }
}
