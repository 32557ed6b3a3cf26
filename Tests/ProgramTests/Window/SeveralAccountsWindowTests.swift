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
    @Test("The preferences have as many tabs as with one account, with whole titles, and change the chosen account")
    func preferences() async throws {
        let text = AgentConfiguration.account() + AgentConfiguration.account("other", user: "bob")
        try await Catalogues.with { catalogues in
            try await BuiltAgent.with(text) { agent in
                try await agent.account("other").wait(AgentAccount.state, is: "online")
                try await WindowScreen.with(environment: catalogues.environment("de")) { screen in
                    try await screen.openPreferences(titled: "Einstellungen")
                    let tabs = try await screen.elements().filter { $0.role == "tab" }
                    let notifications = "Benachrichti\u{AD}gungen"
                    let titles = [notifications, "Popups", "Ruhezeit", "Regeln", "Konten", "Erweitert"]
                    #expect(Set(tabs.map(\.name)) == Set(titles))
                    try await screen.keepPicture("preferences-several-accounts")
                    var heights: [String: Int] = [:]
                    // The header has tabs, too, which are hidden if they have no room.
                    for label in try await screen.elements() where titles.contains(label.name) && label.role == "label"
                    {
                        let height = try await label.extents()?.height ?? 0
                        heights[label.name] = max(heights[label.name] ?? 0, height)
                    }
                    // Of several lines: in one, it would be cut.
                    #expect(try #require(heights[notifications]) > #require(heights["Popups"]), "\(heights)")
                    try await screen.key("Tab", until: { $0.role == "combo box" || $0.name.hasPrefix("Konto") })
                    try await screen.key("space")
                    try await screen.key("Down")
                    try await screen.key("Return")
                    try await screen.toggle("Refund news")
                    for (name, preference) in [("other", "opt_out"), ("work", "opt_in")] {
                        try await waiting(for: "\(preference) of \(name)", every: .milliseconds(50)) {
                            let categories = try await agent.account(name).call(AgentPreferences.list)
                            return categories.map(CategoryRecord.init).first { $0.id == "refund-news" }?.preference
                        } until: {
                            $0?.rawValue == preference
                        }
                    }
                }
            }
        }
    }

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
            try await sandbox.execute("publish", ["notifications": .array(all), "user": .string(user)])
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
