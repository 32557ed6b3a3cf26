import AgentInterface
import DBus
import FoundationEssentials
import NotificationTerminal
import Sandbox
import TestSupport
import Testing

/// The built agent and a service whose times may be any 64 bits.
@Suite(.sessionBus, .timeLimit(.minutes(2))) struct OddTimesTests {
    private static let stores = """
        [[accounts.work.stores]]
        id = "all"
        [[accounts.work.stores]]
        id = "promo"
        categories = ["promo"]

        """

    @Test("Times at the limits, live and missed in a tab that is not shown, end no agent and hide nothing (11.8)")
    func twoRuns() async throws {
        try await Sandbox.with(SandboxOptions(users: ["anna"])) { sandbox in
            let account = AgentConfiguration.account("work", user: "anna", url: sandbox.baseURL)
            try await TemporaryFile.with(account + Self.stores) { file in
                try await withBus { bus in
                    let server = TerminalServer(bus: bus, capabilities: TerminalServer.defaultCapabilities)
                    try await server.serving { try await run(twice: file, bus, server, sandbox) }
                }
            }
            #expect(await sandbox.violations.isEmpty)
        }
    }

    private func run(
        twice file: TemporaryFile,
        _ bus: Bus,
        _ server: TerminalServer,
        _ sandbox: Sandbox
    ) async throws {
        func publish(_ name: String, _ created: Int64) async throws {
            let fields: JSON = [
                "header": .string(name), "text": "x", "n_category": "promo", "created_on": .integer(created),
            ]
            try await sandbox.publish(fields, to: Recipient("anna"))
        }
        func popup() async throws -> RecordedNotification { try #require(await server.notifications.next()) }

        var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
        try await AgentProcess.durable(file, bus) { _, account in
            try await account.wait(AgentAccount.state, is: "online")
            _ = try await sandbox.waitForConnection()
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
        try await AgentProcess.durable(file, bus) { _, account in
            let missed = [try await popup().summary, try await popup().summary]
            #expect(missed.sorted() == ["future", "missed"])
            try await account.wait(AgentAccount.state, is: "online")
            try await publish("last", now)
            #expect(try await popup().summary == "last")
        }
    }
}
