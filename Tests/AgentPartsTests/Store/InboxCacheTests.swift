import Basics
import Foundation
import Inbox
import TestSupport
import Testing

@testable import Agent

/// Not Foundation's.
private typealias Notification = Inbox.Notification

/// The copies of the inboxes.
@Suite(.timeLimit(.minutes(5))) struct InboxCacheTests {
    private static let day: Int64 = 86_400_000

    @Test("Changes are read at once, and are in the file after the end") func restart() async throws {
        try await StatePath.with { path in
            let kept = Self.store(path)
            await kept.keep(["anna"], .init())
            kept.record(.put([.sample("a", time: 1), .sample("b", time: 3), .sample("c", time: 2)]), of: "anna")
            let counts = Counts(unread: 7, badge: 0, tabs: ["x": 1, "\u{301}": 2])
            kept.record(CachedInbox(asOf: nil, lastEvent: 5, hasMore: true, counts: counts), of: "anna")
            #expect(await kept.ids() == ["b", "c", "a"])
            kept.record(.remove(["c"]), of: "anna")
            kept.record(.mark(.read, ids: ["a"], time: 9), of: "anna")
            await Self.end(kept)
            let next = Self.store(path, now: 99)
            await next.keep(["anna"], .init())
            #expect(await next.ids() == ["b", "a"])
            #expect(await next.list(of: "anna", isArchived: false, after: nil, limit: 9).found.map(\.read) == [nil, 9])
            let inbox = CachedInbox(asOf: 10, lastEvent: 5, hasMore: true, counts: counts)
            #expect(await next.inbox(of: "anna") == inbox, "as of the end, for it was current then")
            let attributes = try FileManager.default.attributesOfItem(atPath: Self.file(path))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test("Nothing of an account that is not configured any more is left in any file") func erasure() async throws {
        try await StatePath.with { path in
            let kept = Self.store(path)
            await kept.keep(["anna", "bob"], .init())
            for number in 0..<200 {
                kept.record(.put([.sample("a\(number)", time: 1, words: "cardamom \(number)")]), of: "anna")
                kept.record(.put([.sample("b\(number)", time: 2, words: "juniper \(number)")]), of: "bob")
                if number % 50 == 0 { _ = await kept.ids() }
            }
            #expect(await kept.ids(limit: 500).count == 200)
            #expect(try Self.files(path).contains { $0.range(of: Data("cardamom".utf8)) != nil })
            await kept.keep(["bob"], .init())
            for contents in try Self.files(path) {
                #expect(contents.range(of: Data("cardamom".utf8)) == nil)
                #expect(contents.range(of: Data("anna".utf8)) == nil)
            }
            #expect(try await kept.found("juniper", of: "bob").count == 200)
            kept.record(.put([.sample("late", time: 1, words: "cardamom")]), of: "anna")
            await Self.end(kept)
            #expect(try Self.files(path).allSatisfy { $0.range(of: Data("cardamom".utf8)) == nil })
        }
    }

    @Test("What could not be erased, for the disk was full or the agent was killed, is erased by the next run")
    func erasureLater() async throws {
        try await StatePath.with { path in
            var kept: InboxCache? = Self.store(path)
            await kept?.keep(["anna", "bob"], .init())
            kept?.record(.put((0..<200).map { .sample("a\($0)", time: 1, words: "cardamom \($0)") }), of: "anna")
            kept?.record(.put([.sample("b", time: 1, words: "juniper")]), of: "bob")
            _ = await kept?.ids()
            kept = nil
            do {
                // Another program reads the file, so that its log cannot be emptied.
                let reader = try Database(Self.file(path))
                try reader.execute("BEGIN; SELECT count(*) FROM notifications")
                let killed = Self.store(path)
                await killed.keep(["bob"], .init())
                #expect(try Self.files(path).contains { $0.range(of: Data("cardamom".utf8)) != nil })
            }
            let next = Self.store(path)
            await next.keep(["bob"], .init())
            for contents in try Self.files(path) { #expect(contents.range(of: Data("cardamom".utf8)) == nil) }
            #expect(try await next.found("juniper", of: "bob") == ["b"])
        }
    }

    @Test("With keep = 0 there is no file, and nothing to search") func nothingKept() async throws {
        try await StatePath.with { path in
            let kept = Self.store(path)
            await kept.keep(["anna"], .init())
            kept.record(.put([.sample("a", time: 1)]), of: "anna")
            #expect(await kept.ids() == ["a"])
            await kept.keep(["anna"], .init(count: 0))
            kept.record(.put([.sample("b", time: 1)]), of: "anna")
            #expect(await kept.ids() == [])
            let found = try await kept.search("anna", for: CacheSearch("a"), after: nil, limit: 1)
            #expect(found == nil)
            #expect(!FileManager.default.fileExists(atPath: Self.file(path)))
        }
    }

    @Test("The newest are kept, and none that is older than the limit, unless it is pinned") func limits() async throws
    {
        let kept = Self.store(nil, now: 200 * Self.day)
        await kept.keep(["anna"], .init(count: 100, days: 180))
        kept.record(CachedInbox(asOf: nil, lastEvent: nil, hasMore: false, counts: Counts()), of: "anna")
        let old = Notification(id: "pinned", created: 1, isPinned: true)
        kept.record(.put([CachedNotification(old, words: ""), .sample("old", time: 20 * Self.day - 1)]), of: "anna")
        kept.record(.put((0..<50).map { .sample("n\($0)", time: 20 * Self.day + Int64($0)) }), of: "anna")
        #expect(await kept.ids(limit: 100).count == 51)
        kept.record(.put((50..<250).map { .sample("n\($0)", time: 20 * Self.day + Int64($0)) }), of: "anna")
        let ids = await kept.ids(limit: 500)
        #expect(ids.count == 100 && ids.first == "pinned" && ids.last == "n151")
    }

    @Test(
        "The age counts while the copy was lately what the service has, so that a wrong clock removes nothing",
        arguments: [
            (200, 200, 20), (200, 199, 20), (200, 170, 20), (200, 169, nil), (200, 0, nil), (36_500, 200, nil),
            (190, 200, 10),
        ] as [(Int64, Int64, Int64?)]
    )
    func age(now: Int64, asOf: Int64, oldest: Int64?) {
        let limits = InboxCache.Limits(days: 180)
        #expect(limits.oldest(now: now * Self.day, asOf: asOf * Self.day) == oldest.map { $0 * Self.day })
    }

    @Test("A clock that is years ahead at a start leaves the copy as it is") func clockAhead() async throws {
        try await StatePath.with { path in
            let kept = Self.store(path, now: 200 * Self.day)
            await kept.keep(["anna"], .init())
            kept.record(.put((0..<50).map { .sample("n\($0)", time: 190 * Self.day + Int64($0)) }), of: "anna")
            kept.record(CachedInbox(asOf: nil, lastEvent: nil, hasMore: false, counts: Counts()), of: "anna")
            await Self.end(kept)
            let ahead = Self.store(path, now: 20_000 * Self.day)
            await ahead.keep(["anna"], .init(count: 4_000))
            ahead.record(.mark(.read, ids: ["n1"], time: Timestamp(milliseconds: 20_000 * Self.day)), of: "anna")
            let asOf = Timestamp(milliseconds: 200 * Self.day)
            ahead.record(CachedInbox(asOf: asOf, lastEvent: nil, hasMore: false, counts: Counts()), of: "anna")
            await ahead.keep(["anna"], .init())
            #expect(await ahead.ids(limit: 100).count == 50)
        }
    }

    @Test("A damaged file is replaced", arguments: ["zeros", "text", "version without tables"])
    func damage(kind: String) async throws {
        try await StatePath.with { path in
            var kept: InboxCache? = Self.store(path)
            await kept?.keep(["anna"], .init())
            kept?.record(.put((0..<300).map { .sample("n\($0)", time: Int64($0)) }), of: "anna")
            _ = await kept?.ids()
            // Closes the file.
            kept = nil
            let file = Self.file(path)
            var contents = try Data(contentsOf: URL(filePath: file))
            switch kind {
            case "zeros": contents.resetBytes(in: 4_096..<contents.count)
            case "text": contents = Data("not a database".utf8)
            default:
                let database = try Database(file)
                try database.execute("DROP TABLE inboxes; PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)")
                contents = try Data(contentsOf: URL(filePath: file))
            }
            try contents.write(to: URL(filePath: file))
            let notices = StatePath.Notices()
            let next = InboxCache(beside: StateStore(path: path) { notices.add($0) }) { 10 }
            await next.keep(["anna"], .init())
            _ = await next.ids()
            next.record(.put([.sample("new", time: 1)]), of: "anna")
            _ = await next.ids()
            next.record(.put([.sample("newer", time: 2)]), of: "anna")
            #expect(await next.ids() == ["newer", "new"])
            #expect(notices.all.contains { $0.problem?.contains("copy") == true })
        }
    }

    @Test("The file of another version is migrated: what both have in common stays", arguments: [3, 99])
    func otherVersion(version: Int) async throws {
        try await StatePath.with { path in
            var kept: InboxCache? = Self.store(path)
            await kept?.keep(["anna"], .init())
            kept?.record(.put((0..<300).map { .sample("n\($0)", time: Int64($0), words: "juniper") }), of: "anna")
            kept?.record(CachedInbox(asOf: 7, lastEvent: 5, hasMore: false, counts: Counts(unread: 2)), of: "anna")
            #expect(try await kept?.found("juniper").count == 300)
            kept = nil
            do {
                let database = try Database(Self.file(path))
                try database.execute(
                    """
                    ALTER TABLE notifications ADD COLUMN later TEXT NOT NULL DEFAULT 'x';
                    ALTER TABLE inboxes DROP COLUMN last_event;
                    CREATE TABLE later (a TEXT);
                    CREATE INDEX of_later ON later (a);
                    CREATE VIEW seen AS SELECT id, later FROM notifications;
                    CREATE TRIGGER added AFTER INSERT ON notifications BEGIN INSERT INTO later VALUES (new.id); END;
                    CREATE VIRTUAL TABLE other_words USING fts5 (text);
                    PRAGMA user_version = \(version);
                    """
                )
            }
            let notices = StatePath.Notices()
            let next = InboxCache(beside: StateStore(path: path) { notices.add($0) }) { 10 }
            await next.keep(["anna"], .init())
            #expect(await next.ids(limit: 500).count == 300)
            #expect(await next.inbox(of: "anna")?.counts == Counts(unread: 2))
            #expect(try await next.found("juniper").count == 300)
            next.record(.remove(["n1"]), of: "anna")
            #expect(try await next.found("juniper").count == 299)
            #expect(notices.all.isEmpty)
            let database = try Database(Self.file(path))
            let names = try database.query("SELECT name FROM sqlite_master ORDER BY name").map { $0[0].text }
            let fresh = try CacheFile.open(nil).0.query("SELECT name FROM sqlite_master ORDER BY name")
            #expect(names == fresh.map { $0[0].text })
        }
    }

    @Test("An unusable copy is reported once, and a directory that nothing can be written to as one problem")
    func problems() async throws {
        try await StatePath.with { path in
            let notices = StatePath.Notices()
            try FileManager.default.createDirectory(atPath: Self.file(path), withIntermediateDirectories: true)
            let kept = InboxCache(beside: StateStore(path: path) { notices.add($0) }) { 10 }
            await kept.keep(["anna"], .init())
            _ = await kept.ids()
            #expect(notices.all.compactMap(\.problem).map { $0.prefix(32) } == ["Cannot use the copy of the inbox"])
        }
        try await StatePath.with { path in
            let notices = StatePath.Notices()
            let directory = URL(filePath: path).deletingLastPathComponent()
            try FileManager.default.createDirectory(
                at: directory.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data().write(to: directory)
            let store = StateStore(path: path) { notices.add($0) }
            let kept = InboxCache(beside: store) { 10 }
            await kept.keep(["anna"], .init())
            _ = await kept.ids()
            #expect(notices.all.compactMap(\.problem).map { $0.hasPrefix("Cannot use \"\(path)\"") } == [true])
        }
    }

    @Test("While the file cannot be written, changes wait; too many begin the copy again") func fullDisk() async throws
    {
        try await StatePath.with { path in
            try FileManager.default.createDirectory(atPath: Self.file(path), withIntermediateDirectories: true)
            let kept = Self.store(path)
            await kept.keep(["anna"], .init())
            kept.record(.put([.sample("a", time: 1)]), of: "anna")
            #expect(await kept.ids() == [])
            try FileManager.default.removeItem(atPath: Self.file(path))
            #expect(await kept.ids() == ["a"])
            kept.record(.put((0...2_000).map { .sample("n\($0)", time: Int64($0)) }), of: "anna")
            kept.record(.put([.sample("b", time: 1)]), of: "anna")
            #expect(await kept.ids() == ["b"])
        }
    }

    @Test(
        "A search finds words and beginnings of words, whatever their case and accents",
        arguments: [
            ("build", ["1"]), ("BUI fail", ["1"]), ("fail build", ["1"]), ("uild", []), ("crème", ["2"]),
            ("creme brulee", ["2"]), ("CRÈ", ["2"]), ("cre\u{300}me", ["2"]), ("main-4711", ["1"]), ("main 47", ["1"]),
            ("4711-main", []), ("東京", ["3"]), ("京都", []), ("東京 会議", ["3"]), ("会議", ["3"]), ("\"", []), ("", []),
            ("!?", []), ("OR", []), ("build OR crème", []), ("text:build", []), ("b*", ["1", "2"]), ("हिन्", ["4"]),
            ("build \"", ["1"]), ("-build", ["1"]), ("(build", ["1"]), ("ß", ["2"]),
            ("カ\u{3099}イド", ["5"]), ("ガイド", ["5"]), ("カイド", []), ("보고서", ["6"]), ("\u{1107}\u{1169}고서", ["6"]),
            ("ประชุม", ["7"]), ("ประชม", []), ("ABC", ["8"]), ("abc商", ["8"]), ("テスト", ["8"]), ("ﾃｽﾄ", ["8"]),
            ("🔥", ["9"]),
            ("👍", ["9"]), ("⚠", []), ("oeuvre", ["10"]), ("œuvre", ["10"]), ("STRASSE", ["10"]), ("lodz", ["10"]),
            ("odegard", ["10"]), ("αθηνα", ["10"]), ("Ἀθήνα", ["10"]), ("don't", ["11"]), ("don’t", ["11"]),
            ("“build”", ["1"]),
            ("人々", ["12"]), ("हिन्द", ["4"]), ("हन", []), ("1/2", ["9"]),
        ] as [(String, [String])]
    )
    func search(words: String, expected: [String]) async throws {
        let kept = Self.store(nil)
        await kept.keep(["anna", "bob"], .init())
        let texts = [
            "Build failed\nmain-4711", "Crème brûlée bei ß", "東京での会議", "हिन्दी में", "カ\u{3099}イド\u{FF01}",
            "주간 \u{1107}\u{1169}고서를",
            "นัดประชุมพรุ่งนี้", "ＡＢＣ商事のﾃｽﾄ完了", "fire🔥 👍🏽 1/2", "Œuvre Straße Łódź Ødegård Ἀθήνα", "Don’t", "人々の",
        ]
        let rows = texts.enumerated().map {
            CachedNotification.sample("\($0.offset + 1)", time: Int64($0.offset), words: $0.element)
        }
        kept.record(.put(rows), of: "anna")
        kept.record(.put([.sample("other", time: 9, words: "build failed crème")]), of: "bob")
        #expect(try await kept.found(words).sorted() == expected)
    }

    @Test("What version 1 of the file has is found by today's rules") func oldVersion() async throws {
        try await StatePath.with { path in
            do {
                let kept = Self.store(path)
                await kept.keep(["anna"], .init())
                kept.record(.put((0..<4).map { .sample("\($0)", time: Int64($0)) }), of: "anna")
                #expect(await kept.ids().count == 4)
            }
            do {
                let database = try Database(file: Self.file(path))
                try database.execute(
                    """
                    DROP TRIGGER removed; DROP TRIGGER changed; DROP TABLE words;
                    CREATE VIRTUAL TABLE words USING fts5 (
                        text, content = 'notifications', content_rowid = 'number',
                        tokenize = 'unicode61 remove_diacritics 2', columnsize = 0
                    );
                    CREATE TRIGGER removed AFTER DELETE ON notifications WHEN old.indexed BEGIN
                        INSERT INTO words (words, rowid, text) VALUES ('delete', old.number, old.text);
                    END;
                    CREATE TRIGGER changed AFTER UPDATE OF text ON notifications
                    WHEN old.indexed AND new.text <> old.text BEGIN
                        INSERT INTO words (words, rowid, text) VALUES ('delete', old.number, old.text);
                        UPDATE notifications SET indexed = 0 WHERE number = new.number;
                    END;
                    PRAGMA user_version = 1;
                    """
                )
                // As version 1 wrote it.
                let texts = ["Øre", " カ  \u{3099}  イ  ト  \u{3099} ", "นัดประชุมพรุ่งนี้", " 人 々 の  🔥 ＡＢＣ 商  事 "]
                for (id, text) in texts.enumerated() {
                    try database.run("UPDATE notifications SET text = ? WHERE id = ?", .text(text), .text("\(id)"))
                }
                while try database.indexWords() {}
            }
            let kept = Self.store(path)
            await kept.keep(["anna"], .init())
            for (words, id) in [("ore", "0"), ("ガイド", "1"), ("ประชุม", "2"), ("abc商事", "3"), ("🔥", "3"), ("人々", "3")] {
                #expect(try await kept.found(words) == [id], "\(words)")
            }
            kept.record(.remove(["0"]), of: "anna")
            #expect(try await kept.found("ore") == [])
            #expect(await kept.ids() == ["3", "2", "1"])
        }
    }

    @Test("A search finds a changed text by its new words only, newest first and in parts") func searchInParts()
        async throws
    {
        let kept = Self.store(nil)
        await kept.keep(["anna"], .init())
        kept.record(.put((0..<250).map { .sample("\($0)", time: Int64($0), words: "old") }), of: "anna")
        #expect(try await kept.found("old").count == 250)
        kept.record(
            .put((0..<250).map { .sample("\($0)", time: Int64($0), words: $0 < 120 ? "new" : "old") }),
            of: "anna"
        )
        #expect(try await kept.found("new") == (0..<120).reversed().map(String.init))
        #expect(try await kept.found("old").count == 130)
        kept.record(.put([.sample("7", time: 500, words: "new")]), of: "anna")
        #expect(try await kept.found("new").first == "7")
    }

    @Test("The copy is what the changes say, also of a random history with ends in between", arguments: 0..<20)
    func history(seed: Int) async throws {
        try await StatePath.with { path in
            var random = SeededGenerator(seed: UInt64(seed))
            var model: [NotificationID: CachedNotification] = [:]
            var kept = Self.store(path)
            await kept.keep(["anna"], .init())
            for _ in 0..<120 {
                let change = CacheChange.random(&random)
                change.apply(to: &model)
                kept.record(change, of: "anna")
                switch Int.random(in: 0..<12, using: &random) {
                case 0:
                    await Self.end(kept)
                    kept = Self.store(path)
                    await kept.keep(["anna"], .init())
                case 1...3: try await Self.compare(kept, model)
                default: break
                }
            }
            try await Self.compare(kept, model)
        }
    }

    private static func compare(_ kept: InboxCache, _ model: [NotificationID: CachedNotification]) async throws {
        for isArchived in [false, true] {
            let expected = model.values.map(\.notification).filter { $0.isArchived == isArchived }
            var (listed, last): ([Notification], SortKey?) = ([], nil)
            repeat {
                let page = await kept.list(of: "anna", isArchived: isArchived, after: last, limit: 7)
                listed += page.found
                last = page.last
            } while last != nil
            #expect(listed == expected.sorted { SortKey(of: $0) < SortKey(of: $1) })
        }
        let found = try await kept.found("even").sorted()
        #expect(found == model.values.filter { $0.text == "even" }.map(\.notification.id.rawValue).sorted())
    }

    // MARK: Support

    private static func store(_ path: String?, now: Int64 = 10) -> InboxCache {
        InboxCache(beside: path.map { StatePath.store($0).store } ?? StateStore()) { Timestamp(milliseconds: now) }
    }

    private static func file(_ path: String) -> String {
        URL(filePath: path).deletingLastPathComponent().appending(path: "inbox.sqlite3").path
    }

    private static func files(_ path: String) throws -> [Data] {
        ["", "-wal", "-shm"].compactMap { try? Data(contentsOf: URL(filePath: file(path) + $0)) }
    }

    /// As at the end of the agent.
    private static func end(_ kept: InboxCache) async {
        let run = Task { await kept.run(clock: ManualClock()) }
        run.cancel()
        await run.value
    }
}

extension InboxCache {
    fileprivate func ids(limit: Int = 10) async -> [String] {
        list(of: "anna", isArchived: false, after: nil, limit: limit).found.map(\.id.rawValue)
    }

    fileprivate func found(_ words: String, of owner: String = "anna") async throws -> [String] {
        var ids: [String] = []
        var last: CacheSearch.Position?
        repeat {
            guard let result = try await search(owner, for: CacheSearch(words), after: last, limit: 100) else {
                return []
            }
            ids += result.found.map(\.id.rawValue)
            last = result.last
        } while last != nil
        return ids
    }
}

extension CachedNotification {
    fileprivate static func sample(
        _ id: String,
        time: Int64,
        words: String = "",
        isArchived: Bool = false,
        isPinned: Bool = false
    ) -> CachedNotification {
        let notification = Notification(
            id: NotificationID(id),
            title: "title \(id)",
            tags: ["ü"],
            created: Timestamp(milliseconds: time),
            isArchived: isArchived,
            isPinned: isPinned
        )
        return CachedNotification(notification, words: words)
    }
}

/// The meaning of changes, on a dictionary.
extension CacheChange {
    fileprivate static func random(_ random: inout SeededGenerator) -> CacheChange {
        func id() -> NotificationID { NotificationID("n\(Int.random(in: 0..<30, using: &random))") }
        func notification() -> CachedNotification {
            let number = Int64.random(in: 0..<40, using: &random)
            return .sample(
                id().rawValue,
                time: number,
                words: number % 2 == 0 ? "even" : "odd",
                isArchived: number < 5,
                isPinned: number == 39
            )
        }
        let time = Timestamp(milliseconds: Int64.random(in: 1..<50, using: &random))
        let marks: [Mark] = [.seen, .read, .interacted, .archived, .unread, .unarchived]
        switch Int.random(in: 0..<10, using: &random) {
        case 0...4: return .put((0..<3).map { _ in notification() })
        case 5: return .remove([id(), id()])
        case 6, 7: return .mark(marks.randomElement(using: &random)!, ids: [id(), id()], time: time)
        case 8: return .markAll([.seen, .read].randomElement(using: &random)!, time: time)
        default:
            let places = [notification(), notification()].map { SortKey(of: $0.notification) }.sorted()
            let range = Range(
                isArchived: Bool.random(using: &random),
                first: Bool.random(using: &random) ? places[0] : nil,
                last: Bool.random(using: &random) ? places[1] : nil
            )
            return .list([notification()], range)
        }
    }

    fileprivate func apply(to model: inout [NotificationID: CachedNotification]) {
        switch self {
        case .put(let new): for cached in new { model[cached.notification.id] = cached }
        case .remove(let ids): for id in ids { model[id] = nil }
        case .mark(let mark, let ids, let time): for id in Set(ids) { model[id]?.set(mark, time) }
        case .markAll(let mark, let time):
            for (id, cached) in model where cached.notification.created <= time { model[id]?.set(mark, time) }
        case .list(let new, let range):
            let listed = Set(new.map(\.notification.id))
            for (id, cached) in model where !listed.contains(id) {
                let place = SortKey(of: cached.notification)
                if cached.notification.isArchived != range.isArchived { continue }
                if let first = range.first, place <= first { continue }
                if let last = range.last, last <= place { continue }
                model[id] = nil
            }
            for cached in new { model[cached.notification.id] = cached }
        }
    }
}

extension CachedNotification {
    fileprivate mutating func set(_ mark: CacheChange.Mark, _ time: Timestamp) {
        var marked = notification
        switch mark {
        case .seen: marked.seen = marked.seen ?? time
        case .read: marked.read = marked.read ?? time
        case .interacted: marked.interacted = time
        case .archived: marked.isArchived = true
        case .unread: marked.read = nil
        case .unarchived: marked.isArchived = false
        }
        self = CachedNotification(marked, words: text)
    }
}
