import DBus
import TestSupport
import Testing

@testable import Agent

@Suite(.sessionBus, .timeLimit(.minutes(5))) struct ProxyResolverPortalTests {
    private static let url = "https://example.com/"

    @Test("The portal's answer is that for the URL, in its order", arguments: [["http://p:1", "direct://"], []])
    func answer(proxies: [String]) async throws {
        try await ProxyPortal.with { url in
            guard url == Self.url else { throw DBusError(.failed, "Another URL: \(url)") }
            return proxies
        } _: { () async throws in
            #expect(try await withBus { await ProxyResolverPortal.proxies(for: Self.url, on: $0) } == proxies)
        }
    }

    @Test("Without a portal, or with an error of it, there is no answer") func noAnswer() async throws {
        #expect(try await withBus { await ProxyResolverPortal.proxies(for: Self.url, on: $0) } == nil)
        try await ProxyPortal.with { _ in
            throw DBusError(.failed, "No.")
        } _: { () async throws in
            #expect(try await withBus { await ProxyResolverPortal.proxies(for: Self.url, on: $0) } == nil)
        }
    }

    @Test("The answer of the portal is waited for at most two seconds") func silence() async throws {
        try await ProxyPortal.with { _ in
            for await _ in AsyncStream<Void>.makeStream().stream {}
            return []
        } _: { () async throws in
            let clock = ManualClock()
            try await withBus(clock: clock) { bus in
                async let answer = ProxyResolverPortal.proxies(for: Self.url, on: bus)
                await clock.sleeper(for: .seconds(2))
                clock.advance(by: .seconds(2))
                #expect(await answer == nil)
            }
        }
    }
}
