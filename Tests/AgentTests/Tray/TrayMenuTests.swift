import Basics
import Inbox
import Testing

@testable import Agent

@Suite struct TrayMenuTests {
    private static func notification(_ id: String, _ title: String, at time: Int64 = 0) -> TrayMenu.Notification {
        let notification = Notification(id: NotificationID(id), created: Timestamp(milliseconds: time))
        return TrayMenu.Notification(account: "work", place: SortKey(of: notification), title: title)
    }

    private func labels(_ menu: TrayMenu) -> [String] { menu.entries.map(\.label) }

    @Test("Without anything to do, the menu has the inbox, what popups do and the diagnosis") func empty() {
        let menu = TrayMenu()
        #expect(
            labels(menu) == [
                "No unread notifications", "Open inbox", "Mark all as read", "", "Pause popups",
                "Hide texts of popups", "", "Diagnose…",
            ]
        )
        #expect(menu.entries.filter { !$0.isEnabled }.map(\.key) == [.heading, .markAllRead])
    }

    @Test("The first rows name the accounts that need their user") func signIn() {
        let menu = TrayMenu(unauthorized: ["work"], unread: 1)
        #expect(menu.entries.first == MenuEntry(.signIn(account: "work"), "Sign in again: work"))
        #expect(menu.entries.first?.isEnabled == true)
    }

    @Test("A category can be muted, and what does not count has a line") func mute() throws {
        var menu = TrayMenu(unread: 1, hidden: 2)
        menu.notifications = [Self.notification("n1", "One")]
        menu.notifications[0].category = "builds"
        #expect(labels(menu).prefix(3) == ["1 unread notification", "2 more are snoozed or muted", "One"])
        #expect(menu.entries[1].isEnabled == false)
        let mute = try #require(menu.entries[2].children.last)
        #expect(mute.label == "Mute \"builds\"")
        #expect(mute.children.map(\.label) == ["For 1 hour", "Until tomorrow", "Until I unmute it"])
        #expect(mute.children.last?.key == .muteCategory(account: "work", "n1", category: "builds", .never))
    }

    @Test("The newest ten notifications each have a submenu") func notifications() throws {
        var menu = TrayMenu(unread: 25)
        menu.notifications = (0..<25).map { Self.notification("n\($0)", "Title \($0)", at: Int64($0)) }
        let shown = menu.entries.dropFirst().prefix { $0.key != .separator(0) }
        #expect(shown.map(\.label) == (15..<25).reversed().map { "Title \($0)" })
        #expect(try #require(shown.first).children.map(\.label) == ["Open", "Mark as read"])
        #expect(
            try #require(shown.first).children.map(\.key) == [
                .open(account: "work", "n24"), .markRead(account: "work", "n24"),
            ]
        )
    }

    @Test("A pause can be ended") func pause() throws {
        let times = try #require(TrayMenu().entries.first { $0.key == .pause }).children
        #expect(times.map(\.key) == [.pauseFor(minutes: 30), .pauseFor(minutes: 60), .pauseUntilTomorrow])
        let paused = TrayMenu(pause: PauseText(end: "15:30"))
        #expect(paused.entries.contains(MenuEntry(.resume, "Resume popups (paused until 15:30)")))
        #expect(!paused.entries.contains { $0.key == .pause })
    }

    @Test("The texts of popups have a check mark, which a preset or the user's own file fixes") func text() {
        let hidden = TrayMenu(isTextHidden: true, isTextFixed: true).entries.first { $0.key == .hideText }
        #expect(hidden == MenuEntry(.hideText, "Hide texts of popups", .check(isOn: true), isEnabled: false))
    }

    @Test("An account without a connection can be reconnected") func reconnect() {
        #expect(TrayMenu(isOffline: true).entries.contains { $0.key == .reconnect })
        #expect(!TrayMenu().entries.contains { $0.key == .reconnect })
    }

    @Test("Categories have check marks, at most twenty, and required ones cannot be changed") func categories() throws {
        var menu = TrayMenu()
        #expect(!menu.entries.contains { $0.key == .preferences })
        menu.preferences = .unknown
        #expect(try preferences(menu).map(\.label) == ["Loading…"])
        menu.preferences = .known([])
        #expect(try preferences(menu).map(\.label) == ["No categories"])
        menu.preferences = .known(
            (0..<50).map {
                TrayMenu.Category(account: "work", id: "\($0)", name: "C\($0)", isOn: $0 == 0, isEditable: $0 != 1)
            }
        )
        let entries = try preferences(menu)
        #expect(entries.count == 20)
        #expect(entries[0] == MenuEntry(.category(account: "work", id: "0"), "C0", .check(isOn: true)))
        #expect(!entries[1].isEnabled)
        #expect(entries[2].kind == .check(isOn: false))
    }

    @Test("A category without a switch has a submenu with the switches of its channels") func channels() throws {
        var category = TrayMenu.Category(account: "home", id: "ci", name: "Builds", isOn: true, isEditable: false)
        category.channels = [
            .init(name: "email", isOn: true, isEditable: true), .init(name: "in_app", isOn: false, isEditable: false),
        ]
        let entry = try #require(preferences(TrayMenu(preferences: .known([category]))).first)
        #expect(entry.isEnabled && entry.label == "Builds")
        #expect(
            entry.children == [
                MenuEntry(.channel(account: "home", category: "ci", name: "email"), "email", .check(isOn: true)),
                MenuEntry(
                    .channel(account: "home", category: "ci", name: "in_app"),
                    "in_app",
                    .check(isOn: false),
                    isEnabled: false
                ),
            ]
        )
    }

    private func preferences(_ menu: TrayMenu) throws -> [TrayMenu.Entry] {
        try #require(menu.entries.first { $0.key == .preferences }).children
    }

    @Test("Preferences of accounts are joined, unknown ones do not hide known ones") func joinedPreferences() {
        let category = TrayMenu.Category(account: "a", id: "x", name: "X", isOn: true, isEditable: true)
        for (parts, sum) in [
            ([.unsupported, .unknown], .unknown), ([.unknown, .known([category])], .known([category])),
            ([.known([category]), .unknown, .unsupported], .known([category])),
            ([.known([category]), .known([category])], .known([category, category])),
        ] as [([TrayMenu.Preferences], TrayMenu.Preferences)] {
            var joined = TrayMenu.Preferences.unsupported
            for part in parts { joined.add(part) }
            #expect(joined == sum)
        }
    }

    @Test(
        "Titles are on one line, short and visible",
        arguments: [
            ("Half price", "Half price"), ("two\nlines\r\n\tand a tab", "two lines and a tab"), ("", "(no title)"),
            ("  \u{202E} ", "(no title)"), ("a\u{202E}b\u{2066}c\u{7}", "abc"),
            (String(repeating: "x", count: 100), String(repeating: "x", count: 59) + "…"),
            (String(repeating: "語", count: 100), String(repeating: "語", count: 29) + "…"),
        ]
    )
    func label(_ title: String, _ label: String) {
        #expect(MenuLabel.text(title, account: nil) == label)
    }

    @Test("A character with ten thousand combining marks is shortened") func combiningMarks() {
        let title = "e" + String(repeating: "\u{301}", count: 10_000)
        #expect(MenuLabel.text(title, account: nil).unicodeScalars.count <= 300)
    }

    @Test("The account's name stays at the end of a title from right to left") func account() {
        #expect(MenuLabel.text("Sale", account: "work") == "Sale (work)")
        #expect(MenuLabel.text("מבצע", account: "work") == "\u{2068}מבצע\u{2069} (work)")
    }
}
