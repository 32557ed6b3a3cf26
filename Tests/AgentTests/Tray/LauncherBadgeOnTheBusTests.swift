import Agent
import AgentInterface
import AgentTestSupport
import DBus
import Inbox
import TestSupport
import Testing

/// The badge of the launcher, as docks read it.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct LauncherBadgeOnTheBusTests {
    private func badges(_ bus: Bus) async throws -> AsyncStream<Message> {
        try await bus.signals(matching: MatchRule(interface: LauncherEntry.name))
    }

    private func badge(_ message: Message?) throws -> (String, [String: Value]) {
        let message = try #require(message)
        return try #require(try LauncherEntry.update.decode(message))
    }

    @Test("A dock learns the number of unread notifications, at most once in a second") func counts() async throws {
        let clock = ManualClock()
        try await InProcessAgent.with(environment: AgentEnvironment(clock: clock)) { agent in
            var badges = try await badges(agent.bus).makeAsyncIterator()
            // Before there is a dock.
            try await agent.service().arrive(.sample("n1"))
            try await agent.root.wait(AgentRoot.unreadCount, is: 1)
            _ = try await agent.bus.requestName(LauncherEntry.reader)
            let (uri, contents) = try badge(await badges.next())
            #expect(uri == "application://org.feedbell.Agent.desktop")
            #expect(contents == ["count": .int64(1), "count-visible": .bool(true), "urgent": .bool(false)])
            for number in 2...4 { try await agent.service().arrive(.sample("n\(number)")) }
            try await agent.root.wait(AgentRoot.unreadCount, is: 4)
            await clock.sleeper(for: .seconds(1))
            clock.advance(by: .seconds(1))
            #expect(try badge(await badges.next()).1["count"] == .int64(4))
            let sender = try #require(try await agent.bus.nameOwner(of: AgentNames.busName))
            let entry = Proxy(agent.bus, sender, "/org/feedbell/Agent/LauncherEntry")
            #expect(try await entry.call(LauncherEntry.query).1["count"] == .int64(4))
        }
    }

    @Test("The badge can be sent always, or never") func settings() async throws {
        try await InProcessAgent.with(popups: "[desktop]\nlauncher_badge = \"never\"\n") { agent in
            var badges = try await badges(agent.bus).makeAsyncIterator()
            _ = try await agent.bus.requestName(LauncherEntry.reader)
            try await agent.service().arrive(.sample("n1"))
            try await agent.root.wait(AgentRoot.unreadCount, is: 1)
            try await agent.bus.releaseName(LauncherEntry.reader)
            try await agent.service().arrive(.sample("n2"))
            try await agent.root.wait(AgentRoot.unreadCount, is: 2)
            try agent.configuration.replace(InProcessAgent.text(["work"]) + "[desktop]\nlauncher_badge = \"always\"\n")
            try await agent.root.call(AgentRoot.reload)
            // The first one.
            #expect(try badge(await badges.next()).1["count"] == .int64(2))
        }
    }
}
