import AgentInterface
import DBus
import Sandbox
import TestSupport
import Testing

/// Mutes and popups without texts in the built window.
@Suite(
    .sessionBus,
    .builtAgent(),
    .timeLimit(.minutes(5)),
    .enabled(if: WindowScreen.isBuilt, "libadwaita is not installed")
) struct MuteWindowTests {
    private let agent = BuiltAgent.current

    private func with(_ body: (WindowScreen) async throws -> Void) async throws {
        let one: JSON = ["header": "One", "text": "x", "n_category": "refund-news"]
        try await WindowScreen.with(notifications: [one], body)
    }

    /// Opens the menu of the row, and selects an item.
    private func openMenu(_ screen: WindowScreen, at item: String) async throws {
        try await screen.key("Right", until: { $0.name.hasPrefix("More actions") })
        try await screen.key("Return")
        try await screen.wait { $0.contains { $0.role == "menu item" && $0.has(.focused) } }
        try await screen.key("Up", until: { $0.role == "menu item" && $0.name == item })
    }

    @Test("The menu of a row mutes its category, the row says so, and a switch of the settings unmutes it")
    func mute() async throws {
        try await with { screen in
            try await openMenu(screen, at: "Mute \"refund-news\"")
            try await screen.key("Return")
            try await screen.key("Down", until: { $0.role == "menu item" && $0.name == "Until I Unmute It" })
            try await screen.hear("\"refund-news\" is muted.") { try await screen.key("Return") }
            try await agent.account.wait(AgentInbox.hiddenUnread, is: ["": 1])
            try await screen.wait { $0.contains { $0.role == "list item" && $0.name.hasPrefix("Unread, Muted, One") } }
            try await screen.keepPicture("muted")
            try await screen.key("ctrl+comma")
            try await screen.openPage("Settings")
            try await screen.toggle("account \"work\", category \"refund-news\", Muted")
            try await agent.account.wait(AgentInbox.hiddenUnread, is: [:])
            try await screen.waitForNo("account \"work\", category \"refund-news\"")
        }
    }

    @Test("Control+Z takes a mute back") func undo() async throws {
        try await with { screen in
            try await openMenu(screen, at: "Mute \"refund-news\"")
            try await screen.key("Return")
            try await screen.key("Down", until: { $0.role == "menu item" && $0.name == "For 1 Hour" })
            try await screen.key("Return")
            try await agent.account.wait(AgentInbox.hiddenUnread, is: ["": 1])
            try await screen.wait(for: "is muted until")
            try await screen.hear("No longer muted.") { try await screen.key("ctrl+z") }
            try await agent.account.wait(AgentInbox.hiddenUnread, is: [:])
            #expect(try await agent.root.call(AgentRoot.rules).isEmpty)
        }
    }

    @Test("The menu of a muted row unmutes it") func unmute() async throws {
        var conditions = RuleConditionsRecord()
        conditions.category = ["refund*"]
        _ = try await agent.root.call(AgentRoot.mute, conditions.values, 0)
        try await with { screen in
            try await openMenu(screen, at: "Unmute")
            try await screen.hear("No longer muted.") { try await screen.key("Return") }
            try await agent.account.wait(AgentInbox.hiddenUnread, is: [:])
            #expect(try await agent.root.call(AgentRoot.rules).isEmpty)
        }
    }

    @Test("The main menu hides the texts of popups, and shows them again") func hiddenTexts() async throws {
        try await with { screen in
            for (isHidden, sentence) in [(true, "Popups hide their texts."), (false, "Popups show their texts.")] {
                try await screen.key("F10")
                try await screen.hear(sentence) { try await screen.choose("Hide Texts of Popups") }
                try await agent.root.wait(AgentRoot.textHidden, is: isHidden)
                try await screen.keepPicture("hidden-texts-\(isHidden)")
            }
        }
    }

    @Test("A rule is made, tried and saved in the settings") func rule() async throws {
        try await with { screen in
            try await screen.key("ctrl+comma")
            try await screen.openPage("Settings")
            try await screen.activate("Add a Rule")
            try await screen.fill("Category", "refund*")
            try await screen.activate("Try It with the Newest Notifications")
            try await screen.wait(for: "It matches 1 of the newest notifications.")
            try await screen.toggle("Count Unread Ones")
            try await screen.keepPicture("rule")
            try await screen.activate("Save")
            try await agent.account.wait(AgentInbox.hiddenUnread, is: ["": 1])
            try await screen.wait(for: "category \"refund*\"")
        }
    }

    @Test("The menu of a row opens its category in the preferences") func preferences() async throws {
        try await with { screen in
            try await openMenu(screen, at: "Preferences of \"refund-news\"")
            try await screen.key("Return")
            try await screen.waitForFocus(where: { $0.role == "list item" && $0.name.contains("Refund") })
        }
    }
}
