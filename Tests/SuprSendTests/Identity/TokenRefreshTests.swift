import Basics
import ClientKit
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import SuprSend

/// Known mistakes of other clients about user tokens.
@Suite(.timeLimit(.minutes(5))) struct TokenRefreshTests {
    @Test("One token refresh serves all calls that wait for it")
    func sharedRefresh() async throws {
        let provider = FakeProvider([token(expiring: 3600)])
        let source = try UserTokenSource(
            provider: { try await provider.token($0) },
            token: nil,
            user: "user-1",
            context: RequestContext.test(environment: environment(clock: ManualClock()))
        )
        await provider.hold()
        try await withThrowingTaskGroup { group in
            for _ in 0..<10 { group.addTask { try await source.current()?.rawValue } }
            await provider.asked(1)
            await provider.release()
            for try await text in group { #expect(text == token(expiring: 3600)) }
        }
        #expect(await provider.asked == [nil])
    }

    @Test("Parallel requests that are all refused cause one token refresh")
    func parallelRefusals() async throws {
        let inbox = FakeInbox()
        let (old, new) = (token(expiring: 3600, name: "old"), token(expiring: 3600, name: "new"))
        await inbox.publish(row("a"))
        await inbox.accept(old)
        let provider = FakeProvider([old, new])
        let feed = try SuprSendClient.test(
            http: inbox,
            environment: environment(clock: ManualClock()),
            token: { try await provider.token($0) }
        ).feeds.initialize()
        try await feed.fetchCount()
        await inbox.accept(new)
        await inbox.hold("/v1/feed/")
        try await withThrowingTaskGroup { group in
            for _ in 0..<5 { group.addTask { try await feed.resetBadgeCount() } }
            group.addTask { _ = try await feed.fetchDetails("a") }
            // All six are refused before the first answer arrives.
            await inbox.wait(for: "/v1/feed/", 7)
            await inbox.release()
            try await group.waitForAll()
        }
        #expect(await provider.asked == [nil, old])
        #expect(await inbox.requests.count == 1 + 6 + 6)
    }

    @Test("A token that has expired or is refused is not used while its source fails, which is the reason then")
    func outage() async throws {
        let clock = ManualClock()
        let outage = SuprSendError(.unreachable, "app.example.com answered with status 503.")
        let isAnswering = Mutex(true)
        let text = token(expiring: 60)
        let source = try UserTokenSource(
            provider: { _ in if isAnswering.withLock({ $0 }) { token(expiring: 60) } else { throw outage } },
            token: nil,
            user: "user-1",
            context: RequestContext.test(
                environment: ClientEnvironment(
                    now: { base.date.addingTimeInterval(clock.now.offset / .seconds(1)) },
                    clock: clock,
                    jitter: { 0 }
                )
            )
        )
        #expect(try await source.current()?.rawValue == text)
        isAnswering.withLock { $0 = false }
        clock.advance(by: .seconds(40))
        // It lasts for a while.
        #expect(try await source.current()?.rawValue == text)
        await #expect(throws: outage) { try await source.replacement(for: text) }
        clock.advance(by: .seconds(25))
        await #expect(throws: outage) { try await source.current() }
        isAnswering.withLock { $0 = true }
        clock.advance(by: .seconds(5))
        #expect(try await source.current() != nil)
    }

    @Test("A short-lived token and one that is refused again cause no loop")
    func noLoop() throws {
        let now = base.date
        func after(_ seconds: TimeInterval) -> Date { now.addingTimeInterval(seconds) }
        var refresh = TokenRefresh<UserToken, SuprSendError>()
        #expect(refresh.isDue(now: now, uptime: .zero))
        refresh.provided(try UserToken(token(expiring: 100)), uptime: .zero)
        #expect(!refresh.isDue(now: after(69), uptime: .seconds(69)))
        #expect(refresh.isDue(now: after(70), uptime: .seconds(70)))
        // The first token may be refused at once: it may come from a file.
        #expect(refresh.isDue(rejected: refresh.token?.rawValue, uptime: .zero))
        #expect(!refresh.isDue(rejected: "an older one", uptime: .zero))
        // A lifetime shorter than the margin does not cause a refresh before each request.
        refresh.provided(try UserToken(token(expiring: 110)), uptime: .seconds(100))
        #expect(!refresh.isDue(now: after(100), uptime: .seconds(104)))
        #expect(!refresh.isDue(rejected: refresh.token?.rawValue, uptime: .seconds(104)))
        #expect(refresh.isDue(now: after(100), uptime: .seconds(105)))
        // Without an expiry, a token is refreshed only after a refusal.
        refresh = TokenRefresh<UserToken, SuprSendError>()
        refresh.provided(nil, uptime: .zero)
        #expect(!refresh.isDue(now: after(1e6), uptime: .seconds(1_000_000)))
        #expect(refresh.isDue(rejected: nil, uptime: .seconds(1)))
        // A failure is not repeated at once.
        refresh.failed(SuprSendError(.unauthorized, "no"), uptime: .seconds(10))
        #expect(!refresh.isDue(now: now, uptime: .seconds(14)))
        #expect(refresh.isDue(now: now, uptime: .seconds(15)))
    }

    @Test("After a refusal or a failure, a request of the user asks the provider at once") func renewal() throws {
        let now = base.date
        var refresh = TokenRefresh<UserToken, SuprSendError>()
        refresh.provided(try UserToken(token(expiring: 10_000)), uptime: .zero)
        let refused = refresh.token?.rawValue
        // A token that the service accepts stays.
        refresh.renew()
        #expect(!refresh.isDue(now: now, uptime: .seconds(1)))
        refresh.refused(refused)
        refresh.provided(try UserToken(token(expiring: 10_000)), uptime: .seconds(1))
        refresh.refused("an older one")
        #expect(!refresh.isDue(now: now, uptime: .seconds(2)))
        refresh.renew()
        #expect(refresh.isDue(now: now, uptime: .seconds(2)))
        #expect(refresh.isDue(rejected: refused, uptime: .seconds(2)))
        refresh.provided(try UserToken(token(expiring: 20_000)), uptime: .seconds(2))
        #expect(!refresh.isDue(now: now, uptime: .seconds(3)))
        refresh.renew()
        #expect(!refresh.isDue(now: now, uptime: .seconds(3)))
        refresh.failed(SuprSendError(.unauthorized, "no"), uptime: .seconds(10))
        refresh.renew()
        #expect(refresh.isDue(now: now, uptime: .seconds(10)))
    }
}
