import AgentInterface
import DBus
import Testing
import VisibleText

@testable import feedbell

/// Mouse, filters, buttons and pause in `feedbell inbox`, and how its columns stay apart.
@Suite struct InboxScreenMouseTests {
    /// Noon in UTC.
    private static let now: Int64 = 1_763_726_400_000
    private static let plain = Terminal(columns: 80, hasColors: false)

    private static func notification(_ id: String, _ title: String, category: String = "") -> NotificationRecord {
        var notification = NotificationRecord()
        (notification.id, notification.title, notification.account) = (id, title, "work")
        (notification.created, notification.category) = (now, category)
        notification.url = "https://example.com/\(id)"
        notification.actions = [["id": .string("yes"), "label": .string("Approve")]]
        return notification
    }

    private static func contents(
        _ notifications: [NotificationRecord],
        isPaused: Bool = false,
        keys: [String: [String]] = [:]
    ) -> TestScreen.Contents {
        let account = AccountState.reported("work", unread: 2, tabs: [("old", "Archive", 0)])
        return TestScreen.Contents(
            accounts: [account],
            notifications: notifications,
            root: ["Paused": .bool(isPaused), "InboxKeys": Value(keys)],
            now: now
        )
    }

    private static func screen(columns: Int = 60, rows: Int = 8) -> TestScreen {
        var screen = TestScreen(account: "work", columns: columns, rows: rows)
        let list = (1...9).map { notification("\($0)", "Nr \($0)", category: $0 % 2 == 0 ? "builds" : "news") }
        _ = screen.receive(contents(list))
        return screen
    }

    @Test("A click selects, a second one shows the text, and the wheel moves") func clicks() {
        var screen = Self.screen()
        #expect(screen.receive(.mouse(.press(column: 10, row: 3))) == [] && screen.selected == "3")
        #expect(
            screen.receive(.mouse(.press(column: 10, row: 3))) == [.send(.inbox(.markRead(["3"])), account: "work")]
        )
        #expect(screen.mode == .text(from: 0))
        #expect(screen.receive(.mouse(.press(column: 10, row: 3))) == [] && screen.mode == .text(from: 0))
        _ = screen.receive(.key(.escape))
        #expect(screen.receive(.mouse(.wheelDown)) == [] && screen.selected == "6")
        #expect(screen.receive(.mouse(.wheelUp)) == [] && screen.selected == "3")
        // Below the last row of a list, and outside of the screen.
        _ = screen.receive(Self.contents([Self.notification("1", "Nr 1")]))
        for row in [3, 7, 500] { #expect(screen.receive(.mouse(.press(column: 0, row: row))) == []) }
        #expect(screen.selected == "1")
    }

    @Test("A click on a tab shows it, and one on a button or an address opens it") func clicksAround() {
        var screen = Self.screen()
        #expect(screen.lines(Self.plain)[0].hasPrefix("work [Inbox (2)] Archive "))
        #expect(screen.lines(Self.plain)[6] == "[1] Approve  → https://example.com/1")
        let button = screen.receive(.mouse(.press(column: 5, row: 6)))
        #expect(button == [.send(.inbox(.invoke("1", action: "yes")), account: "work")])
        #expect(screen.receive(.mouse(.press(column: 15, row: 6))) == [.send(.inbox(.open("1")), account: "work")])
        #expect(screen.receive(.mouse(.press(column: 11, row: 6))) == [], "between them")
        #expect(screen.receive(.mouse(.press(column: 8, row: 0))) == [], "it is shown")
        #expect(screen.receive(.mouse(.press(column: 20, row: 0))) == [])
        #expect(screen.queries.map(\.tab) == ["old"])
    }

    @Test("n shows only unread ones, f one category after the other, and Escape all") func filters() {
        var screen = Self.screen()
        var query = InboxQuery(account: "work")
        query.isUnreadOnly = true
        #expect(screen.receive(.key(.character("n"))) == [] && screen.queries == [query])
        _ = screen.receive(Self.contents([]))
        #expect(screen.lines(Self.plain)[0].hasSuffix(" unread only"))
        #expect(screen.lines(Self.plain)[1] == "No such notifications. Escape shows all.")
        for category in ["builds", "news", nil] {
            query.category = category
            #expect(screen.receive(.key(.character("f"))) == [] && screen.queries == [query])
            _ = screen.receive(Self.contents([]))
        }
        #expect(screen.receive(.key(.escape)) == [] && screen.queries == [InboxQuery(account: "work")])
    }

    @Test("p pauses popups, and resumes them if they are paused") func pause() {
        var screen = Self.screen()
        #expect(screen.receive(.key(.character("p"))) == [.send(.pause, account: "")])
        _ = screen.receive(Self.contents([Self.notification("1", "Nr 1")], isPaused: true))
        #expect(screen.lines(Self.plain)[0].hasSuffix("paused · 1 of 1"))
        #expect(screen.receive(.key(.character("p"))) == [.send(.resume, account: "")])
    }

    @Test("Help is scrolled, and ends with any other key") func help() {
        var screen = Self.screen(columns: 40, rows: 10)
        _ = screen.receive(.key(.character("?")))
        let first = screen.lines(Self.plain)[1]
        _ = screen.receive(.key(.pageDown))
        #expect(screen.mode != .list && screen.lines(Self.plain)[1] != first)
        for _ in 0..<100 { _ = screen.receive(.key(.down)) }
        let end = screen.lines(Self.plain)[7...8]
        #expect(end.first?.contains("screen reader") == true && end.last?.contains("--plain") == true)
        _ = screen.receive(.key(.character("x")))
        #expect(screen.mode == .list)
    }

    @Test("All of the help can be read on a small terminal", arguments: [(40, 12), (30, 8)])
    func smallHelp(columns: Int, rows: Int) {
        var screen = Self.screen(columns: columns, rows: rows)
        let words = screen.help.flatMap { $0.split(separator: " ") }
        _ = screen.receive(.key(.character("?")))
        #expect(screen.lines(Self.plain).last?.hasPrefix("↑ ↓ scroll") == true)
        var shown: Set<Substring> = []
        var page: [String] = []
        while page != screen.lines(Self.plain) {
            page = screen.lines(Self.plain)
            #expect(page.allSatisfy { $0.columns <= columns })
            shown.formUnion(page.flatMap { $0.split(separator: " ") })
            _ = screen.receive(.key(.down))
        }
        #expect(words.filter { !shown.contains($0) } == [])
        _ = screen.receive(.key(.home))
        _ = screen.receive(.key(.character(" ")))
        #expect(screen.mode == .help(from: rows - 2))
    }

    @Test("Keys of the configuration replace the usual ones, in the help and the hints, too") func ownKeys() {
        var screen = Self.screen()
        let keys = ["quit": ["Q", "Control-X"], "undo": ["u"], "open": [], "nonsense": ["n"]]
        _ = screen.receive(Self.contents([Self.notification("1", "Nr 1")], keys: keys))
        #expect(screen.lines(Self.plain).last == "Enter show  r mark as read  e archive  ? help  Q quit")
        #expect(screen.receive(.key(.character("q"))) == [] && screen.receive(.key(.character("o"))) == [])
        #expect(screen.receive(.key(.character("u"))) == [.send(.undo, account: "work")])
        #expect(screen.help.contains { $0.hasPrefix("Q, Control-X ") })
        #expect(screen.receive(.key(.control("x"))) == [.quit])
    }

    @Test("Text from right to left is isolated in each column, also where it is cut") func isolation() {
        let hebrew = String(repeating: "שלום ", count: 40)
        for columns in [10, 20, 40, 80] {
            var screen = TestScreen(account: "work", columns: columns, rows: 10)
            var notification = Self.notification("1", hebrew, category: hebrew)
            notification.body = hebrew
            notification.url = "https://example.com/" + hebrew
            _ = screen.receive(Self.contents([notification]))
            for line in screen.lines(Terminal(columns: columns, hasColors: false)) {
                #expect(line.columns <= columns)
                let marks = line.unicodeScalars.filter { $0 == "\u{2068}" || $0 == "\u{2069}" }
                var depth = 0
                for mark in marks {
                    depth += mark == "\u{2068}" ? 1 : -1
                    #expect(depth >= 0)
                }
                #expect(depth == 0, "\(line)")
                let letters = line.unicodeScalars.contains { (0x05D0...0x05EA).contains($0.value) }
                #expect(!letters || !marks.isEmpty)
            }
        }
    }
}
