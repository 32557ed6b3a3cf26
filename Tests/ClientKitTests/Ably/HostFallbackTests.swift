import Testing

@testable import ClientKit

@Suite("Ably's fallback hosts")
struct HostFallbackTests {
    private static let hosts = HostFallback.Hosts(
        primary: "wss://p.example",
        fallbacks: ["wss://a.example", "wss://b.example", "wss://c.example"],
        internetCheck: "https://up.example"
    )

    private static func check(
        _ step: HostFallback.Step,
        _ expected: HostFallback.Step,
        location: SourceLocation = #_sourceLocation
    ) {
        #expect(step == expected, sourceLocation: location)
    }

    @Test("After the primary host fails and the internet is up, each fallback host is tried once, in random order")
    func order() {
        var fallback = HostFallback(Self.hosts)
        Self.check(fallback.startOver(), .connect(to: "wss://p.example"))
        Self.check(fallback.failed(), .checkInternet("https://up.example"))
        // The last, the first of two, and the one that is left.
        var numbers = [1.0, 0, 0.5]
        Self.check(
            fallback.checked(isOnline: true, random: { numbers.removeFirst() }),
            .connect(to: "wss://c.example")
        )
        Self.check(fallback.failed(), .connect(to: "wss://a.example"))
        Self.check(fallback.failed(), .connect(to: "wss://b.example"))
        Self.check(fallback.failed(), .wait)
        Self.check(fallback.startOver(), .connect(to: "wss://p.example"))
    }

    @Test("Without the internet no other host is tried") func offline() {
        var fallback = HostFallback(Self.hosts)
        _ = fallback.startOver()
        _ = fallback.failed()
        Self.check(fallback.checked(isOnline: false, random: { 0 }), .wait)
        Self.check(fallback.startOver(), .connect(to: "wss://p.example"))
        Self.check(fallback.failed(), .checkInternet("https://up.example"))
    }

    @Test("An answer that was not asked for changes nothing") func unexpected() {
        var fallback = HostFallback(Self.hosts)
        _ = fallback.startOver()
        Self.check(fallback.checked(isOnline: true, random: { 0 }), .wait)
        Self.check(fallback.failed(), .checkInternet("https://up.example"))
        Self.check(fallback.failed(), .wait)
    }

    @Test("Random numbers outside their range choose a host all the same", arguments: [-1.0, 0, 0.999, 1, 7])
    func bounds(number: Double) {
        var fallback = HostFallback(Self.hosts)
        _ = fallback.startOver()
        _ = fallback.failed()
        var tried: Set<String> = []
        var step = fallback.checked(isOnline: true, random: { number })
        while case .connect(let host) = step {
            tried.insert(host)
            step = fallback.failed()
        }
        #expect(tried == Set(Self.hosts.fallbacks))
    }

    @Test("Ably's own hosts have fallback hosts, and others have none")
    func knownHosts() {
        let old = HostFallback.Hosts(of: "wss://realtime.ably.io")
        #expect(old.fallbacks.first == "wss://a.ably-realtime.com" && old.fallbacks.count == 5)
        let new = HostFallback.Hosts(of: "wss://main.realtime.ably.net")
        #expect(new.fallbacks.last == "wss://main.e.fallback.ably-realtime.com" && new.fallbacks.count == 5)
        let rest = HostFallback.Hosts(of: "https://rest.ably.io")
        #expect(rest.fallbacks.first == "https://a.ably-realtime.com" && rest.fallbacks.count == 5)
        var own = HostFallback(HostFallback.Hosts(of: "wss://ably.example"))
        Self.check(own.startOver(), .connect(to: "wss://ably.example"))
        Self.check(own.failed(), .wait)
    }
}
