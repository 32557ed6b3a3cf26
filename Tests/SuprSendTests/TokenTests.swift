import FoundationEssentials
import Logging
import TestSupport
import Testing
import Transport

@testable import SuprSend

@Suite struct TokenTests {
    let sample =
        "eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJlbnRpdHlfdHlwZSI6InN1YnNjcmliZXIiLCJlbnRpdHlfaWQiOiJ1c2VyLTEiLCJleHAiOjE3NTQzNTAzNDUsImlhdCI6MTc1NDM0Njc0NSwic2NvcGUiOnsidGVuYW50X2lkIjoiZGVmYXVsdCJ9fQ.c2ln"

    @Test func readsTheSample() throws {
        let token = try UserToken(sample)
        #expect(token.expiresOn == Date(timeIntervalSince1970: 1_754_350_345))
        #expect(token.distinctID == "user-1")
        #expect(token.tenantIDs == ["default"])
        #expect(!"\(token)".contains("eyJ"))
        #expect(!String(reflecting: token).contains("c2ln"))
    }

    @Test(arguments: ["", "abc", "a.b.c", "a..c", "eyJ.W10.x", "....", "a.\u{E9}.c", ".e30.c", "a.e30.c d"])
    func whateverElse(text: String) {
        let error = #expect(throws: SuprSendError.self) { try UserToken(text) }
        #expect(error?.kind == .invalidArgument)
        #expect(error?.message.hasPrefix("The user token is no JWT") == true)
    }

    @Test func statesNothing() throws {
        let token = try UserToken("eyJ.e30.x")
        #expect(token.expiresOn == nil && token.distinctID == nil && token.tenantIDs == nil)
    }

    @Test func whenToAsk() throws {
        let now = base.date
        func after(_ seconds: TimeInterval) -> Date { now.addingTimeInterval(seconds) }
        var refresh = TokenRefresh()
        #expect(refresh.isDue(now: now, uptime: .zero))
        refresh.provided(try UserToken(token(expiring: 100)), uptime: .zero)
        #expect(!refresh.isDue(now: after(69), uptime: .seconds(69)))
        #expect(refresh.isDue(now: after(70), uptime: .seconds(70)))
        // The first token may be refused at once: it may come from a file.
        #expect(refresh.isDue(rejected: refresh.token?.rawValue, uptime: .zero))
        #expect(!refresh.isDue(rejected: "an older one", uptime: .zero))
        // A life shorter than the margin is no reason to ask all the time.
        refresh.provided(try UserToken(token(expiring: 110)), uptime: .seconds(100))
        #expect(!refresh.isDue(now: after(100), uptime: .seconds(104)))
        #expect(!refresh.isDue(rejected: refresh.token?.rawValue, uptime: .seconds(104)))
        #expect(refresh.isDue(now: after(100), uptime: .seconds(105)))
        // None: never asked again by itself, but after a refusal.
        refresh = TokenRefresh()
        refresh.provided(nil, uptime: .zero)
        #expect(!refresh.isDue(now: after(1e6), uptime: .seconds(1_000_000)))
        #expect(refresh.isDue(rejected: nil, uptime: .seconds(1)))
        // A failure is not repeated at once.
        refresh.failed(SuprSendError(.unauthorized, "no"), uptime: .seconds(10))
        #expect(!refresh.isDue(now: now, uptime: .seconds(14)))
        #expect(refresh.isDue(now: now, uptime: .seconds(15)))
    }

    private func source(_ clock: ManualClock, _ provider: UserTokenProvider?) throws -> UserTokenSource {
        try UserTokenSource(
            provider: provider,
            distinctID: "user-1",
            workspace: .test(surroundings: Surroundings(now: { base.date }, clock: clock, jitter: { 0 }))
        )
    }

    @Test func oneProviderCallServesAll() async throws {
        let provider = FakeProvider([token(expiring: 3600)])
        let source = try source(ManualClock()) { try await provider.token($0) }
        await provider.hold()
        try await withThrowingTaskGroup { group in
            for _ in 0..<10 { group.addTask { try await source.current()?.rawValue } }
            await provider.asked(1)
            await provider.release()
            for try await text in group { #expect(text == token(expiring: 3600)) }
        }
        #expect(await provider.asked == [nil])
    }

    @Test func blanksAroundAndNothing() async throws {
        let text = token(expiring: 3600)
        #expect(try await source(ManualClock()) { _ in " \(text)\n" }.current()?.rawValue == text)
        #expect(try await source(ManualClock()) { _ in "\n" }.current() == nil)
        #expect(try await source(ManualClock(), nil).current() == nil)
        let error = await #expect(throws: SuprSendError.self) {
            try await self.source(ManualClock()) { _ in "a\r\nb" }.current()
        }
        #expect(error?.kind == .unauthorized)
    }

    @Test func aFailureIsTold() async throws {
        struct Failure: Error, CustomStringConvertible {
            var description: String { "pass exited with 1, eyJabc.def.ghi" }
        }
        let source = try source(ManualClock()) { _ in throw Failure() }
        let error = await #expect(throws: SuprSendError.self) { try await source.current() }
        #expect(error?.message.contains("pass exited with 1") == true)
        #expect(error?.message.contains("eyJ") == false)
    }

    private func service(_ inbox: FakeInbox, tenant: String = "default", _ provider: UserTokenProvider?) throws
        -> Service
    {
        Service(
            workspace: try .test(http: inbox),
            scope: RequestScope(hosts: Hosts(), distinctID: "user-1", tenantID: tenant),
            tokens: try source(ManualClock(), provider)
        )
    }

    @Test func refusedOnceThenResent() async throws {
        let inbox = FakeInbox()
        let (old, new) = (token(expiring: 3600, name: "old"), token(expiring: 3600, name: "new"))
        await inbox.accept(new)
        let provider = FakeProvider([old, new])
        try await service(inbox) { try await provider.token($0) }.perform(FeedCall.markAllRead)
        #expect(await provider.asked == [nil, old])
        #expect(await inbox.requests.map { $0.headers.last?.value } == [old, new])
    }

    @Test func refusedAgainIsAnErrorWithoutTheToken() async throws {
        let inbox = FakeInbox()
        await inbox.accept("another")
        let provider = FakeProvider([token(expiring: 1, name: "1"), token(expiring: 3600, name: "2")])
        let service = try service(inbox) { try await provider.token($0) }
        let error = await #expect(throws: SuprSendError.self) { try await service.perform(FeedCall.markAllRead) }
        #expect(error?.kind == .unauthorized)
        #expect(error?.message.contains("eyJ") == false)
        #expect(await inbox.requests.count == 2)
    }

    @Test func aRefusalByScopeIsNotRetried() async throws {
        let inbox = FakeInbox()
        await inbox.fail(
            "mark_all_read",
            response(403, #"{"status":"error","error":{"type":"permission_denied","message":"Scope mismatch"}}"#)
        )
        let provider = FakeProvider([token(expiring: 3600)])
        let service = try service(inbox, tenant: "other") { try await provider.token($0) }
        let error = await #expect(throws: SuprSendError.self) { try await service.perform(FeedCall.markAllRead) }
        #expect(error?.kind == .forbidden)
        #expect(error?.message.contains("\"other\"") == true)
        #expect(await inbox.requests.count == 1)
        #expect(await provider.asked == [nil])
    }
}

/// Hands out tokens in order, the last one for ever; remembers what it was asked with.
actor FakeProvider {
    private var tokens: [String?]
    private(set) var asked: [String?] = []
    private var isHeld = false
    private var waiters: [AsyncStream<Never>.Continuation] = []

    init(_ tokens: [String?]) { self.tokens = tokens }

    func hold() { isHeld = true }

    func release() {
        isHeld = false
        ring()
    }

    func asked(_ times: Int) async { while asked.count < times, !Task.isCancelled { await change() } }

    func token(_ expired: String?) async throws -> String? {
        asked.append(expired)
        ring()
        while isHeld, !Task.isCancelled { await change() }
        return tokens.count > 1 ? tokens.removeFirst() : tokens.first ?? nil
    }

    private func ring() {
        for waiter in waiters { waiter.finish() }
        waiters = []
    }

    private func change() async {
        let (stream, continuation) = AsyncStream<Never>.makeStream()
        waiters.append(continuation)
        for await _ in stream {}
    }
}
