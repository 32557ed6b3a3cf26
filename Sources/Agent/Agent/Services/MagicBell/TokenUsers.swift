import Basics
import Inbox
import MagicBell

/// Compares the users of an account's tokens with the owner of its inbox: a token of another user is not used, and
/// reported.
struct TokenUsers: Sendable {
    private let service: MagicBellService
    private let owner: InboxOwner
    /// The last owner that a token named instead, for one receiver.
    private let others = Mailbox<InboxOwner>(.bufferingNewest(1))

    /// - Parameter owner: The owner of the inbox, as far as it was known before the first token.
    init(service: MagicBellService, owner: InboxOwner) {
        self.service = service
        self.owner = owner
    }

    /// Throws if the token is of another user. Accepts a text that is not a token: its parser reports that.
    func check(_ text: String) throws(MagicBellError) {
        guard let token = try? UserToken(text) else { return }
        let named = service.owner(of: token)
        guard named.inbox != owner.inbox else { return }
        others.send(named)
        throw MagicBellError(.cancelled, "The user token names another user. The account restarts with its inbox.")
    }

    /// Reports the owners that tokens name instead, until the task is cancelled.
    func followOthers(_ report: (InboxOwner) -> Void) async {
        for await other in others.messages { report(other) }
    }
}
