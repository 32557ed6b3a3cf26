import Basics
import ClientKit
import FoundationEssentials
import Logging
import TestSupport
import Testing

@testable import SuprSend

@Suite struct TokenTests {
    let sample =
        """
        eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJlbnRpdHlfdHlwZSI6InN1YnNjcmliZXIiLCJlbnRpdHlfaWQiOiJ1c2VyLTEiLCJleHAiOj\
        E3NTQzNTAzNDUsImlhdCI6MTc1NDM0Njc0NSwic2NvcGUiOnsidGVuYW50X2lkIjoiZGVmYXVsdCJ9fQ.c2ln
        """

    @Test("Expiry, user and tenants of a token are read, and its text is not printed") func sampleToken() throws {
        let token = try UserToken(sample)
        #expect(token.expiresOn == Date(timeIntervalSince1970: 1_754_350_345))
        #expect(token.distinctID == "user-1")
        #expect(token.tenantIDs == ["default"])
        #expect(!"\(token)".contains("eyJ"))
        #expect(!String(reflecting: token).contains("c2ln"))
    }

    @Test(
        "A text that is not a JWT is rejected",
        arguments: ["", "abc", "a.b.c", "a..c", "eyJ.W10.x", "....", "a.\u{E9}.c", ".e30.c", "a.e30.c d"]
    )
    func invalidTokens(text: String) {
        let error = #expect(throws: SuprSendError.self) { try UserToken(text) }
        #expect(error?.kind == .invalidArgument)
        #expect(error?.message.hasPrefix("The user token is not a JWT") == true)
    }

    @Test("A token without claims has no expiry and no user") func emptyClaims() throws {
        let token = try UserToken("eyJ.e30.x")
        #expect(token.expiresOn == nil && token.distinctID == nil && token.tenantIDs == nil)
    }

    private func source(_ clock: ManualClock, _ provider: UserTokenProvider?) throws -> UserTokenSource {
        try UserTokenSource(
            provider: provider,
            token: nil,
            user: "user-1",
            context: RequestContext.test(
                environment: ClientEnvironment(now: { base.date }, clock: clock, jitter: { 0 })
            )
        )
    }

    @Test("Whitespace is trimmed, and an empty text is no token") func whitespace() async throws {
        let text = token(expiring: 3600)
        #expect(try await source(ManualClock()) { _ in " \(text)\n" }.current()?.rawValue == text)
        #expect(try await source(ManualClock()) { _ in "\n" }.current() == nil)
        #expect(try await source(ManualClock(), nil).current() == nil)
        let error = await #expect(throws: SuprSendError.self) {
            try await self.source(ManualClock()) { _ in "a\r\nb" }.current()
        }
        #expect(error?.kind == .unauthorized)
    }

    @Test("A failure of the token source is returned") func failure() async throws {
        struct Failure: Error, CustomStringConvertible {
            var description: String { "pass exited with 1, eyJabc.def.ghi" }
        }
        let source = try source(ManualClock()) { _ in throw Failure() }
        let error = await #expect(throws: SuprSendError.self) { try await source.current() }
        #expect(error?.message.contains("pass exited with 1") == true)
        #expect(error?.message.contains("eyJ") == false)
    }

    private func service(_ inbox: FakeInbox, tenant: String = "default", _ provider: UserTokenProvider?) throws
        -> APIClient
    {
        APIClient(
            context: try .test(http: inbox),
            scope: RequestScope(hosts: Hosts(), distinctID: "user-1", tenantID: tenant),
            tokens: try source(ManualClock(), provider)
        )
    }

    @Test("After a refused token the request is sent again with a new one") func refusedOnce() async throws {
        let inbox = FakeInbox()
        let (old, new) = (token(expiring: 3600, name: "old"), token(expiring: 3600, name: "new"))
        await inbox.accept(new)
        let provider = FakeProvider([old, new])
        try await service(inbox) { try await provider.token($0) }.send(FeedCall.markAllRead)
        #expect(await provider.asked == [nil, old])
        #expect(await inbox.requests.map { $0.headers.last?.value } == [old, new])
    }

    @Test("A token refused twice is an error that does not contain it")
    func refusedTwice() async throws {
        let inbox = FakeInbox()
        await inbox.accept("another")
        let provider = FakeProvider([token(expiring: 1, name: "1"), token(expiring: 3600, name: "2")])
        let service = try service(inbox) { try await provider.token($0) }
        let error = await #expect(throws: SuprSendError.self) { try await service.send(FeedCall.markAllRead) }
        #expect(error?.kind == .unauthorized)
        #expect(error?.message.contains("eyJ") == false)
        #expect(await inbox.requests.count == 2)
    }

    @Test("A token refused for its tenant is not replaced, and the request not retried") func refusedTenant()
        async throws
    {
        let inbox = FakeInbox()
        await inbox.fail(
            "mark_all_read",
            response(403, #"{"status":"error","error":{"type":"permission_denied","message":"Scope mismatch"}}"#)
        )
        let provider = FakeProvider([token(expiring: 3600)])
        let service = try service(inbox, tenant: "other") { try await provider.token($0) }
        let error = await #expect(throws: SuprSendError.self) { try await service.send(FeedCall.markAllRead) }
        #expect(error?.kind == .forbidden)
        #expect(error?.message.contains("\"other\"") == true)
        #expect(await inbox.requests.count == 1)
        #expect(await provider.asked == [nil])
    }
}

/// Returns tokens in order, the last one repeatedly, and records its arguments.
actor FakeProvider {
    private var tokens: [String?]
    private(set) var asked: [String?] = []
    private var isHeld = false
    private var waiters = Waiters()

    init(_ tokens: [String?]) { self.tokens = tokens }

    func hold() { isHeld = true }

    func release() {
        isHeld = false
        waiters.wakeAll()
    }

    func asked(_ times: Int) async { while asked.count < times, !Task.isCancelled { await waiters.add().wait() } }

    func token(_ expired: String?) async throws -> String? {
        asked.append(expired)
        waiters.wakeAll()
        while isHeld, !Task.isCancelled { await waiters.add().wait() }
        return tokens.count > 1 ? tokens.removeFirst() : tokens.first ?? nil
    }

}
