import AgentInterface
import DBus
import Testing
import VisibleText

@testable import feedbell

/// The table of preferences in `feedbell inbox`.
@Suite struct PreferenceTableTests {
    private static let plain = Terminal(columns: 60, hasColors: false)

    private static func category(_ id: String, _ channels: [(String, Bool, Bool)], isOn: Bool = true)
        -> CategoryRecord
    {
        var category = CategoryRecord()
        (category.id, category.name, category.isEditable) = (id, id.prefix(1).uppercased() + id.dropFirst(), true)
        category.preference = PreferenceSwitch(isOn: isOn)
        category.channels = channels.map {
            CategoryChannel(name: $0.0, preference: PreferenceSwitch(isOn: $0.1), isEditable: $0.2)
        }
        category.description = "About \(id)"
        return category
    }

    private static let categories = [
        category("news", [("email", true, false), ("inbox", true, true)]),
        category("builds", [("inbox", false, true), ("sms", false, true)], isOn: false),
    ]

    private static func screen(
        columns: Int = 60,
        capabilities: [AccountState.Capability],
        home: [AccountState.Capability] = []
    ) -> TestScreen {
        var screen = TestScreen(columns: columns, rows: 10)
        _ = screen.receive(loaded(capabilities, home: home))
        return screen
    }

    private static func loaded(
        _ capabilities: [AccountState.Capability],
        home: [AccountState.Capability] = []
    ) -> TestScreen.Contents {
        let accounts = ["home", "work"].map {
            AccountState.reported(
                $0,
                unread: 0,
                badge: 1,
                capabilities: [.serverBadge] + ($0 == "work" ? capabilities : home)
            )
        }
        return TestScreen.Contents(accounts: accounts, now: 0)
    }

    private static func press(_ keys: TerminalKey..., on screen: inout TestScreen) -> [InboxScreen.Effect] {
        keys.flatMap { screen.receive(.key($0)) }
    }

    private static func work(_ category: String, _ channel: String?, _ isOn: Bool) -> InboxScreen.Effect {
        .send(.setPreference(category: category, channel: channel, isOn: isOn), account: "work")
    }

    @Test("The hints name the key for the next account if another one has preferences") func nextAccount() {
        for (home, hasHint) in [([], false), ([.preferences], true)] as [([AccountState.Capability], Bool)] {
            var screen = Self.screen(columns: 80, capabilities: [.preferences], home: home)
            _ = Self.press(.character("P"), on: &screen)
            let hints = screen.lines(Terminal(columns: 80, hasColors: false)).last
            #expect(hints?.contains("  c next account  ") == hasHint)
        }
    }

    @Test("A channel that is on has no effect in a category that is off, which the table says") func overruled() {
        var screen = Self.screen(capabilities: [.preferences, .categoryPreferences])
        _ = Self.press(.character("P"), on: &screen)
        let off = Self.category("offers", [("inbox", true, true), ("sms", false, true)], isOn: false)
        _ = screen.receive(.preferencesLoaded(account: "work", [off], failure: nil))
        let lines = screen.lines(Self.plain)
        #expect(lines[2].hasPrefix(">Offers") && lines[2].hasSuffix("  (x)    [ ] "))
        #expect(lines[8] == "(x) is off as long as the category is off")
    }

    @Test("Space switches the selected cell, and fixed or absent ones stay") func toggling() {
        var screen = Self.screen(capabilities: [.preferences, .categoryPreferences])
        #expect(Self.press(.character("P"), on: &screen) == [.loadPreferences(account: "work")])
        #expect(screen.lines(Self.plain)[1] == "Loading …")
        _ = screen.receive(.preferencesLoaded(account: "work", Self.categories, failure: nil))
        let lines = screen.lines(Self.plain)
        #expect(lines[0].hasPrefix("work · Preferences") && lines[0].hasSuffix("1 of 2"))
        #expect(lines[1].split(separator: " ") == ["All", "email", "inbox", "sms"])
        #expect(lines[3] == " Builds    [ ]    -     [ ]    [ ] ")
        #expect(lines[8] == "About news")
        #expect(Self.press(.character(" "), on: &screen) == [Self.work("news", nil, false)])
        #expect(Self.press(.right, .character(" "), on: &screen) == [])
        #expect(screen.lines(Self.plain).last == "Cannot be changed.")
        #expect(Self.press(.right, .down, .enter, on: &screen) == [Self.work("builds", "inbox", true)])
        #expect(screen.lines(Self.plain)[3].contains("(x)"), "it shows at once")
        #expect(Self.press(.left, .character(" "), on: &screen) == [], "the category does not have the channel")
        // The agent's list, after the change and after those of others.
        let finished = InboxScreen.Request.setPreference(category: "builds", channel: "inbox", isOn: true)
        #expect(
            screen.receive(.finished(finished, account: "work", failure: nil)) == [.loadPreferences(account: "work")]
        )
        _ = screen.receive(.agent([.preferences(account: "work", Self.categories)]))
        #expect(!screen.lines(Self.plain)[3].contains("[x]"))
        #expect(Self.press(.escape, on: &screen) == [] && screen.mode == .list)
    }

    @Test("A rejected change is reported, and the table shows what the agent has") func rejected() {
        var screen = Self.screen(capabilities: [.preferences])
        _ = Self.press(.character("P"), on: &screen)
        _ = screen.receive(.preferencesLoaded(account: "work", Self.categories, failure: nil))
        let request = InboxScreen.Request.setPreference(category: "news", channel: "inbox", isOn: false)
        #expect(Self.press(.right, .character(" "), on: &screen) == [.send(request, account: "work")])
        let effects = screen.receive(.finished(request, account: "work", failure: "No."))
        #expect(effects == [.loadPreferences(account: "work")])
        _ = screen.receive(.preferencesLoaded(account: "work", Self.categories, failure: nil))
        #expect(screen.lines(Self.plain).last == "No.")
    }

    @Test("A narrow terminal shows the columns around the selected one") func narrow() {
        var screen = Self.screen(columns: 24, capabilities: [.preferences, .categoryPreferences])
        _ = Self.press(.character("P"), on: &screen)
        _ = screen.receive(.preferencesLoaded(account: "work", Self.categories, failure: nil))
        #expect(!screen.lines(Self.plain)[1].contains("sms"))
        _ = Self.press(.right, .right, .right, on: &screen)
        let lines = screen.lines(Self.plain)
        #expect(lines[1].contains("sms") && !lines[1].contains("All") && lines.allSatisfy { $0.columns <= 24 })
    }

    @Test("Alone, the table is shown at once, opens no inbox, and ends the program when it is left") func alone() {
        for key in [TerminalKey.character("q"), .escape, .character("P")] {
            var screen = TestScreen(columns: 60, rows: 10, isForPreferences: true)
            let loaded = Self.loaded([.preferences, .categoryPreferences])
            #expect(screen.receive(loaded) == [.loadPreferences(account: "work")])
            _ = screen.receive(.preferencesLoaded(account: "work", Self.categories, failure: nil))
            #expect(screen.receive(loaded) == [], "another list changes nothing")
            #expect(Self.press(.character(" "), on: &screen) == [Self.work("news", nil, false)])
            #expect(Self.press(key, on: &screen) == [.quit])
        }
    }

    @Test("Without preferences, and where they cannot be loaded, a sentence says so") func none() {
        var screen = Self.screen(capabilities: [])
        #expect(Self.press(.character("P"), on: &screen) == [])
        #expect(screen.lines(Self.plain).last == "No account's service has preferences.")
        var offline = Self.screen(capabilities: [.preferences])
        _ = Self.press(.character("P"), on: &offline)
        _ = offline.receive(.preferencesLoaded(account: "work", [], failure: "It is offline."))
        #expect(offline.lines(Self.plain)[1] == "It is offline.")
    }
}
