import AgentInterface
import DBus
import Sandbox
import TestSupport
import Testing

/// The built window with the inboxes of two accounts.
@Suite(
    .sessionBus,
    .sandbox(users: ["anna", "bob"]),
    .timeLimit(.minutes(5)),
    .enabled(if: WindowScreen.isBuilt, "libadwaita is not installed")
) struct SeveralAccountsWindowTests {
    @Test("Keys work in the list, although the rows of a faster account make way for newer ones") func focus()
        async throws
    {
        let sandbox = Sandbox.current
        // Each has a page at least, so that the older ones are listed only until the newer ones are there.
        let now = SandboxTrait.realTime()
        for (user, age) in [("anna", 2_000), ("bob", 1_000)] as [(String, Int64)] {
            let all: [JSON] = (1...60).map { number in
                let created = now - (age - Int64(number)) * 1000
                return ["header": .string("\(user) \(number)"), "text": "x", "created_on": .integer(created)]
            }
            try await sandbox.perform("publish", ["notifications": .array(all), "user": .string(user)])
        }
        let text = AgentConfiguration.account() + AgentConfiguration.account("other", user: "bob")
        try await BuiltAgent.with(text) { agent in
            for name in ["work", "other"] {
                try await agent.account(name).wait(AgentInbox.totalCount, is: 60)
            }
            try await WindowScreen.with { screen in
                try await screen.wait(for: "bob 60,", role: "list item")
                try await screen.waitForFocusedRow()
                while try await !screen.rows().contains(where: { $0.contains(" anna 1,") }) {
                    try await screen.key("End")
                }
            }
        }
    }
}
