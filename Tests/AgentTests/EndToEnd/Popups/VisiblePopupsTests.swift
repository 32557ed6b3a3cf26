import AgentInterface
import Basics
import Sandbox
import TestSupport
import Testing

/// The built agent with a server that shows three popups and reports a further one as expired.
@Suite(.sessionBus, .sandbox(users: ["anna"]), .timeLimit(.minutes(5))) struct VisiblePopupsTests {
    private let sandbox = Sandbox.current

    private func withServer(_ body: (DesktopServer) async throws -> Void) async throws {
        try await withBus { bus in
            let server = DesktopServer(bus: bus, .budgie)
            try await server.start()
            try await BuiltAgent.alone { agent in
                try await agent.account.wait(AgentAccount.state, is: "online")
                try await sandbox.waitForConnection()
                try await body(server)
            }
        }
    }

    @Test("Of twelve notifications at once, Budgie's user sees twelve") func twelve() async throws {
        try await withServer { server in
            for number in 1...12 {
                _ = try await sandbox.publish(["header": .string("Nr \(number)"), "text": "x"])
            }
            _ = await server.popups.next { $0.title == "12 new notifications" }
            try await waiting(for: "one popup", seeing: { await server.titles }) { $0 == ["12 new notifications"] }
        }
    }
}
