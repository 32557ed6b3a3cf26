import AgentInterface
import DBus
import Testing
import VisibleText

@testable import feedbell

/// The screen of `feedbell inbox` as time passes: rows become seen, the badge restarts, countdowns move.
@Suite struct InboxScreenTimeTests {
    /// Noon in UTC.
    private static let now: Int64 = 1_763_726_400_000
    private static let plain = Terminal(columns: 80, hasColors: false)
    private static let colored = Terminal(columns: 80, hasColors: true)

    private static func notification(
        _ id: String,
        isSeen: Bool = false,
        expiresIn: Int64? = nil
    ) -> NotificationRecord {
        var notification = NotificationRecord()
        notification.account = "work"
        (notification.id, notification.title, notification.created) = (id, "Nr \(id)", now)
        notification.seen = isSeen ? now : 0
        notification.expires = expiresIn.map { now + $0 } ?? 0
        notification.isExpiryVisible = expiresIn != nil
        return notification
    }

    private static func contents(
        _ notifications: [NotificationRecord],
        badge: Int = 0,
        isLoaded: Bool = true
    ) -> TestScreen.Contents {
        let unread = isLoaded ? 0 : nil
        let capabilities: [AccountState.Capability] = [.serverBadge, .seen]
        return TestScreen.Contents(
            accounts: [.reported("work", unread: unread, badge: badge, capabilities: capabilities)],
            notifications: notifications,
            failure: isLoaded ? nil : "offline",
            now: now
        )
    }

    /// A screen with this many lines for rows.
    private static func screen(rows: Int = 3) -> TestScreen {
        TestScreen(account: "work", columns: 60, rows: rows + 2)
    }

    private static func marked(_ effects: [InboxScreen.Effect]) -> [String] {
        effects.flatMap { effect -> [String] in
            if case .send(.inbox(.markSeen(let ids)), _) = effect { ids } else { [] }
        }
    }

    // MARK: Seen

    @Test("Nothing is marked while text or help cover the list, or by a stopped program") func notSeen() {
        let list = [Self.notification("1"), Self.notification("2")]
        for key in [TerminalKey.enter, .character("?")] {
            var screen = Self.screen()
            _ = screen.receive(Self.contents(list))
            _ = screen.receive(.key(key))
            #expect(Self.marked(screen.receive(.watched)) == [])
            #expect(screen.receive(.key(.escape)) == [.watchRows])
            #expect(Self.marked(screen.receive(.watched)) == ["1", "2"])
        }
        var stopped = Self.screen()
        _ = stopped.receive(Self.contents(list))
        #expect(stopped.receive(.key(.control("z"))) == [.suspend])
        #expect(stopped.receive(.watched) == [.watchRows])
    }

    // MARK: Badge

    @Test("The first list of an account restarts its badge, and a failure of it is not shown") func badge() {
        var screen = Self.screen()
        #expect(!screen.receive(Self.contents([], badge: 3, isLoaded: false)).contains { $0.isRequest })
        #expect(screen.receive(Self.contents([], badge: 3)) == [.send(.inbox(.resetBadge), account: "work")])
        #expect(screen.receive(.finished(.inbox(.resetBadge), failure: "No.")) == [] && screen.notice == nil)
    }

    // MARK: Countdowns

    @Test(
        "A countdown has two units, and minutes and seconds in the last hour",
        arguments: [
            (0, "0:00", nil), (1, "0:01", 1), (1000, "0:01", 1000), (61_500, "1:02", 500),
            (3_600_000, "60:00", 1000), (3_600_001, "1 h 1 min", 1), (4 * 3_600_000, "4 h 0 min", 60_000),
            (86_400_000, "24 h 0 min", 60_000), (86_400_001, "1 d 1 h", 1), (-5, "0:00", nil),
        ] as [(Int64, String, Int64?)]
    )
    func countdown(remaining: Int64, text: String, nextChange: Int64?) {
        let countdown = Countdown(until: Self.now + remaining, now: Self.now)
        #expect(countdown.text == text && countdown.nextChange == nextChange)
        #expect(countdown.isUrgent == (remaining <= 3_600_000))
    }

    @Test("Any time has a countdown", arguments: [Int64.max, .min, 1]) func extremes(expires: Int64) {
        let countdown = Countdown(until: expires, now: Self.now)
        #expect(!countdown.text.isEmpty && (countdown.nextChange ?? 1) > 0)
    }

    @Test("Countdowns on the screen move, red in the last hour, and need no timer when none is shown") func moving() {
        var screen = Self.screen()
        let list = [
            Self.notification("1", isSeen: true), Self.notification("2", isSeen: true, expiresIn: 90_000),
            Self.notification("3", isSeen: true, expiresIn: 7_200_000),
            Self.notification("4", isSeen: true, expiresIn: 500),
        ]
        #expect(screen.receive(Self.contents(list)) == [.runClock(number: 1, milliseconds: 1000)])
        #expect(screen.lines(Self.plain)[2].hasSuffix("  1:30") && screen.lines(Self.plain)[3].hasSuffix("  2 h 0 min"))
        #expect(screen.lines(Self.colored)[2].hasSuffix("\u{1B}[31m  1:30\u{1B}[0m"))
        #expect(screen.lines(Self.colored)[3].hasSuffix("\u{1B}[2m  2 h 0 min\u{1B}[0m"))
        #expect(screen.lines(Self.plain).allSatisfy { $0.columns <= 60 + 8 })
        let next = screen.receive(.clock(1), now: Self.now + 1000)
        #expect(next == [.runClock(number: 2, milliseconds: 1000)])
        #expect(screen.lines(Self.plain)[2].hasSuffix("  1:29"))
        #expect(screen.receive(.key(.character("?"))) == [], "nothing moves")
        #expect(screen.receive(.clock(2), now: Self.now + 2000) == [])
    }

    @Test("The text of a notification has its countdown; without it, nothing shows an expiry") func text() {
        for isVisible in [true, false] {
            var notification = Self.notification("1", isSeen: true, expiresIn: 90_000)
            (notification.isExpiryVisible, notification.body) = (isVisible, "Text")
            var screen = Self.screen(rows: 8)
            _ = screen.receive(Self.contents([notification]))
            #expect(screen.lines(Self.plain).joined().contains("1:30") == isVisible)
            _ = screen.receive(.key(.enter))
            let lines = screen.lines(Self.colored)
            #expect(lines.contains("\u{1B}[31mexpires in 1:30\u{1B}[0m") == isVisible)
            #expect(lines.joined().contains("expire") == isVisible)
        }
    }

    // MARK: Buttons

    @Test("Digits open what has that number: buttons, then the links of subtext and picture") func buttons() {
        var notification = Self.notification("1", isSeen: true)
        notification.actions = ["Buy", "Later"].map { label in
            var action = NotificationActionRecord()
            (action.id, action.label, action.url) = (label.lowercased(), label, "")
            return action.values
        }
        (notification.subtext, notification.subtextURL) = ("Shop", "https://example.com/shop")
        notification.avatarURL = "https://example.com/anna"
        var screen = Self.screen(rows: 10)
        _ = screen.receive(Self.contents([notification]))
        for isText in [false, true] {
            for (digit, id) in zip(["1", "2", "3", "4"], ["buy", "later", "subtext", "avatar"]) {
                let effects = screen.receive(.key(.character(Character(digit))))
                #expect(effects == [.send(.inbox(.invoke("1", action: id)), account: "work")])
            }
            #expect(screen.receive(.key(.character("5"))) == [] && screen.notice == .unknownKey)
            if !isText { _ = screen.receive(.key(.enter)) }
        }
        let lines = screen.lines(Self.plain)
        #expect(lines.contains("[1] Buy") && lines.contains("[3] Shop — https://example.com/shop"))
        #expect(lines.contains("[4] Picture — https://example.com/anna"))
    }
}

extension InboxScreen.Effect {
    fileprivate var isRequest: Bool { if case .send = self { true } else { false } }
}
