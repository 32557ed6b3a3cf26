import DBus
import Testing

@testable import Agent

/// What is opened once for many requests.
@Suite struct RecentOpeningsTests {
    @Test("Requests up to a second after an opening share its result, of the same kind only") func shared() throws {
        let inbox = RecentOpenings.Opening.terminal(.inbox(account: nil))
        var openings = RecentOpenings()
        #expect(openings.result(of: inbox, requestedAt: .zero) == nil)
        openings.record(.success(()), of: inbox, at: .seconds(10))
        for time in [Duration.zero, .seconds(10), .milliseconds(10_999)] {
            #expect(throws: Never.self) { try #require(openings.result(of: inbox, requestedAt: time)).get() }
        }
        #expect(openings.result(of: inbox, requestedAt: .seconds(11)) == nil)
        #expect(openings.result(of: .terminal(.doctor), requestedAt: .seconds(10)) == nil)
        #expect(openings.result(of: .page("https://example.com/"), requestedAt: .seconds(10)) == nil)
    }

    @Test("A failure is the result of the requests that waited for it, too") func failure() throws {
        var openings = RecentOpenings()
        openings.record(.failure(DBusError(.failed, "no terminal")), of: .terminal(.doctor), at: .seconds(5))
        let known = try #require(openings.result(of: .terminal(.doctor), requestedAt: .seconds(1)))
        #expect(throws: DBusError(.failed, "no terminal")) { try known.get() }
    }
}
