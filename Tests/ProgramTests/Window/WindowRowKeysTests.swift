import AgentInterface
import DBus
import FoundationEssentials
import Sandbox
import TestSupport
import Testing

/// The rows of the built window by keys and by the pointer: what leads into them, out of them, and to their menu.
@Suite(
    .sessionBus,
    .builtAgent(),
    .timeLimit(.minutes(5)),
    .enabled(if: WindowScreen.isBuilt, "libadwaita is not installed")
) struct WindowRowKeysTests {
    private let agent = BuiltAgent.current

    /// Shows the window with the notifications "Nr 3" to "Nr 1", each with a link and two buttons.
    private func with(_ body: (WindowScreen) async throws -> Void) async throws {
        let all = WindowScreen.numbered(3) { number in
            [
                "text": .string("The text of \(number)."), "url": .string("https://example.com/\(number)"),
                "actions": [
                    ["name": "Buy", "url": "https://example.com/buy"],
                    ["name": "Look", "url": "https://example.com/look"],
                ],
            ]
        }
        try await WindowScreen.with(notifications: all, body)
    }

    private func isRow(_ number: Int) -> (ScreenElement) -> Bool {
        { $0.role == "list item" && $0.name.contains("Nr \(number),") }
    }

    private func isInRow(_ element: ScreenElement) -> Bool {
        element.role == "list item" || ["Buy", "Look"].contains(element.name) || element.name.hasPrefix("More actions")
    }

    @Test("Tab leaves the list at once, and comes back to the same row") func tab() async throws {
        try await with { screen in
            try await screen.key("Down", until: isRow(2))
            try await screen.waitForFocus(where: isRow(2))
            try await screen.key("Tab")
            try await screen.waitForFocus(where: { !isInRow($0) })
            try await screen.key("shift+Tab")
            try await screen.waitForFocus(where: isRow(2))
            try await screen.key("shift+Tab")
            try await screen.waitForFocus(where: { !isInRow($0) })
            try await screen.key("Tab")
            try await screen.waitForFocus(where: isRow(2))
            try await screen.key("Down")
            try await screen.waitForFocus(where: isRow(1))
        }
    }

    @Test("Right leads to a row's buttons, Tab from one to the next and out, Left and Escape back to the row")
    func controls()
        async throws
    {
        try await with { screen in
            try await screen.key("Down", until: isRow(2))
            try await screen.key("Right")
            let button = try await screen.waitForFocus(where: { $0.name == "Buy" })
            #expect(try await button.proxy.get(Accessible.description) == "", "its address is not said")
            try await screen.key("Return")
            #expect(try await agent.opened.next().first == "https://example.com/buy")
            for key in ["Left", "Escape"] {
                try await screen.key(key)
                try await screen.waitForFocus(where: isRow(2))
                try await screen.key("Right")
                try await screen.waitForFocus(where: { $0.name == "Buy" })
            }
            try await screen.key("Right")
            try await screen.waitForFocus(where: { $0.name == "Look" })
            try await screen.key("Tab")
            try await screen.waitForFocus(where: { $0.name == "More actions: Nr 2" })
            try await screen.key("Right")
            try await screen.waitForFocus(where: { $0.name == "More actions: Nr 2" })
            try await screen.key("Tab")
            try await screen.waitForFocus(where: { !isInRow($0) })
            try await screen.key("shift+Tab")
            try await screen.waitForFocus(where: isRow(2))
        }
    }

    @Test("A menu below another one is as high as its items") func submenu() async throws {
        try await with { screen in try await checkSubmenu(on: screen) }
    }

    private func checkSubmenu(on screen: WindowScreen) async throws {
        try await screen.key("Menu")
        try await screen.waitForFocus(where: isMenuItem)
        try await screen.key("Up", until: { $0.name == "Snooze" })
        try await screen.key("Return")
        try await screen.key("Down", until: { $0.name == "Another Time…" })
        let menu = try await screen.wait { $0.contains { $0.role == "menu" } }.first { $0.role == "menu" }
        let (_, top, _, height) = try await screen.place(of: try #require(menu)).elements
        let item = try await screen.wait(for: "Another Time…")
        let (_, itemTop, _, itemHeight) = try await screen.place(of: item).elements
        #expect(top + height - itemTop - itemHeight < 2 * itemHeight)
    }

    private func isMenuItem(_ element: ScreenElement) -> Bool { element.role == "menu item" }

    @Test("The keys for menus open that of the row with the focus", arguments: ["Menu", "shift+F10"])
    func menu(key: String) async throws {
        try await with { screen in
            try await screen.key("Down", until: isRow(2))
            try await screen.waitForFocus(where: isRow(2))
            try await screen.key(key)
            try await screen.waitForFocus(where: { $0.role == "menu item" })
            try await screen.choose("Archive")
            let rows = try await screen.wait(rows: 2)
            #expect(!rows.contains { $0.contains("Nr 2,") })
            try await screen.waitForFocus(where: isRow(1))
        }
    }

    @Test("Z asks for any time, shows what it means, and snoozes until then") func anyTime() async throws {
        try await with { screen in
            try await screen.key("Down", until: isRow(2))
            try await screen.waitForFocus(where: isRow(2))
            try await screen.key("shift+z")
            try await screen.waitForFocusedEntry()
            try await screen.wait(for: "Until tomorrow, 9:00")
            try await screen.keepPicture("snooze-time")
            for name in ["Previous Month", "Next Month", "Previous Year", "Next Year"] {
                let button = try await screen.wait(for: name, role: "button")
                #expect(try await button.relatedNames() == [])
            }
            try await screen.type("soon")
            try await screen.wait {
                $0.contains { $0.role.contains("button") && $0.name.contains("Snooze") && !$0.has(.sensitive) }
            }
            // While it is typed, it is not complete.
            try await screen.wait(for: "Examples: 18:00, 6 pm")
            try await screen.waitForNo("is not a valid time")
            try await screen.key("Return")
            try await screen.wait(for: "\"soon\" is not a valid time")
            try await screen.key("ctrl+a")
            try await screen.type("2037-12-01 8:30")
            try await screen.wait(for: "Until 12/01/37, 8:30")
            try await screen.key("Return")
            let rows = try await screen.wait(rows: 2)
            #expect(!rows.contains { $0.contains("Nr 2,") })
            let snoozed = try await agent.account.call(AgentInbox.list, ["snoozed": .bool(true)])
            #expect(snoozed.map { NotificationRecord($0).title } == ["Nr 2"])
            try await screen.key("ctrl+z")
            try await screen.wait(rows: 3)
        }
    }

    @Test("A time that is offered is chosen at once") func offeredTime() async throws {
        try await with { screen in
            try await screen.key("Down", until: isRow(2))
            try await screen.waitForFocus(where: isRow(2))
            try await screen.key("shift+z")
            try await screen.waitForFocusedEntry()
            try await screen.activate("Tomorrow, 9:00")
            try await screen.wait(for: "Snoozed until tomorrow, 9:00.")
            try await screen.wait(rows: 2)
        }
    }

    @Test("Escape ends a selection of several") func escape() async throws {
        try await with { screen in
            try await screen.key("Down", until: isRow(2))
            try await screen.key("shift+Up")
            try await screen.wait(for: "2 selected")
            try await screen.key("Escape")
            try await screen.waitForNo("2 selected")
            #expect(try await screen.settled().allSatisfy { $0.role != "list item" || !$0.has(.selected) })
        }
    }

    @Test("A double click opens once what it is on", arguments: ["The text of 2.", "Buy"]) func doubleClick(
        name: String
    )
        async throws
    {
        try await with { screen in
            let element = try await screen.wait { $0.contains { $0.name == name } }.first { $0.name == name }
            try await screen.doubleClick(try #require(element))
            let address = try await agent.opened.next().first
            #expect(address == (name == "Buy" ? "https://example.com/buy" : "https://example.com/2"))
            // A second opening would come before that of another button.
            try await screen.press("Look")
            #expect(try await agent.opened.next().first == "https://example.com/look")
        }
    }
}
