import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Sandbox
import Subprocess
import TestSupport
import Testing

/// `feedbell inbox` in a real terminal, at three sizes.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct InboxSnapshotTests {
    /// 09:00 UTC, three days ago: old ones are not kept, and those of today have no date.
    private static let time = (Int64(Date().timeIntervalSince1970) / 86_400 - 3) * 86_400_000 + 9 * 3_600_000

    private static func row(_ number: Int64, _ fields: [String: JSON]) -> JSON {
        .object(fields.merging(["created_on": .integer(time + number * 60_000)]) { $1 })
    }

    /// In nine days, twelve hours and a half: for half an hour the countdown is the same, and so is its width.
    private static let expiry = Int64(Date().timeIntervalSince1970 * 1000) + (9 * 86_400 + 45_000) * 1000

    private static let rows: [JSON] = [
        row(1, ["header": "Build 4711 finished", "text": "main built in 6 min", "url": "https://ci.example.com/4711"]),
        row(2, ["header": "日本語の通知が届きました", "text": "長い本文はここで切れます。長い本文はここで切れます。長い本文"]),
        row(3, ["header": "שלום עולם", "text": "הודעה חדשה 123 (abc)", "url": "https://example.com/shalom"]),
        row(4, ["header": "👩‍👩‍👧 Family 🎉", "text": "Dinner at eight?", "n_category": "family"]),
        row(
            5,
            [
                "header": "Half price", "text": "For a long time.", "is_expiry_visible": true,
                "expiry": .integer(expiry), "url": "https://shop.example.com/sale",
                "actions": [
                    ["name": "Buy", "url": "https://shop.example.com/buy"],
                    ["name": "Later", "url": "https://shop.example.com/later"],
                ],
            ]
        ),
    ]

    @Test(
        "List, buttons, search, snooze, undo and preferences fit the terminal",
        .sandbox(users: ["anna"]),
        arguments: [(80, 24), (120, 40), (40, 10)]
    )
    func sizes(_ columns: Int, _ rows: Int) async throws {
        // A search needs the copy of the inbox in the agent's state.
        try await TemporaryFile.with(AgentConfiguration.account()) { file in
            try await BuiltAgent.keepingState(beside: file) { agent in
                try await show(agent, columns, rows)
            }
        }
    }

    @Test("The cursor follows the selected row", .sandbox(users: ["anna"])) func cursor() async throws {
        try await BuiltAgent.alone { agent in
            try await Sandbox.current.execute("publish", ["notifications": .array(Self.rows)])
            try await agent.waitForList(count: Self.rows.count)
            try await TmuxTerminal.with(["feedbell", "inbox"], columns: 80, rows: 24) { terminal in
                _ = try await terminal.screen(with: "1 of 5")
                #expect(try await terminal.cursor() == [1, 0])
                try await terminal.press("Down", "Down")
                _ = try await terminal.screen(with: "3 of 5")
                #expect(try await terminal.cursor() == [3, 0])
            }
        }
    }

    private func show(_ agent: BuiltAgent, _ columns: Int, _ rows: Int) async throws {
        try await Sandbox.current.execute("publish", ["notifications": .array(Self.rows)])
        try await agent.waitForList(count: Self.rows.count)
        try await agent.account.wait(AgentInbox.unreadCount, is: UInt32(Self.rows.count))
        var screens: [(name: String, text: String)] = []
        try await TmuxTerminal.with(["feedbell", "inbox"], columns: columns, rows: rows) { terminal in
            func keep(_ name: String, when text: String) async throws {
                screens.append((name, try await terminal.screen(with: text)))
            }
            try await keep("list with buttons and countdown", when: "1 of 5")
            try await terminal.press("Down", "Down")
            try await keep("text from right to left", when: "3 of 5")
            try await terminal.press("Space", "Space")
            try await keep("marks", when: "2 marked")
            try await terminal.press("a")
            try await keep("undo", when: "2 notifications archived")
            try await terminal.press("U")
            _ = try await terminal.screen(with: "Taken back")
            // The list and its number come one after the other.
            _ = try await terminal.screen(with: "3 of 5")
            try await keep("taken back", when: "[Inbox (5)]")
            try await terminal.press("z", "C-u", "2037-12-01")
            try await keep("snooze", when: "2037-12-01 09:00")
            // Alone: with a key after it, it would be Alt.
            try await terminal.press("Escape")
            _ = try await terminal.screen(with: "Enter show")
            try await terminal.press("/", "b", "u", "i")
            try await keep("search", when: "bui▏")
            try await terminal.press("Enter")
            try await keep("found", when: "1 of 1")
            try await terminal.press("Enter")
            try await keep("text", when: "[Inbox (4)]")
            try await terminal.press("q", "Escape")
            _ = try await terminal.screen(with: "of 5")
            try await terminal.press("P")
            try await keep("preferences", when: "Refund news")
        }
        let text = screens.map { "== \($0.name)\n\($0.text)" }.joined()
        // The day is another one in each run.
        let steady = text.replacing(/[0-9]{4}-[0-9]{2}-[0-9]{2}/, with: "2020-11-20")
        try Snapshot.expect(steady, is: "inbox/\(columns)x\(rows)")
    }
}
