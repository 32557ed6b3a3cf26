import AgentInterface
import AgentTestSupport
import DBus
import Sandbox
import TestSupport
import Testing

/// Popups of a session that GNOME Shell, simulated by python-dbusmock, locks.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct LockedScreenTests {
    @Test("With locked = \"hold\", nothing pops up while the session is locked, and one summary afterwards")
    func hold() async throws {
        let critical = "critical_categories = [\"promo\"]\n"
        try await Self.withScreenSaver { saver, server in
            try await InProcessAgent.with(popups: "[popups]\nlocked = \"hold\"\n" + critical) { agent in
                let signals = try await agent.account.signals(of: AgentInbox.self)
                try await Self.lock(true, saver)
                try await agent.root.wait(AgentRoot.heldBack, is: ["locked"])
                for number in 1...2 {
                    try await agent.service().arrive(.sample("n\(number)", title: "Nr \(number)"))
                }
                let arrived = try await signals.next { try AgentInbox.notificationArrived.decode($0)?.0 == "n2" }
                #expect(arrived != nil)
                try await Self.lock(false, saver)
                #expect(await server.notifications.next()?.summary == "2 new notifications")
                #expect(await server.calls.count == 1)
                try await agent.root.wait(AgentRoot.heldBack, is: [])
            }
        }
    }

    @Test("A change of the configuration applies to the locked session") func reload() async throws {
        try await Self.withScreenSaver { saver, server in
            try await InProcessAgent.with(popups: "[popups]\nlocked = \"hold\"\n") { agent in
                let signals = try await agent.account.signals(of: AgentInbox.self)
                try await Self.lock(true, saver)
                try await agent.root.wait(AgentRoot.heldBack, is: ["locked"])
                try await agent.service().arrive(.sample("n1", title: "secret"))
                _ = try await signals.next { try AgentInbox.notificationArrived.decode($0)?.0 == "n1" }
                try agent.configuration.write(InProcessAgent.text(["work"]) + "[popups]\nlocked = \"hide-text\"\n")
                try await agent.root.call(AgentRoot.reload)
                #expect(await server.notifications.next()?.summary == "New notification from work")
            }
        }
    }

    @Test("With locked = \"hold\", open popups are closed while the session is locked, and not seen by that")
    func openPopups() async throws {
        try await Self.withScreenSaver { saver, server in
            try await InProcessAgent.with(popups: "[popups]\nlocked = \"hold\"\n") { agent in
                try await agent.service().arrive(.sample("n1", title: "secret"))
                #expect(await server.notifications.next()?.summary == "secret")
                try await Self.lock(true, saver)
                try await waiting(for: "a closed popup") { await !server.closeCalls.isEmpty }
                try await Self.lock(false, saver)
                #expect(await server.notifications.next()?.summary == "secret")
                #expect(try await agent.account.get(AgentInbox.unseenCount) == 1)
            }
        }
    }

    private static func withScreenSaver(_ body: (DBusMock, TerminalServer) async throws -> Void) async throws {
        let arguments = ["--template", "gnome_screensaver"]
        try await DBusMock.running(arguments, name: "org.gnome.ScreenSaver", on: SessionBus.address) { saver in
            try await withBus { bus in
                let server = TerminalServer(bus: bus)
                try await server.serving { try await body(saver, server) }
            }
        }
    }

    private static func lock(_ isLocked: Bool, _ saver: DBusMock) async throws {
        try await saver.call("/org/gnome/ScreenSaver", "org.gnome.ScreenSaver", "SetActive", [.bool(isLocked)])
    }
}
