import AgentTestSupport
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
    /// Shows the window with the notifications "Nr 3" to "Nr 1".
    private func with(_ body: (WindowScreen) async throws -> Void) async throws {
        try await WindowScreen.with(notifications: WindowScreen.numbered(3), body)
    }

    private func isRow(_ number: Int) -> (ScreenElement) -> Bool {
        { $0.role == "list item" && $0.name.contains("Nr \(number),") }
    }

    private func isNamed(_ name: String) -> (ScreenElement) -> Bool { { $0.name == name } }

    private func isButton(_ name: String) -> (ScreenElement) -> Bool {
        { $0.role.contains("button") && $0.name == name }
    }

    @Test("An action says what it has done, how to undo it, and the row that is next") func actions() async throws {
        try await with { screen in
            try await screen.hear("1 notification archived\nPress Control+Z to undo.\nUnread, Nr 2,") {
                try await screen.key("e")
            }
            try await screen.hear("1 archived notification is back.\nUnread, Nr 3,") { try await screen.key("ctrl+z") }
        }
    }

    @Test("What was said is no part of a row afterwards") func description() async throws {
        try await with { screen in
            try await screen.hear("1 notification marked as read") { try await screen.key("r") }
            // Orca does not say the new name of a row.
            #expect(try await screen.focused()?.name.hasPrefix("Nr 3,") == true)
            try await screen.key("Down")
            try await screen.waitForFocus(where: isRow(2))
            try await screen.key("Up")
            let row = try await screen.waitForFocus(where: isRow(3))
            #expect(try await row.proxy.get(Accessible.description) == "")
            #expect(row.name.hasPrefix("Nr 3,"))
        }
    }

    @Test("A button with an icon says its label once") func tooltips() async throws {
        try await with { screen in
            for name in ["Select notifications", "Search", "Main menu", "More actions: Nr 3"] {
                let buttons = try await screen.wait { $0.contains { $0.name == name } }.filter { $0.name == name }
                for button in buttons {
                    #expect(try await button.proxy.get(Accessible.description) != name)
                    let related = try await button.relatedNames()
                    #expect(!related.contains { $0.hasPrefix("Gtk") }, "\(name): \(related)")
                }
            }
        }
    }

    @Test("What a row's name says, no part of the row says again", WindowScreen.hasParagraphs) func parts() async throws
    {
        let buy: JSON = ["name": "Buy", "url": "https://example.com/buy"]
        let notification: JSON = ["header": "One", "text": "A text.", "actions": [buy]]
        try await WindowScreen.with(notifications: [notification]) { screen in
            let row = try await screen.waitForFocus { $0.role == "list item" && $0.name.contains("One") }
            var said: Set<String> = []
            for part in row.all.dropFirst() {
                // Orca 48 says labels and buttons in a row.
                let role = try await part.proxy.call(Accessible.getRoleName)
                if role == "label" || role.contains("button") { said.insert(part.name) }
            }
            #expect(said.isSuperset(of: ["Buy", "More actions: One"]))
            #expect(said.isDisjoint(with: ["Today", "One", "A text.", "just now", "system", "Archive: One"]))
        }
    }

    @Test("No icon has the name of its class, and a link has its label and no address") func names() async throws {
        let text: JSON = [
            "header": "One", "text": "See [the plan](https://example.com/plan).", "is_pinned": true,
            "actions": [["name": "Buy", "url": "https://example.com/buy"]],
        ]
        try await WindowScreen.with(notifications: [text]) { screen in
            let classes: Set = ["GtkImage", "GtkStackPage", "GtkListBox", "GtkPopoverMenu"]
            let names = Set(try await screen.elements().map(\.name))
            #expect(names.intersection(classes) == [])
            try await screen.key("Right")
            for name in ["See the plan.", "Buy"] {
                try await screen.key("Tab", until: isNamed(name))
                #expect(try await screen.focused()?.proxy.get(Accessible.description) == "")
            }
            try await screen.key("Menu")
            let menu = Set(try await screen.wait { $0.contains { $0.name == "Copy Text" } }.map(\.name))
            #expect(menu.intersection(classes) == [])
            try await screen.key("Escape")
            try await screen.openPreferences()
            try await screen.key("Tab", until: { $0.role == "list item" })
            for page in ["Popups", "Rules", "Accounts"] {
                try await screen.openPage(page)
                let names = Set(try await screen.elements().map(\.name))
                #expect(names.intersection(classes) == [])
            }
        }
    }

    @Test("The keys are rows with a name, which can be reached") func keys() async throws {
        try await with { screen in
            try await screen.hear("3 of 3") { try await screen.key("End") }
            try await screen.key("F1")
            try await screen.focus("Keyboard Shortcuts")
            try await screen.waitForFocus(where: { $0.role == "list item" && $0.name.hasPrefix("Open its link, ") })
            try await screen.key("Down", until: { $0.name == "Mark as read, R" })
            try await screen.wait { elements in
                ["Notification", "List", "Window"].allSatisfy { title in elements.contains { $0.name == title } }
            }
            try await screen.keepPicture("shortcuts")
            try await screen.key("Escape")
            try await screen.waitForNo("Mark as read, R")
            try await screen.focus("Feedbell")
            // The place is said once.
            try await screen.waitForFocus(where: { $0.role == "list item" && $0.name.hasPrefix("Unread, Nr 1,") })
        }
    }

    @Test("Preferences that are opened say their tab, once, and their search has a name") func tab() async throws {
        try await WindowScreen.with { screen in
            try await screen.wait(for: "No Notifications")
            try await screen.movePointerAway()
            for _ in 1...2 {
                try await screen.focus("Feedbell")
                let focused = try await screen.focusEvents {
                    try await screen.openPreferences()
                    try await screen.waitForFocus(where: { $0.role == "tab" && $0.name == "Notifications" })
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

    @Test(
        "Tab enters the page that is shown, also if the preferences were left from another one",
        WindowScreen.olderGTK("GTK needs a window manager to notice that a window is shown again")
    )
    func pages() async throws {
        try await WindowScreen.with { screen in
            try await screen.wait(for: "No Notifications")
            try await screen.openPreferences()
            try await screen.waitForFocus(where: { $0.role == "tab" && $0.name == "Notifications" })
            try await screen.key("Tab", until: { $0.role == "list item" })
            try await screen.key("Escape")
            try await screen.waitForNo("Refund news")
            try await screen.focus("Feedbell")
            try await screen.openPreferences()
            try await screen.key("Tab", until: { $0.role == "tab" && $0.name == "Popups" })
            try await screen.key("space")
            try await screen.wait { $0.contains { $0.name == "Show Popups" && $0.isSwitch } }
            var presses = 0
            try await screen.key("Tab") { focus in
                presses += 1
                return focus.role == "list item" || presses > 15
            }
            #expect(try await screen.focused()?.role == "list item")
        }
    }

    @Test("A row that gets the focus says the result first, has it once, and is the only one that gets it")
    func result()
        async throws
    {
        try await with { screen in
            let focused = try await screen.focusEvents {
                try await screen.key("e")
                try await screen.waitForFocus(where: isRow(2))
            }
            let rows = focused.filter { $0.role == "list item" }
            #expect(Set(rows.map(\.proxy.path)).count == 1)
            let name = try #require(rows.last?.name)
            #expect(name.hasPrefix("1 notification archived\nPress Control+Z to undo.\nUnread, Nr 2,"))
            // Only the row says it.
            try await screen.waitForNo("Press Control+Z to undo.")
            try await screen.key("Down")
            let row = try await screen.waitForFocus(where: isRow(1))
            #expect(row.name.hasPrefix("Unread, Nr 1,"))
            #expect(try await screen.rows().first?.hasPrefix("Unread, Nr 2,") == true)
        }
    }

    @Test(
        "With several selected, the first one says what happens, too: Orca takes it for the one with the focus",
        WindowScreen.olderGTK("GTK needs no row to say what it announces")
    )
    func several() async throws {
        try await with { screen in
            func first(says text: String) async throws {
                try await waiting(for: "\"\(text)\" at the first selected row") {
                    let row = try await screen.elements().first { $0.role == "list item" && $0.has(.selected) }
                    return try await row?.proxy.get(Accessible.description) == text
                }
            }
            try await screen.key("shift+Down")
            try await first(says: "2 selected")
            let rows = try await screen.elements().filter { $0.role == "list item" && $0.has(.selected) }
            try await screen.hear("2 notifications marked as unread") { try await screen.key("u") }
            // The selection has ended, and Orca does not know yet which row has the focus.
            #expect(try await rows.first?.proxy.get(Accessible.description) == "2 notifications marked as unread")
        }
    }

    @Test("With several selected, Tab leads to the buttons that act on them, and back to the list") func selectionBar()
        async throws
    {
        try await with { screen in
            // In GTK 4.18, the row with the focus is not selected yet.
            try await screen.key("Home")
            try await screen.key("shift+Down")
            try await screen.wait(for: "2 selected", role: "label")
            for name in ["Mark as Read", "Archive", "Snooze"] {
                try await screen.key("Tab", until: isButton(name))
            }
            try await screen.key("shift+Tab", until: { $0.role == "list item" })
            let elements = try await screen.elements()
            #expect(elements.count { $0.role == "list item" && $0.has(.selected) } == 2)
            try await screen.key("Tab", until: isButton("Archive"))
            try await screen.key("Return")
            try await screen.wait(rows: 1)
        }
    }

    @Test("The button of a line above the list says what the line says") func banner() async throws {
        try await with { screen in
            BuiltAgent.current.program.send(SIGTERM)
            let button = try await screen.wait(for: "Start", role: "button")
            #expect(try await button.proxy.get(Accessible.description).hasPrefix("Feedbell has stopped."))
        }
    }

    @Test("The selection mode says that it begins and ends, and keys keep what is selected") func selectionMode()
        async throws
    {
        try await with { screen in
            func count() async throws -> Int {
                try await screen.elements().count { $0.role == "list item" && $0.has(.selected) }
            }
            try await screen.hear("Selection mode, 0 selected") { try await screen.press("Select notifications") }
            try await screen.key("Tab", until: { $0.role == "list item" })
            try await screen.hear("1 selected") { try await screen.key("space") }
            try await screen.key("Down", until: isRow(2))
            #expect(try await count() == 1)
            try await screen.hear("2 selected") { try await screen.key("space") }
            try await screen.hear("Selection ended") { try await screen.key("Escape") }
        }
    }

    @Test("The last and the first row say where they are, and a new notification that it has come") func places()
        async throws
    {
        try await with { screen in
            try await screen.hear("3 of 3\nUnread, Nr 1,") { try await screen.key("End") }
            try await screen.hear("1 of 3\nUnread, Nr 3,") { try await screen.key("Home") }
            try await screen.key("Right")
            try await screen.waitForFocus(where: isButton("More actions: Nr 3"))
            try await screen.key("Left")
            let row = try await screen.waitForFocus(where: isRow(3))
            #expect(row.name.hasPrefix("Unread, Nr 3,"), "the place is said once")
            try await screen.hear("1 new notification") {
                _ = try await Sandbox.current.publish(["header": "Nr 4", "text": "x"])
            }
        }
    }
}
