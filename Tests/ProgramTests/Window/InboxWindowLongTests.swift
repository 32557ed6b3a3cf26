import AgentInterface
import DBus
import Sandbox
import TestSupport
import Testing

/// More notifications in the built window than the agent keeps loaded.
@Suite(
    .sessionBus,
    .timeLimit(.minutes(5)),
    .enabled(if: WindowScreen.isBuilt, "libadwaita is not installed")
) struct InboxWindowLongTests {
    @Test(
        "The key End, again and again, leads to the last of 7,000 notifications, without gaps",
        .sandbox(users: ["anna"])
    )
    func last() async throws {
        let count = 7_000
        for start in stride(from: 0, to: count, by: 700) {
            let rows = (start..<start + 700).map { number in
                TestedService.suprSend.fields(
                    "Nr \(number)",
                    created: .integer(1_700_000_000_000 + Int64(number) * 60_000)
                )
            }
            try await Sandbox.current.execute("publish", ["notifications": .array(rows), "announce": false])
        }
        try await BuiltAgent.with { agent in
            try await agent.account.wait(AgentInbox.totalCount, is: UInt32(count))
            try await WindowScreen.with { screen in
                try await screen.waitForFocusedRow()
                var elements = try await screen.elements()
                while !elements.contains(where: { $0.has(.focused) && $0.name.contains("Nr 0,") }) {
                    #expect(!elements.contains { $0.name.contains("could not be loaded") })
                    for _ in 1...15 { try await screen.key("End", "End", "End", "End") }
                    elements = try await screen.elements()
                }
                try await screen.key("ctrl+a")
                try await screen.wait { $0.contains { $0.name.filter { $0 != "," } == "\(count) selected" } }
            }
        }
    }
}
