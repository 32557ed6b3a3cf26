import AgentInterface
import DBus
import TestSupport
import Testing
import VisibleText

@testable import feedbell

/// The tables on terminals of two widths and in a pipe, compared with files.
@Suite struct TableTests {
    /// Noon in UTC: the same day in nearly every time zone.
    private let now: Int64 = 1_763_726_400_000
    private let terminals: [(name: String, terminal: Terminal?)] = [
        ("80", Terminal(columns: 80, hasColors: false)), ("40", Terminal(columns: 40, hasColors: false)),
        ("80-colors", Terminal(columns: 80, hasColors: true)), ("pipe", nil),
    ]

    /// Compares each form with its file. Local times are replaced by those in UTC.
    private func compare(
        _ name: String,
        times: [Int64: String],
        on terminals: [(name: String, terminal: Terminal?)]? = nil,
        _ text: (Terminal?) -> String
    ) throws {
        for (form, terminal) in terminals ?? self.terminals {
            var text = text(terminal)
            for (time, name) in times { text = text.replacing(LocalTime(time).text(now: now), with: name) }
            try Snapshot.expect(text.replacing("\u{1B}", with: "ESC"), is: "\(name)-\(form)")
        }
    }

    @Test("status") func status() throws {
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
        (failing.unread, failing.pending) = (nil, 0)
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

    @Test("On a terminal, accounts are a table that fits its width") func accounts() {
        let rows = [["work", "suprsend", "anna@example.com", "online"], ["my home", "magicbell", "anna", "offline"]]
        #expect(
            ListAccounts.table(rows, Terminal(columns: 80, hasColors: false)) == [
                "work     suprsend   anna@example.com  online", "my home  magicbell  anna              offline",
            ]
        )
        #expect(
            ListAccounts.table(rows, Terminal(columns: 24, hasColors: false)) == [
                "work     suprsend   ann…", "my home  magicbell  ann…",
            ]
        )
        let colors = ListAccounts.table(rows, Terminal(columns: 80, hasColors: true))
        #expect(colors[0].hasSuffix("  \u{1B}[32monline\u{1B}[0m") && colors[1].contains("\u{1B}[33moffline"))
    }

    @Test("list") func list() throws {
        func notification(
            _ id: String,
            _ title: String,
            _ body: String,
            read: Bool = false,
            pinned: Bool = false,
            age: Int64
        )
            -> NotificationRecord
        {
            var notification = NotificationRecord()
            (notification.id, notification.title, notification.body) = (id, title, body)
            (notification.isPinned, notification.read, notification.created) = (pinned, read ? now : 0, now - age)
            return notification
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

    @Test("Notifications of several accounts have a column with the account, pinned first, then newest")
    func severalAccounts() {
        func notification(_ id: String, _ account: String, age: Int64, pinned: Bool = false) -> NotificationRecord {
            var notification = NotificationRecord()
            (notification.id, notification.title, notification.account) = (id, "T", account)
            (notification.created, notification.isPinned) = (now - age, pinned)
            return notification
        }
        var released = notification("F000", "work", age: 1, pinned: true)
        released.read = now
        let work = [
            notification("A000", "work", age: 9, pinned: true), released, notification("B000", "work", age: 2),
            notification("C000", "work", age: 5),
        ]
        let home = [notification("D000", "my home", age: 3), notification("E000", "my home", age: 5)]
        let merged = NotificationOrder.merged([work, home, []])
        #expect(merged.map(\.id) == ["A000", "F000", "B000", "D000", "C000", "E000"])
        let table = NotificationTable(notifications: merged, now: now, hasAccounts: true)
        let lines = table.text(Terminal(columns: 60, hasColors: false)).split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasSuffix("  T") } && Set(lines.map { String($0).columns }).count == 1)
        #expect(lines[0].contains("A000  work     ") && lines[3].contains("D000  my home  "))
        #expect(table.lines.split(separator: "\n")[3] == "D000\tunread\t\(now - 3)\tT\tmy home")
    }

    @Test("A list shortens only ids that are resolved to the same notification") func shortIDs() {
        func notification(_ id: String) -> NotificationRecord {
            var notification = NotificationRecord()
            (notification.id, notification.title, notification.created) = (id, "T", now)
            return notification
        }
        let loaded = ["01K1VNB1", "01K1VNB2", "01K2"].map(notification)
        let terminal = Terminal(columns: 80, hasColors: false)
        func ids(_ table: NotificationTable) -> [String] {
            table.text(terminal).split(separator: "\n").map { String($0.split(separator: " ")[1]) }
        }
        let unread = [loaded[0], loaded[2]]
        #expect(ids(NotificationTable(notifications: unread, now: now)) == ["01K1", "01K2"])
        #expect(ids(NotificationTable(notifications: unread, now: now, loaded: loaded)) == ["01K1VNB1", "01K2"])
        let archived = [notification("01K2ARCHIVED")]
        #expect(ids(NotificationTable(notifications: archived, now: now, loaded: loaded)) == ["01K2ARCHIVED"])
    }

    @Test("preferences") func preferences() throws {
        func category(
            _ section: String,
            _ name: String,
            _ id: String,
            _ channels: [(name: String, preference: PreferenceSwitch, isEditable: Bool)],
            _ preference: PreferenceSwitch = .on,
            editable: Bool = true
        ) -> CategoryRecord {
            var category = CategoryRecord()
            (category.section, category.name, category.id) = (section, name, id)
            (category.preference, category.isEditable) = (preference, editable)
            category.channels = channels.map { CategoryChannel(name: $0, preference: $1, isEditable: $2) }
            return category
        }
        var news = category("Offers", "新着情報のお知らせ", "news", [("sms", .off, true)], .off)
        var digest = DigestRecord()
        (digest.id, digest.weekdays, digest.time, digest.start) = ("weekly", ["mo", "th"], "09:00", "2026-01-31")
        digest.monthdays = [DigestMonthDay(-1), DigestMonthDay(1, weekdays: ["sa", "su"])]
        digest.editable = ["weekdays", "monthdays", "time"]
        news.digest = digest.values
        var (number, list) = (PropertyRecord(), PropertyRecord())
        (number.id, number.label, number.value, number.isEditable) = ("min", "Smallest amount", .int64(5), true)
        (list.id, list.value) = ("tags", Value(["one", "two\u{1B}[31m"]))
        news.properties = [number.values, list.values, PropertyRecord(["property": .string("unset")]).values]
        let report = PreferencesReport(
            categories: [
                category(
                    "",
                    "Security",
                    "security",
                    [("email", .on, false), ("inbox", .on, false)],
                    editable: false
                ),
                category(
                    "Offers",
                    "Refund news",
                    "refund-news",
                    [("email", .on, false), ("inbox", .off, true)]
                ),
                news,
                category("", "Mentions", "mentions", [("inbox", .on, true)]),
            ],
            levels: [("email", "all"), ("inbox", "required")]
        )
        try compare("preferences", times: [:]) { $0.flatMap(report.table) ?? report.text }
    }

    @Test("Descriptions of sections and categories: in a wide terminal, and in full with --long") func descriptions()
        throws
    {
        let text = String(repeating: "What our shop has to offer. ", count: 3) + "Always."
        let categories = [
            ("Offers", "Deals", "news", text), ("Offers", "Deals", "sale", ""), ("", "", "other", "x\ty"),
        ]
        let records = categories.map { section, sectionText, name, text in
            var category = CategoryRecord()
            (category.section, category.sectionDescription, category.description) = (section, sectionText, text)
            (category.id, category.name, category.isEditable) = (name, name, true)
            category.channels = [CategoryChannel(name: "inbox", preference: .on, isEditable: true)]
            return category
        }
        let wide: [(name: String, terminal: Terminal?)] = [
            ("50", Terminal(columns: 50, hasColors: false)), ("100", Terminal(columns: 100, hasColors: true)),
        ]
        for isLong in [false, true] {
            let report = PreferencesReport(categories: records, levels: [], isLong: isLong)
            let name = isLong ? "preferences-long" : "preferences-wide"
            try compare(name, times: [:], on: wide + [("pipe", nil)]) { $0.flatMap(report.table) ?? report.text }
            for (_, terminal) in wide {
                let lines = try #require(report.table(terminal!)).replacing(/\u{1B}\[[0-9]*m/, with: "").split(
                    separator: "\n"
                )
                #expect(lines.allSatisfy { String($0).columns <= terminal!.columns })
            }
        }
    }
}
