import Basics
import CSQLite
import FoundationEssentials
import Inbox
import Testing

@testable import Agent

@Suite struct StateStoreTests {
    private let one = StateStore.OutboxRow(number: 1, method: "MarkRead", arguments: ["a", "b \"\n\u{0}ü"], made: 77)
    private let two = StateStore.OutboxRow(number: 2, method: "MarkAllRead", arguments: [], made: -1)

    @Test("Pending actions survive a restart") func outboxPersistence() async throws {
        try await StatePath.with { path in
            do {
                let (store, notices) = StatePath.store(path)
                try await store.replace([], by: [one, two], in: .actions, of: "work")
                try await store.replace([], by: [two], in: .actions, of: "home")
                #expect(notices.all.isEmpty)
            }
            let store = StatePath.store(path).store
            #expect(try await store.rows(in: .actions, of: "work") == [one, two])
            #expect(try await store.rows(in: .actions, of: "home") == [two])
            #expect(try await store.rows(in: .actions, of: "nobody") == [])
            try await store.replace(
                [1],
                by: [.init(number: 3, method: "MarkUnread", arguments: ["a"], made: 0)],
                in: .actions,
                of: "work"
            )
            try await store.replace([2, 9], by: [], in: .actions, of: "work")
            #expect(try await store.rows(in: .actions, of: "work").map(\.number) == [3])
            #expect(try await store.rows(in: .actions, of: "home") == [two])
        }
    }

    @Test("When a request was begun survives a restart, until it is over") func begunRequest() async throws {
        try await StatePath.with { path in
            do {
                let store = StatePath.store(path).store
                try await store.replace([], by: [one, two], begun: [1: 99], in: .actions, of: "work")
            }
            let store = StatePath.store(path).store
            #expect(try await store.rows(in: .actions, of: "work").map(\.begun) == [99, nil])
            try await store.replace([], by: [], begun: [1: 0, 2: 100], in: .actions, of: "work")
            #expect(try await store.rows(in: .actions, of: "work").map(\.begun) == [nil, 100])
        }
    }

    @Test("Only the owner can read the file and its directory") func permissions() async throws {
        try await StatePath.with { path in
            let store = StatePath.store(path).store
            try await store.replace([], by: [one], in: .actions, of: "work")
            for name in ["", "-wal"] {
                let attributes = try FileManager.default.attributesOfItem(atPath: path + name)
                #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
            }
            let directory = String(path.dropLast("/feedbell.sqlite3".count))
            #expect(try FileManager.default.attributesOfItem(atPath: directory)[.posixPermissions] as? Int == 0o700)
        }
    }

    /// Text, an empty page, a page overwritten in the middle, a database with a hole.
    @Test("A damaged file is renamed, and a new one is created", arguments: ["no database", "header", "page", "cut"])
    func damagedFile(damage: String) async throws {
        try await StatePath.with { path in
            do {
                let store = StatePath.store(path).store
                for number in 1...400 {
                    let row = StateStore.OutboxRow(
                        number: Int64(number),
                        method: "MarkRead",
                        arguments: ["\(number)"],
                        made: 0
                    )
                    try await store.replace([], by: [row], in: .actions, of: "work")
                }
            }
            var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
            #expect(bytes.count > 8192)
            switch damage {
            case "no database": bytes = Array("What a nice day.".utf8)
            case "header": bytes.replaceSubrange(0..<16, with: [UInt8](repeating: 7, count: 16))
            case "page": bytes.replaceSubrange(4096..<6000, with: [UInt8](repeating: 0xA5, count: 1904))
            default: bytes.removeLast(4096)
            }
            try Data(bytes).write(to: URL(filePath: path))
            let (store, notices) = StatePath.store(path)
            #expect(try await store.rows(in: .actions, of: "work") == [])
            let notice = try #require(notices.all.first?.problem)
            #expect(notice.hasPrefix("\"\(path)\" is damaged ("))
            #expect(notice.hasSuffix("It was moved to \"\(path).aside-1\", and a new file was created."))
            #expect([UInt8](try Data(contentsOf: URL(filePath: path + ".aside-1"))) == bytes)
            try await store.replace([], by: [one], in: .actions, of: "work")
            #expect(try await StatePath.store(path).store.rows(in: .actions, of: "work") == [one])
        }
    }

    @Test("A file of another version is renamed", arguments: [("a later", 1), ("an earlier", -1)] as [(String, Int64)])
    func otherVersion(age: String, difference: Int64) async throws {
        try await StatePath.with { path in
            for attempt in 1...2 {
                #expect(try await StatePath.store(path).store.rows(in: .actions, of: "work") == [])
                do {
                    let database = try Database(path)
                    try database.execute("PRAGMA user_version = \(Schema.version + difference)")
                }
                let (store, notices) = StatePath.store(path)
                try await store.replace([], by: [one], in: .actions, of: "work")
                #expect(
                    notices.all.map(\.problem) == [
                        """
                        "\(path)" was written by \(age) version of Feedbell. It was moved to \
                        "\(path).aside-\(attempt)", and a new file was created.
                        """
                    ]
                )
                try await store.replace([1], by: [], in: .actions, of: "work")
            }
            let kept = try Database(path + ".aside-2")
            #expect(try kept.query("PRAGMA user_version") == [[.integer(Schema.version + difference)]])
        }
    }

    /// A flipped bit, no version.
    @Test("A file with a wrong version number is damaged", arguments: [-1, .min, 0] as [Int64])
    func wrongVersion(version: Int64) async throws {
        try await StatePath.with { path in
            try await StatePath.store(path).store.replace([], by: [one], in: .actions, of: "work")
            do { try Database(path).execute("PRAGMA user_version = \(max(version, Int64(Int32.min)))") }
            let (store, notices) = StatePath.store(path)
            #expect(try await store.rows(in: .actions, of: "work") == [])
            let notice = try #require(notices.all.first?.problem)
            #expect(notice.hasPrefix("\"\(path)\" is damaged ("))
            #expect(notice.hasSuffix("It was moved to \"\(path).aside-1\", and a new file was created."))
            try await store.replace([], by: [two], in: .actions, of: "work")
            #expect(try await StatePath.store(path).store.rows(in: .actions, of: "work") == [two])
        }
    }

    @Test("A file of this version without a table of it is damaged") func missingTable() async throws {
        try await StatePath.with { path in
            _ = try await StatePath.store(path).store.popups()
            do { try Database(path).execute("DROP TABLE deliveries") }
            let (store, notices) = StatePath.store(path)
            try await store.keep([.delivered(account: "work", [:], watermark: 5)])
            #expect(notices.all.first?.problem?.contains("no such table: deliveries") == true)
            #expect(try await StatePath.store(path).store.deliveries(of: "work").watermark == 5)
        }
    }

    @Test("Opening a file checks all of its tables") func checkedColumns() throws {
        let database = try Database(":memory:")
        #expect(try Schema.prepare(database) == Schema.version)
        let tables = try database.query("SELECT name FROM sqlite_master WHERE type = 'table'").map { $0[0].text }
        let columns = try tables.map { table in
            (table, try database.query("SELECT name FROM pragma_table_info('\(table)')").map { $0[0].text })
        }
        let checked = Schema.columns.mapValues { $0.split(separator: ", ").map(String.init).sorted() }
        #expect(Dictionary(uniqueKeysWithValues: columns).mapValues { $0.sorted() } == checked)
    }

    @Test("A pause of popups survives a restart") func pause() async throws {
        try await StatePath.with { path in
            do {
                let store = StatePath.store(path).store
                #expect(try await store.pause() == nil)
                try await store.setPause(0)
                #expect(try await store.pause() == 0)
                try await store.setPause(1_700_000_000_000)
            }
            let store = StatePath.store(path).store
            #expect(try await store.pause() == 1_700_000_000_000)
            try await store.setPause(nil)
            #expect(try await store.pause() == nil)
        }
    }

    @Test("A path that cannot be used is reported once, and the contents stay in memory") func unusablePath()
        async throws
    {
        let (store, notices) = StatePath.store("/proc/nowhere/feedbell.sqlite3")
        try await store.replace([], by: [one], in: .actions, of: "work")
        #expect(try await store.rows(in: .actions, of: "work") == [one])
        try await store.replace([1], by: [two], in: .actions, of: "work")
        #expect(notices.all.count == 1)
        #expect(notices.all.first?.problem?.hasPrefix("Cannot use \"/proc/nowhere/feedbell.sqlite3\": ") == true)
    }

    @Test("Records of shown popups survive a restart") func shownPersistence() async throws {
        try await StatePath.with { path in
            var popup = Self.popup()
            (popup.open.thread, popup.open.markSeen, popup.open.isResident) = ("topic work a b", .never, true)
            (popup.popup.icon, popup.popup.picture) = ("/a.png", "/cache/b.png")
            do {
                let store = StateStore(path: path) { _ in }
                #expect(try await store.deliveries() == [:])
                #expect(try await store.deliveries(of: "work") == .init())
                try await store.keep([
                    .delivered(account: "work", ["a": 10, "b": 20], watermark: 5),
                    .delivered(account: "home", ["a": 1], watermark: nil), .keep(server: "bus :1.2", id: .max, popup),
                    .keep(server: "bus :1.2", id: 2, Self.popup()), .forget(server: "bus :1.2", ids: [2, 3]),
                ])
            }
            let store = StateStore(path: path) { _ in }
            #expect(
                try await store.deliveries()
                    == ["work": .init(watermark: 5, shown: ["a": 10, "b": 20]), "home": .init(shown: ["a": 1])]
            )
            #expect(try await store.popups() == ["bus :1.2": [.max: popup]])
            try await store.keep([.delivered(account: "work", ["c": 30], watermark: 11), .forgetServers(except: "x")])
            #expect(try await store.deliveries(of: "work") == .init(watermark: 11, shown: ["b": 20, "c": 30]))
            #expect(try await store.popups() == [:])
        }
    }

    private static func popup(body: String = "a\u{0}ü") -> SavedPopup {
        let buttons = [
            Popup.Button(key: "default", label: "Öffnen: 1:a", url: OpenableURL(saved: "https://x.org/")),
            Popup.Button(key: "a", label: "", url: nil),
        ]
        return SavedPopup(
            open: OpenPopup(
                references: [.init(account: "suprsend:anna", id: "01"), .init(account: "work", id: "3:b")],
                count: 9,
                buttons: buttons,
                urgency: 2,
                expires: 1_700_000_000_000,
                titles: ["", "ü", "\n"],
                isSummary: true
            ),
            popup: Popup(
                summary: "Sale",
                body: body,
                buttons: buttons,
                category: "im",
                urgency: 2,
                isResident: true
            )
        )
    }

    @Test("A popup with a URL that must not be opened is not restored") func forbiddenURL() async throws {
        let store = StateStore()
        try await store.keep([
            .keep(server: "bus :1.2", id: 1, Self.popup()), .keep(server: "bus :1.2", id: 2, Self.popup()),
        ])
        try await store.write(durably: false) { (database) throws(StoreError) in
            let buttons = TextList.encode(["default", "Open", "https://bank.example@evil.example/"])
            try database.run("UPDATE popups SET buttons = ? WHERE id = 2", .text(buttons))
        }
        #expect(try await store.popups() == ["bus :1.2": [1: Self.popup()]])
    }

    @Test("Snoozes survive a restart, until they are ended") func snoozes() async throws {
        try await StatePath.with { path in
            do {
                let store = StatePath.store(path).store
                let begun: [NotificationID: Snoozes.Snooze] = [
                    "a": .init(until: 5, wasRead: false), "b": .init(until: 6, wasRead: true),
                    "c": .init(until: 7, wasRead: true),
                ]
                try await store.replaceSnoozes([], by: begun, of: "work")
                try await store.replaceSnoozes(["b"], by: ["c": .init(until: 9, wasRead: false)], of: "work")
                try await store.keep([.snoozesShown(account: "work", ["a", "c"], now: 5)])
            }
            let store = StatePath.store(path).store
            #expect(try await store.snoozes(of: "work") == ["c": .init(until: 9, wasRead: false)])
            #expect(try await store.snoozes(of: "home") == [:])
        }
    }

    @Test("A list of texts is read as it was written, and a cut one up to the cut") func textLists() {
        let texts = ["", "a", "3:abc", "ü€😀", "\u{0}\n", String(repeating: "x", count: 1000)]
        #expect(TextList.decode(TextList.encode(texts)) == texts)
        #expect(TextList.encode(["a", "ü"]) == "1:a2:ü")
        #expect(TextList.decode("") == [])
        #expect(TextList.decode("1:a9:b") == ["a"])
        #expect(TextList.decode("1:ax") == ["a"])
        #expect(TextList.decode("-1:a") == [])
    }

    @Test("A transaction is atomic") func transaction() throws {
        let database = try Database(":memory:")
        try database.execute("CREATE TABLE t (n INTEGER PRIMARY KEY)")
        #expect(throws: StoreError.self) {
            try database.transaction { () throws(StoreError) in
                try database.run("INSERT INTO t VALUES (?)", .integer(1))
                try database.run("INSERT INTO t VALUES (?)", .integer(1))
            }
        }
        #expect(try database.query("SELECT * FROM t") == [])
    }
}
