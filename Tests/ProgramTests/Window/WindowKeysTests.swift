import AgentInterface
import DBus
import Sandbox
import TestSupport
import Testing

/// Where keys go in the built window: the focus is on a widget that is shown, whatever is removed or hidden.
@Suite(
    .sessionBus,
    .builtAgent(),
    .timeLimit(.minutes(5)),
    .enabled(if: WindowScreen.isBuilt, "libadwaita is not installed")
) struct WindowKeysTests {
    private let sandbox = Sandbox.current
    private let agent = BuiltAgent.current

    /// Shows the window with the notifications "Nr 5" to "Nr 1".
    private func with(_ body: (WindowScreen) async throws -> Void) async throws {
        let all = WindowScreen.numbered(5) { ["n_category": .string("topic-\($0)")] }
        try await WindowScreen.with(notifications: all, body)
    }

    private func isRow(_ number: Int, isSelected: Bool = true) -> (ScreenElement) -> Bool {
        { $0.role == "list item" && $0.name.contains("Nr \(number),") && (!isSelected || $0.has(.selected)) }
    }

    private func openSnoozeMenu(_ screen: WindowScreen) async throws {
        try await screen.key("Right", until: { $0.name.hasPrefix("More actions") })
        try await screen.key("Return")
        try await screen.wait { $0.contains { $0.role == "menu item" && $0.has(.focused) } }
        try await screen.key("Up", until: { $0.role == "menu item" && $0.name == "Snooze" })
        try await screen.key("Return")
        try await screen.key("Down", until: { $0.role == "menu item" && $0.name == "For 1 Hour" })
    }

    @Test("After an item of a menu below another one, keys go to the next row") func submenu() async throws {
        try await with { screen in
            try await openSnoozeMenu(screen)
            try await screen.key("Return")
            try await screen.wait(rows: 4)
            try await screen.waitForFocus(where: isRow(4))
            try await screen.key("Down")
            try await screen.waitForFocus(where: isRow(3))
            try await screen.key("ctrl+f")
            try await screen.waitForFocus(where: { $0.name == "Search all that is kept" })
        }
    }

    @Test("After Escape in a menu below another one, keys go to its row") func leftSubmenu() async throws {
        try await with { screen in
            try await openSnoozeMenu(screen)
            try await screen.key("Escape")
            try await screen.waitForFocus(where: isRow(5))
            try await screen.key("Escape")
            try await screen.key("Down", until: isRow(4))
            try await screen.waitForFocus(where: isRow(4))
        }
    }

    @Test("After a category was chosen in the menu of the header, keys go to its button") func category() async throws {
        try await with { screen in
            let isPlaces = { (element: ScreenElement) in
                element.name.hasPrefix("Choose what is listed: Inbox") && element.role.contains("button")
            }
            let button = try await screen.wait { $0.contains(where: isPlaces) }.first(where: isPlaces)
            try await screen.click(try #require(button))
            try await screen.key("Down", until: { $0.role == "menu item" && $0.name == "Category" })
            try await screen.key("Return")
            try await screen.key("Down", until: { $0.role == "menu item" && $0.name == "topic-2" })
            try await screen.hear("Inbox, topic-2, 1 notification") { try await screen.key("Return") }
            try await screen.wait(rows: 1)
            try await screen.waitForFocus(where: {
                $0.name.hasPrefix("Choose what is listed: Inbox, topic-2") && $0.role.contains("button")
            })
            try await screen.key("Escape")
            try await screen.wait(rows: 5)
        }
    }

    @Test("What takes the place of an archived row is selected, and has the focus") func successor() async throws {
        try await with { screen in
            try await screen.key("Down", until: isRow(3))
            try await screen.waitForFocus(where: isRow(3))
            try await screen.key("e")
            try await screen.wait(rows: 4)
            try await screen.waitForFocus(where: isRow(2))
            try await screen.key("e")
            try await screen.wait(rows: 3)
            try await screen.waitForFocus(where: isRow(1))
            // After the last one, the one above it.
            try await screen.key("e")
            try await screen.wait(rows: 2)
            try await screen.waitForFocus(where: isRow(4))
        }
    }

    @Test("Keys act on the row with the focus, not on another one that is selected") func focusedRow() async throws {
        try await with { screen in
            try await screen.key("Down", until: isRow(4))
            try await screen.waitForFocus(where: isRow(4))
            try await screen.key("ctrl+Down")
            try await screen.wait { $0.contains { isRow(3, isSelected: false)($0) && $0.has(.focused) } }
            try await screen.key("e")
            let rows = try await screen.wait(rows: 4)
            #expect(rows.contains { $0.contains("Nr 4,") } && !rows.contains { $0.contains("Nr 3,") })
            try await screen.waitForFocus(where: isRow(2))
        }
    }

    @Test("A row is seen only while keys go to the window") func seen() async throws {
        try await WindowScreen.with { screen in
            try await screen.wait(for: "No Notifications")
            try await screen.openPreferences()
            let id = try await sandbox.publish(["header": "One", "text": "x"])
            try await screen.wait { $0.contains { $0.role == "list item" && $0.name.contains("One, ") } }
            // Longer than the second after which rows on the screen count as seen.
            try await Task.sleep(for: .seconds(3))
            let list = try await agent.account.call(AgentInbox.list, [:]).map { NotificationRecord($0) }
            #expect(list.map(\.id) == [id] && list.map(\.seen) == [0])
            try await screen.focus("Feedbell")
            try await sandbox.wait { state in
                TestedService.suprSend.rows(in: state).allSatisfy { $0.isSeen } ? true : nil
            }
        }
    }

    // MARK: Preferences

    @Test("The preferences take keys each time they are opened") func reopening() async throws {
        try await WindowScreen.with { screen in
            try await screen.wait(for: "No Notifications")
            try await screen.movePointerAway()
            for _ in 1...3 {
                try await screen.focus("Feedbell")
                try await screen.openPreferences()
                try await screen.waitForFocus(where: { _ in true })
                try await screen.key("Tab", until: { $0.name == "Builds" && $0.role == "list item" })
                try await screen.key("Return")
                try await screen.wait(for: "Digest: Time")
                try await screen.key("Down", until: { $0.name == "Inbox, Builds" || $0.name == "E-Mail, Builds" })
                try await screen.key("Escape")
                try await screen.waitForNo("Refund news")
            }
            try await screen.focus("Feedbell")
            try await screen.key("F1")
            try await screen.wait { $0.contains { $0.name == "Mark as unread" } }
        }
    }
}
