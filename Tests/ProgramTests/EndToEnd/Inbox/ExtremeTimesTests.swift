import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Sandbox
import TestSupport
import Testing

/// The built agent and a service whose times may be any number, in any unit, or none.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct ExtremeTimesTests {
    @Test(
        "Extreme times of notifications end no agent and hide nothing, live or missed",
        arguments: TestedService.allCases
    )
    func twoRuns(service: TestedService) async throws {
        try await Sandbox.with(service.options) { sandbox in
            let text =
                service.account(at: sandbox.baseURL) + service.tab("all") + service.tab("promo")
                + "[popups]\ngroup_above = 100\n"
            try await TemporaryFile.with(text) { file in
                try await withBus { bus in
                    let server = TerminalServer(bus: bus)
                    try await server.serving { try await run(service, sandbox, twice: file, server) }
                }
            }
            #expect(await sandbox.violations.isEmpty)
        }
    }

    private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

    private static var times: [(name: String, time: JSON)] {
        [
            ("lowest", .integer(.min)), ("highest", .integer(.max)), ("negative", -1), ("zero", 0), ("1970", 1),
            ("2106", 4_294_967_296), ("9999", 253_402_300_799), ("10000", 253_402_300_800),
            ("seconds", .integer(now / 1_000)), ("fraction", .number(Double(now) / 1_000)), ("milli", .integer(now)),
            ("micro", .integer(now * 1_000)), ("nano", .integer(now * 1_000_000)), ("huge", .number(1e300)),
            ("text", "2026-01-01T00:00:00Z"), ("word", "yesterday"), ("none", .null), ("list", []),
        ]
    }

    private func run(
        _ service: TestedService,
        _ sandbox: Sandbox,
        twice file: TemporaryFile,
        _ server: TerminalServer
    ) async throws {
        func publish(_ name: String, _ created: JSON?) async throws {
            try await sandbox.publish(service.fields(name, label: "promo", created: created))
        }
        func popup() async throws -> RecordedNotification { try #require(await server.notifications.next()) }

        try await BuiltAgent.keepingState(beside: file) { agent in
            try await agent.account.wait(AgentAccount.state, is: "online")
            try await sandbox.waitForConnection()
            for (name, created) in Self.times {
                // SuprSend's rows without a valid time are malformed.
                if service == .suprSend, !created.isWholeNumber { continue }
                try await publish(name, created)
                #expect(try await popup().summary == name)
            }
            try await publish("usual", nil)
            let popup = try await popup()
            #expect(popup.summary == "usual")
            // The agent knows then that the last of them was shown, too.
            try await server.invoke(id: popup.id)
            try await sandbox.wait { state in service.rows(in: state).contains(where: \.isClicked) ? true : nil }
            for notification in try await agent.account.call(AgentInbox.list, ["limit": .uint32(100)]) {
                guard case .int64(let created)? = notification["created"] else { continue }
                #expect(created >= 0 && created <= 253_402_300_799_999, "\(notification)")
            }
        }
        try await publish("missed", nil)
        try await publish("future", service == .suprSend ? .integer(.max - 1) : 4_294_967_000)
        // One popup each, and then none but the last one.
        try await BuiltAgent.keepingState(beside: file) { agent in
            let missed = [try await popup().summary, try await popup().summary]
            #expect(missed.sorted() == ["future", "missed"])
            try await agent.account.wait(AgentAccount.state, is: "online")
            try await publish("last", nil)
            #expect(try await popup().summary == "last")
        }
    }
}

extension JSON {
    fileprivate var isWholeNumber: Bool { if case .integer = self { true } else { false } }
}
