import DBus
import TestSupport
import Testing

@testable import feedbell

/// The tables, as files hold them. On terminals of two widths, and elsewhere.
@Suite struct TableTests {
    /// Noon of a day, so that it is the same day nearly everywhere, and what clocks here show for it.
    private let now: Int64 = 1_763_726_400_000
    private let terminals: [(name: String, terminal: Terminal?)] = [
        ("80", Terminal(columns: 80, hasColors: false)), ("40", Terminal(columns: 40, hasColors: false)),
        ("80-colors", Terminal(columns: 80, hasColors: true)), ("pipe", nil),
    ]

    /// Compares each form with its file. Times read as in UTC.
    private func compare(_ name: String, times: [Int64: String], _ text: (Terminal?) -> String) throws {
        for (form, terminal) in terminals {
            var text = text(terminal)
            for (time, name) in times { text = text.replacing(LocalTime(time).text(now: now), with: name) }
            try Snapshot.expect(text.replacing("\u{1B}", with: "ESC"), is: "\(name)-\(form)")
        }
    }

    @Test func status() throws {
        let working = StatusReport.Account(
            name: "work",
            provider: "suprsend",
            user: "anna@example.com",
            state: "online",
            since: now - 60_000,
            nextAttempt: 0,
            error: "",
            unread: 3,
            pending: 1
        )
        var failing = working
        failing.name = "home"
        failing.state = "offline"
        failing.nextAttempt = now + 12_000
        failing.error = "The service cannot be reached: the name hub.suprsend.com is not known. Is the network there?"
        (failing.unread, failing.pending) = (0, 0)
        let report = StatusReport(
            version: "0.1.0",
            unread: 3,
            needsAttention: false,
            isPaused: true,
            pausedUntil: now + 3_600_000,
            heldBack: ["do-not-disturb", "pause", "quiet"],
            accounts: [working, failing]
        )
        try compare("status", times: [now - 60_000: "11:59", now + 3_600_000: "13:00"]) { report.text(now: now, $0) }
    }

    @Test func list() throws {
        func notification(
            _ id: String,
            _ title: String,
            _ body: String,
            read: Bool = false,
            pinned: Bool = false,
            age: Int64
        )
            -> [String: Value]
        {
            [
                "id": .string(id), "title": .string(title), "body": .string(body), "pinned": .bool(pinned),
                "read": .int64(read ? now : 0), "created": .int64(now - age),
            ]
        }
        let table = NotificationTable(
            notifications: [
                notification("01K1VNB0E0EXPRE00000000001", "Pinned", "stays on top", pinned: true, age: 60_000),
                notification(
                    "01K1VNB0E0EXPRE00000000002",
                    "Build 4711 finished",
                    "main built,\nall tests passed",
                    age: 120_000
                ),
                notification(
                    "01K2AAB0E0EXPRE00000000003",
                    "日本語の見出しはひろい 👨‍👩‍👧",
                    "本文もひろい、とてもひろいので切られる、とても",
                    age: 180_000
                ),
                notification(
                    "01K2BAB0E0EXPRE00000000004",
                    "",
                    "no title, \u{1B}[31m\tbut a body",
                    read: true,
                    age: 240_000
                ),
                notification(
                    "01K2CAB0E0EXPRE00000000005",
                    String(repeating: "long ", count: 30),
                    "x",
                    read: true,
                    age: 300_000
                ),
            ],
            now: now
        )
        let times =
            [60_000: "11:59", 120_000: "11:58", 180_000: "11:57", 240_000: "11:56", 300_000: "11:55"] as [Int64: String]
        try compare("list", times: Dictionary(uniqueKeysWithValues: times.map { (now - $0, $1) })) {
            $0.map(table.text) ?? table.lines
        }
        for (_, terminal) in terminals.dropLast() {
            let lines = table.text(terminal!).split(separator: "\n")
            #expect(lines.allSatisfy { String($0).columns <= terminal!.columns })
        }
    }

    @Test func preferences() throws {
        func category(
            _ section: String,
            _ name: String,
            _ id: String,
            _ channels: [(String, String, Bool)],
            on: Bool = true,
            editable: Bool = true
        )
            -> [String: Value]
        {
            [
                "section": .string(section), "name": .string(name), "category": .string(id),
                "preference": .string(on ? "opt_in" : "opt_out"), "editable": .bool(editable),
                "channels": Value(channels.map { Structure($0.0, $0.1, $0.2) }),
            ]
        }
        let report = PreferencesReport(
            categories: [
                category(
                    "",
                    "Security",
                    "security",
                    [("email", "opt_in", false), ("inbox", "opt_in", false)],
                    editable: false
                ),
                category(
                    "Offers",
                    "Refund news",
                    "refund-news",
                    [("email", "opt_in", false), ("inbox", "opt_out", true)]
                ),
                category("Offers", "新着情報のお知らせ", "news", [("sms", "opt_out", true)], on: false),
                category("", "Mentions", "mentions", [("inbox", "opt_in", true)]),
            ],
            levels: [("email", "all"), ("inbox", "required")]
        )
        try compare("preferences", times: [:]) { $0.flatMap(report.table) ?? report.text }
    }
}
