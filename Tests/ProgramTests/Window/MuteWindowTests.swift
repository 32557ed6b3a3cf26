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
            try await screen.openPage("Rules")
            try await screen.toggle("refund-news (work): no popups, Muted")
            try await agent.account.wait(AgentInbox.hiddenUnread, is: [:])
            try await screen.waitForNo("refund-news (work): no popups")
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

    /// Waits until the bell's menu is closed, and the bell has the focus and this name.
    private func waitForBell(_ screen: WindowScreen, _ name: String) async throws {
        try await screen.wait { elements in
            !elements.contains { $0.role.hasSuffix("menu item") }
                && elements.contains { $0.name.hasPrefix(name) && $0.has(.focused) }
        }
    }

    @Test("The bell of the header pauses popups and shows them again, and says which it is") func pause() async throws {
        try await with { screen in
            try await screen.click(screen.wait(for: "Popups are shown"))
            try await screen.choose("Pause for an Hour")
            try await agent.root.wait(AgentRoot.paused, is: true)
            try await waitForBell(screen, "Popups are paused until ")
            try await screen.keepPicture("paused")
            try await screen.key("space")
            try await screen.choose("Show Popups")
            try await agent.root.wait(AgentRoot.paused, is: false)
            try await waitForBell(screen, "Popups are shown")
            try await screen.key("space")
            try await screen.choose("Show Popups")
            try await screen.wait(for: "Popups are paused")
        }
    }

    @Test("An inbox that is empty but for a snooze shows and says what pops up again, and when") func snooze()
        async throws
    {
        try await with { screen in
            try await screen.key("Menu")
            try await screen.key("Up", until: { $0.role == "menu item" && $0.name == "Snooze" })
            try await screen.key("Return")
            try await screen.key("Down", until: { $0.role == "menu item" && $0.name == "Until Tomorrow Morning" })
            let next = "Next: \"One\", tomorrow, 9:00"
            try await screen.hear(next) { try await screen.key("Return") }
            try await screen.wait { elements in elements.contains { $0.role == "label" && $0.name.contains(next) } }
            try await screen.keepPicture("snoozed")
        }
    }

    @Test("A rule is made in a dialog that says at once what it matches, and saves it when it does something")
    func rule() async throws {
        try await with { screen in
            try await screen.key("ctrl+comma")
            try await screen.openPage("Rules")
            try await screen.activate("Add a Rule")
            try await screen.wait(for: "This matches 1 of your newest notifications.")
            func canSave(_ elements: [ScreenElement]) -> Bool {
                elements.contains { $0.role.contains("button") && $0.name == "Save" && $0.has(.sensitive) }
            }
            #expect(!canSave(try await screen.elements()))
            try await screen.fill("Words in the Title", "Two")
            try await screen.wait(for: "This matches none of your newest notifications.")
            try await screen.fill("Words in the Title", "On")
            try await screen.wait(for: "This matches 1 of your newest notifications.")
            try await screen.fill("From", "late")
            try await screen.wait(for: "\"late\" is not a valid time")
            try await screen.fill("From", "")
            try await screen.toggle("Count Unread Ones")
            try await screen.wait(until: canSave)
            try await screen.keepPicture("rule")
            try await screen.press("Save")
            try await agent.account.wait(AgentInbox.hiddenUnread, is: ["": 1])
            try await screen.wait(for: "\"On\" in the title: not counted")
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
