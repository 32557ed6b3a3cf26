import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Sandbox
import Subprocess
import TestSupport
import Testing

/// Commands for a key of the desktop: they need no argument, or do one of two things.
@Suite(.sessionBus, .builtAgent(), .timeLimit(.minutes(5))) struct TogglePauseTests {
    private let sandbox = Sandbox.current
    private let agent = BuiltAgent.current

    @Test("pause toggle pauses popups, and resumes them") func toggle() async throws {
        for isPaused in [true, false, true] {
            let outcome = try await Programs.run("feedbell", ["pause", "toggle", "--json"])
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
            #expect(outcome.output == "{\"paused\":\(isPaused),\"paused_until\":0}\n", "\(outcome.errors)")
            #expect(try await agent.root.get(AgentRoot.paused) == isPaused)
        }
        let mistake = try await Programs.run("feedbell", ["pause", "togle"])
        #expect(mistake.status == .exited(64))
    }

    @Test("open without an id opens the newest unread notification, also if an older one is pinned") func newest()
        async throws
    {
        let nothing = try await Programs.run("feedbell", ["open"])
        #expect(nothing.status == .exited(5) && nothing.errors == "feedbell: Nothing is unread.\n")
        // Otherwise some may have the same millisecond.
        let start = Int64(Date().timeIntervalSince1970) * 1000 - 10_000
        func publish(_ number: Int64, isPinned: Bool = false) async throws -> String {
            try await sandbox.publish([
                "header": .string("No. \(number)"), "url": .string("https://example.com/\(number)"),
                "is_pinned": .bool(isPinned), "created_on": .integer(start + number),
            ])
        }
        _ = try await publish(1, isPinned: true)
        _ = try await publish(2)
        let newest = try await publish(3)
        try await agent.waitForList(count: 3)
        #expect(try await Programs.run("feedbell", ["open"]).status == .exited(0))
        #expect(try await agent.opened.next().first == "https://example.com/3")
        try await agent.waitForRequest("interacted", of: newest)
        #expect(try await Programs.run("feedbell", ["open"]).status == .exited(0))
        #expect(try await agent.opened.next().first == "https://example.com/2")
    }
}
