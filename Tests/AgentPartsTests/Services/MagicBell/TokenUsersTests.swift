import Basics
import FoundationEssentials
import Inbox
import MagicBell
import TestSupport
import Testing

@testable import Agent

/// Whose tokens an account uses.
@Suite(.timeLimit(.minutes(5))) struct TokenUsersTests {
    private static let service = MagicBellService(login: .userToken(.file("/t")))

    private static func token(_ claims: String) -> String {
        let payload = Data(claims.utf8).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        return "eyJhbGciOiJIUzI1NiJ9.\(payload).c2ln"
    }

    private static let anna = #"{"user_external_id":"anna","user_email":"Anna@a.b","api_key":"pk"}"#

    private static func owner(_ claims: String) throws -> InboxOwner {
        service.owner(of: try UserToken(token(claims)))
    }

    @Test("A token's user is the owner, the same as with the API key and that identity")
    func owners() throws {
        let named = try Self.owner(Self.anna)
        let configured = MagicBellService(login: .apiKey("pk", email: nil, externalID: "anna", hmac: nil)).owner
        #expect(named == configured && named.user == "anna")
        let mail = try Self.owner(#"{"user_email":"Anna@A.b","api_key":"pk"}"#)
        #expect(
            mail.inbox
                == MagicBellService(login: .apiKey("pk", email: "anna@a.b", externalID: nil, hmac: nil)).owner.inbox
        )
        #expect(try mail != Self.owner(#"{"user_email":"anna@a.b","api_key":"pk2"}"#), "another project")
        #expect(try Self.owner(#"{"api_key":"pk"}"#) == Self.service.owner, "without a user: what is configured")
        #expect(Self.service.owner.user.isEmpty)
    }

    @Test(
        "A token of the owner is used, and one of another user is reported",
        arguments: [
            (anna, true), (#"{"user_external_id":"anna","api_key":"pk","exp":1}"#, true),
            (#"{"user_external_id":"anna","user_email":"new@a.b","api_key":"pk"}"#, true),
            (#"{"user_external_id":"bob","user_email":"Anna@a.b","api_key":"pk"}"#, false),
            (#"{"user_external_id":"Anna","api_key":"pk"}"#, false), (#"{"user_external_id":"anna"}"#, false),
            ("{}", false), (#"{"user_external_id":17,"api_key":"pk"}"#, false),
        ]
    )
    func tokens(claims: String, isUsed: Bool) async throws {
        let users = TokenUsers(service: Self.service, owner: try Self.owner(Self.anna))
        let others = Mailbox<InboxOwner>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await users.followOthers { others.send($0) } }
            defer { group.cancelAll() }
            if isUsed { return try users.check(Self.token(claims)) }
            let error = #expect(throws: MagicBellError.self) { try users.check(Self.token(claims)) }
            #expect(error?.message.contains("eyJ") == false && error?.kind == .cancelled)
            #expect(try await others.messages.next() == Self.owner(claims))
        }
    }

    @Test("What is not a token is left to its parser") func invalid() throws {
        let users = TokenUsers(service: Self.service, owner: Self.service.owner)
        for text in ["", "a.b", "a.b.c", "eyJ.e30.", String(repeating: ".", count: 1_000)] {
            #expect(throws: Never.self) { try users.check(text) }
        }
    }
}
