import AgentInterface
import Testing
import VisibleText

@testable import feedbell

/// Texts from the network in each view of `feedbell inbox`: no control characters, no reordering, no line too wide.
@Suite struct InboxScreenHostileTests {
    private static let now: Int64 = 1_763_726_400_000
    private static let hostile = "a\u{1B}[31m\u{1B}]0;t\u{7}\u{9B}2J\u{202E}b\r\n\u{2028}\u{2066}c\u{0}"

    private static func screen(columns: Int, rows: Int) -> TestScreen {
        var notification = NotificationRecord()
        (notification.id, notification.title, notification.body) = ("n1", hostile, "שלום " + hostile + " 日本語 👩‍👩‍👧")
        (notification.subtext, notification.url) = (hostile, "https://example.com/" + hostile)
        (notification.account, notification.category, notification.created) = ("work", hostile, now)
        let account = AccountState.reported(
            "work",
            unread: 1,
            tabs: [("t", hostile, 1)],
            capabilities: [.preferences, .categoryPreferences]
        )
        var screen = TestScreen(columns: columns, rows: rows)
        let contents = TestScreen.Contents(
            accounts: [account],
            notifications: [notification],
            now: now
        )
        _ = screen.receive(contents)
        return screen
    }

    private func expectHarmless(_ screen: TestScreen, _ view: String) {
        let terminal = Terminal(columns: screen.columns, hasColors: false)
        let lines = screen.lines(terminal)
        #expect(lines.count == screen.rows, "\(view)")
        for line in lines {
            // The screen itself writes the selection in exchanged colors, and closed isolates.
            let text = line.replacing("\u{1B}[7m", with: "").replacing("\u{1B}[0m", with: "")
            let scalars = text.unicodeScalars
            let isHarmless = scalars.allSatisfy {
                $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && !(0x202A...0x202E).contains($0.value)
                    && !(0x2028...0x2029).contains($0.value) && !(0x2066...0x2067).contains($0.value)
            }
            #expect(isHarmless, "\(view): \(text.debugDescription)")
            #expect(scalars.count { $0 == "\u{2068}" } == scalars.count { $0 == "\u{2069}" }, "\(view): \(text)")
            #expect(text.columns <= screen.columns, "\(view): \(text)")
        }
    }

    @Test("Each view is harmless at each size", arguments: [(80, 24), (120, 40), (40, 10), (12, 4)])
    func views(_ columns: Int, _ rows: Int) {
        var screen = Self.screen(columns: columns, rows: rows)
        expectHarmless(screen, "list")
        _ = screen.receive(.key(.character("f")))
        expectHarmless(screen, "category")
        screen = Self.screen(columns: columns, rows: rows)
        _ = screen.receive(.key(.enter))
        expectHarmless(screen, "text")
        screen = Self.screen(columns: columns, rows: rows)
        _ = screen.receive(.key(.character("P")))
        var category = CategoryRecord()
        (category.id, category.name, category.description) = ("c", Self.hostile, Self.hostile)
        category.channels = [CategoryChannel(name: Self.hostile, preference: .on, isEditable: true)]
        _ = screen.receive(.preferencesLoaded(account: "work", [category], failure: nil))
        expectHarmless(screen, "preferences")
        _ = screen.receive(.preferencesLoaded(account: "work", [], failure: Self.hostile))
        expectHarmless(screen, "failure")
        screen = Self.screen(columns: columns, rows: rows)
        _ = screen.receive(.finished(.inbox(.refresh), account: "work", failure: Self.hostile))
        expectHarmless(screen, "notice")
        for sentence in screen.spoken { #expect(!sentence.contains("\u{1B}") && !sentence.contains("\u{202E}")) }
    }

    @Test("The words that the user types stay while the terminal changes its size") func resizedSearch() {
        var screen = Self.screen(columns: 80, rows: 24)
        for character in "/build main" { _ = screen.receive(.key(.character(character))) }
        for (columns, rows) in [(40, 10), (8, 3), (1, 1), (120, 40)] {
            #expect(screen.receive(.resized(columns: columns, rows: rows)) == [])
            expectHarmless(screen, "search")
            #expect(screen.mode == .search("build main"))
        }
        #expect(screen.lastLine == "Search: build main▏")
        _ = screen.receive(.key(.enter))
        #expect(screen.query.search == "build main")
    }
}
