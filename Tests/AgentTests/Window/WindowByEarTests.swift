import AgentInterface
import DBus
import Glibc
import Sandbox
import TestSupport
import Testing

/// What a screen reader says of the built window beside the row with the focus.
@Suite(
    .sessionBus,
    .builtAgent(),
    .timeLimit(.minutes(5)),
    .enabled(if: WindowScreen.isBuilt, "libadwaita is not installed")
) struct WindowByEarTests {
    private let sandbox = Sandbox.current
    private let agent = BuiltAgent.current

    /// Shows the window with the notifications "Nr 3" to "Nr 1".
    private func with(_ body: (WindowScreen) async throws -> Void) async throws {
        let now = SandboxTrait.realTime()
        let all: [JSON] = (1...3).map { number in
            let created = now - Int64(4 - number) * 1000
            return ["header": .string("Nr \(number)"), "text": "x", "created_on": .integer(created)]
        }
        try await sandbox.perform(.publish(all))
        try await agent.waitForList(count: 3)
        try await WindowScreen.with { screen in
            try await screen.wait(rows: 3)
            try await screen.waitForFocusedRow()
            try await body(screen)
        }
    }

    private func isRow(_ number: Int) -> (ScreenElement) -> Bool {
        { $0.role == "list item" && $0.name.contains("Nr \(number),") }
    }

    @Test("Each action says what it has done, how to undo it, and the row that is next") func actions() async throws {
        try await with { screen in
            try await screen.hear("1 notification marked as read") { try await screen.key("r") }
            try await screen.hear("1 notification marked as unread") { try await screen.key("u") }
            try await screen.hear("1 notification archived\nPress Control+Z to undo.\nUnread, Nr 2,") {
                try await screen.key("e")
            }
            try await screen.hear("1 archived notification is back.\nUnread, Nr 3,") { try await screen.key("ctrl+z") }
            try await screen.hear("Snoozed until ") { try await screen.key("z") }
            try await screen.hear("2 selected") { try await screen.key("ctrl+a") }
        }
    }

    @Test("What was said is no part of a row afterwards") func description() async throws {
        try await with { screen in
            try await screen.hear("1 notification marked as read") { try await screen.key("r") }
            try await screen.key("Down")
            try await screen.waitForFocus(where: isRow(2))
            try await screen.key("Up")
            let row = try await screen.waitForFocus(where: isRow(3))
            #expect(try await row.proxy.get(Accessible.description) == "")
        }
    }

    @Test("A button with an icon says its label once") func tooltips() async throws {
        try await with { screen in
            for name in ["Select notifications", "Search", "Main menu", "More actions: Nr 3"] {
                let buttons = try await screen.wait { $0.contains { $0.name == name } }.filter { $0.name == name }
                for button in buttons { #expect(try await button.proxy.get(Accessible.description) != name) }
            }
        }
    }

    @Test("An agent that ends is said") func lostAgent() async throws {
        try await with { screen in
            try await screen.hear("Feedbell has stopped. Press Start to get notifications again.") {
                agent.program.send(SIGTERM)
            }
        }
    }

    @Test("The keys are rows with a name, which can be reached") func keys() async throws {
        try await with { screen in
            try await screen.key("F1")
            try await screen.focus("Keyboard Shortcuts")
            try await screen.waitForFocus(where: { $0.role == "list item" && $0.name.hasPrefix("Open its link, ") })
            try await screen.key("Down", until: { $0.name == "Mark as read, R" })
            try await screen.keepPicture("shortcuts")
            try await screen.key("Escape")
            try await screen.waitForNo("Mark as read, R")
            try await screen.focus("Feedbell")
            try await screen.waitForFocus(where: { $0.role == "list item" })
        }
    }

    @Test("Preferences that are opened say their tab, once, and their search has a name") func tab() async throws {
        try await WindowScreen.with { screen in
            try await screen.wait(for: "No Notifications")
            try await screen.movePointerAway()
            for _ in 1...2 {
                try await screen.focus("Feedbell")
                let focused = try await screen.focusEvents {
                    try await screen.key("ctrl+comma")
                    try await screen.wait(for: "Refund news")
                    try await screen.focus("Preferences")
                    try await screen.waitForFocus(where: { $0.role == "tab" && $0.name == "work: Notifications" })
                }
                #expect(focused.count { $0.role == "tab" } == 1)
                let nameless = try await screen.elements().filter { element in
                    element.name.hasPrefix("Gtk") && ["button", "search"].contains { element.role.contains($0) }
                }
                #expect(nameless.isEmpty, "\(nameless.map(\.role))")
                try await screen.key("Escape")
                try await screen.waitForNo("Refund news")
            }
        }
    }

    @Test("A row of the preferences says its value, and its category") func values() async throws {
        try await WindowScreen.with { screen in
            try await screen.wait(for: "No Notifications")
            try await screen.key("ctrl+comma")
            try await screen.wait(for: "Refund news")
            try await screen.focus("Preferences")
            try await screen.key("Tab", until: { $0.name == "Maintenance" && $0.role == "list item" })
            let fixed = try #require(try await screen.focused())
            let text = try await fixed.proxy.get(Accessible.description)
            #expect(text.hasPrefix("On\n") && text.hasSuffix("Cannot be switched off."))
            try await screen.key("Tab", until: { $0.name == "Builds" && $0.role == "list item" })
            let row = try #require(try await screen.focused())
            #expect(try await row.proxy.get(Accessible.description).hasPrefix("Off"))
            #expect(!row.has(.expanded))
            try await screen.key("Return")
            try await screen.wait { $0.contains { $0.name == "Builds" && $0.has(.expanded) } }
            try await screen.key("Down", until: { $0.name == "Inbox, Builds" })
            let channel = try #require(try await screen.focused())
            #expect(try await channel.proxy.get(Accessible.description) == "Off")
            try await screen.key("Return")
            try await waiting(for: "On", every: .milliseconds(20)) {
                try await channel.proxy.get(Accessible.description)
            } until: {
                $0 == "On"
            }
            try await screen.wait { $0.contains { $0.name == "Inbox, Builds" && $0.isSwitch && $0.has(.checked) } }
        }
    }
}
