import AgentInterface
import DBus
import FoundationEssentials
import NotificationTerminal
import Sandbox
import TestSupport
import Testing

/// The built agent and a service whose times may be any 64-bit number.
@Suite(.sessionBus, .sandbox(users: ["anna"]), .timeLimit(.minutes(2))) struct ExtremeTimesTests {
    private let sandbox = Sandbox.current

    private static let stores = """
        [[accounts.work.stores]]
        id = "all"
        [[accounts.work.stores]]
        id = "promo"
        categories = ["promo"]

        """

    @Test("Extreme times of notifications end no agent and hide nothing, live or missed")
    func twoRuns() async throws {
        let account = AgentConfiguration.account()
        try await TemporaryFile.with(account + Self.stores) { file in
            try await withBus { bus in
                let server = TerminalServer(bus: bus)
                try await server.serving { try await run(twice: file, server) }
            }
        }
    }

    private func run(
        twice file: TemporaryFile,
        _ server: TerminalServer
    ) async throws {
        func publish(_ name: String, _ created: Int64) async throws {
            let fields: JSON = [
                "header": .string(name), "text": "x", "n_category": "promo", "created_on": .integer(created),
            ]
            try await sandbox.publish(fields, to: Recipient("anna"))
        }
        func popup() async throws -> RecordedNotification { try #require(await server.notifications.next()) }

        var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
        try await BuiltAgent.keepingState(beside: file) { agent in
            try await agent.account.wait(AgentAccount.state, is: "online")
            try await sandbox.waitForConnection()
            let times = ["lowest": .min, "highest": .max, "micro": now * 1_000, "nano": now * 1_000_000, "usual": now]
            for (name, created) in times.sorted(by: { $0.key < $1.key }) {
                try await publish(name, created)
                let popup = try await popup()
                #expect(popup.summary == name)
                // The agent knows then that the last of them was shown, too.
                if name == "usual" { try await server.invoke(id: popup.id) }
            }
            _ = try await sandbox.waitForRequest { $0.path.hasSuffix("/interacted") }
        }
        try await publish("missed", now)
        try await publish("future", .max - 1)
        // One popup each, and then none but the last one.
        try await BuiltAgent.keepingState(beside: file) { agent in
            let missed = [try await popup().summary, try await popup().summary]
            #expect(missed.sorted() == ["future", "missed"])
            try await agent.account.wait(AgentAccount.state, is: "online")
            try await publish("last", now)
            #expect(try await popup().summary == "last")
        }
    }
}
