import Basics
import Inbox
import Testing

@testable import Agent

@Suite struct TrayContentsTests {
    private static let icons = TrayIcons(
        ApplicationIcon(
            name: "org.example.Bell-symbolic",
            dataDirectories: ["/usr/share"],
            ownDirectories: [],
            exists: { $0.hasSuffix("/symbolic/apps/org.example.Bell-symbolic.svg") }
        )
    )

    private static func contents(
        _ unread: [String: Int] = [:],
        needing: Set<String> = [],
        pause: PauseText? = nil
    ) -> TrayContents {
        TrayContents(
            accounts: unread.sorted { $0.key < $1.key }.map {
                TrayContents.Account(name: $0.key, unread: $0.value, needsAttention: needing.contains($0.key))
            },
            pause: pause
        )
    }

    @Test(
        "The counts are in words",
        arguments: [
            (["work": 0], "No unread notifications", []), (["work": 1], "1 unread notification", []),
            (["home": 2, "work": 5], "7 unread notifications", ["home: 2 unread", "work: 5 unread"]),
            (["home": 0, "work": 5], "5 unread notifications", ["work: 5 unread"]),
        ] as [([String: Int], String, [String])]
    )
    func words(_ unread: [String: Int], _ title: String, _ lines: [String]) {
        #expect(Self.contents(unread).item(Self.icons).toolTip == TrayItem.ToolTip(title: title, lines: lines))
    }

    @Test("The status follows unread notifications, a pause and accounts that need the user") func status() {
        let quiet = Self.contents(["work": 0]).item(Self.icons)
        #expect(quiet.status == .active && quiet.icon == "org.example.Bell-read-symbolic")
        let unread = Self.contents(["work": 1]).item(Self.icons)
        #expect(unread.status == .active && unread.icon == "org.example.Bell-symbolic")
        let paused = Self.contents(["work": 0], pause: PauseText(end: "15:30")).item(Self.icons)
        #expect(paused.status == .active && paused.icon == "org.example.Bell-paused-symbolic")
        #expect(paused.toolTip.lines == ["Popups are paused until 15:30."])
        let attention = Self.contents(["work": 1], needing: ["work"], pause: PauseText()).item(Self.icons)
        #expect(attention.status == .needsAttention && attention.icon == "org.example.Bell-attention-symbolic")
        #expect(attention.toolTip.lines == ["The account \"work\" needs your attention.", "Popups are paused."])
    }

    @Test("The tool tip is the same plain text in every tray, also where it is taken for markup") func toolTipText() {
        let item = Self.contents(["a & <b>": 1, "work": 2], needing: ["a & <b>"]).item(Self.icons)
        #expect(
            item.toolTip.text == """
                3 unread notifications
                a ＆ ‹b›: 1 unread
                work: 2 unread
                The account "a ＆ ‹b›" needs your attention.
                """
        )
    }

    @Test("A thousand accounts do not make an endless tool tip") func manyAccounts() {
        let names = Dictionary(uniqueKeysWithValues: (0..<1000).map { ("account \($0)", 1) })
        let item = Self.contents(names, needing: Set(names.keys)).item(Self.icons)
        #expect(item.toolTip.lines.count == 20)
        #expect(item.toolTip.title == "1000 unread notifications")
    }

    @Test("Icons outside of the desktop's theme have a path, missing ones are the desktop's own") func iconPlaces() {
        #expect(Self.icons.themePath == "")
        let own = ApplicationIcon(
            name: "org.example.Bell-symbolic",
            dataDirectories: ["/usr/share"],
            ownDirectories: ["/opt/bell/share"],
            exists: { $0 == "/opt/bell/share/icons/hicolor/symbolic/apps/org.example.Bell-symbolic.svg" }
        )
        #expect(TrayIcons(own).themePath == "/opt/bell/share/icons")
        let missing = ApplicationIcon(name: "x", dataDirectories: [], ownDirectories: [], exists: { _ in false })
        #expect(TrayIcons(missing).unread == "mail-unread")
    }

    @Test(
        "The end of a pause is a local time, with the day if it is not within a day",
        arguments: [
            (0, nil), (3_600_000, "01:00"), (86_399_000, "23:59"), (2 * 86_400_000, "Wed 00:00"),
            (8 * 86_400_000, nil),
        ] as [(Int64, String?)]
    )
    func pauseEnd(_ milliseconds: Int64, _ text: String?) {
        let until = milliseconds == 0 ? nil : Timestamp(milliseconds: milliseconds)
        let words = PauseText(until: until, now: 0) { time in
            let minutes = Int(time.milliseconds / 60_000)
            return WeeklyHours.LocalTime(
                weekday: WeeklyHours.Weekday.allCases[(minutes / 1440) % 7],
                minute: minutes % 1440
            )
        }
        #expect(words.end == text)
    }
}
