import AgentInterface
import Foundation
import ServiceKit
import Services
import TestSupport
import Testing

/// A service is known to its folder, to its client library, and to its stand-in for tests: to nothing else.
@Suite struct ServiceWordsTests {
    /// The targets in which a service may be named.
    private static let places = [
        "SuprSend/", "SocketIO/", "MagicBell/", "Ably/", "Services/", "Sandbox/", "feedbell-sandbox/",
    ]
    /// Terms of the services.
    private static let words = [
        #"\bably"#, "hmac", "user_token", "external.?id", "opt_in", "opt_out", "distinct.?id", "tenant", "workspace",
        "public[_-]key", "hub.?url",
        "api.?url",
        "socket.?url", "token_expired", "entity_id", #"\bn_id"#, "x-ss-", "inboxs.live",
    ]
    /// Terms that the interface on the bus shares with a service, and the digest that names cached files.
    private static let exceptions = [
        "AgentInterface/AgentPreferences.swift": ["opt_in", "opt_out"],
        "Pictures/PictureCache.swift": ["hmac"],
    ]

    /// The files of all targets. A path begins with the target's name.
    private func files() throws -> [(path: String, text: String)] {
        let sources = Checkout.root.appending(path: "Sources")
        let all = try #require(FileManager.default.enumerator(atPath: sources.path))
        return try all.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.map { path in
            let target = path.drop { $0 != "/" }.dropFirst()
            return (String(target), try String(contentsOf: sources.appending(path: path), encoding: .utf8))
        }
    }

    @Test("Nothing outside the services' folder names a service or its words") func words() throws {
        let names = Services.all.flatMap { [$0.description.name, $0.description.title] }
        let files = try files().filter { file in !Self.places.contains { file.path.hasPrefix($0) } }
        #expect(files.count > 100)
        for word in Set(names + Self.words).sorted() {
            let pattern = try Regex(word).ignoresCase()
            for (path, text) in files where Self.exceptions[path]?.contains(word) != true {
                for line in text.split(separator: "\n") where line.contains(pattern) {
                    Issue.record("\(path): \"\(word)\" in \(line)")
                }
            }
        }
    }

    @Test("The list of services is imported by the agent's program, a client library by its folder")
    func imports() throws {
        let pattern = #/(?m)^(?:[a-z@_]+ )*import (\w+)/#
        let allowed = [
            "Services": ["feedbell-agent"], "SuprSend": ["Services"], "SocketIO": ["SuprSend"],
            "MagicBell": ["Services"], "Ably": ["MagicBell"],
            "ServiceKit": ["Services", "Agent", "feedbell-agent"],
        ]
        for (path, text) in try files() {
            let target = path.prefix { $0 != "/" }
            for match in text.matches(of: pattern) {
                guard let importers = allowed[String(match.1)] else { continue }
                #expect(importers.contains(String(target)), "\(path) imports \(match.1)")
            }
        }
    }
}
