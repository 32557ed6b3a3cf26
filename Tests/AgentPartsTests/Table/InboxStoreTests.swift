import Basics
import Foundation
import Inbox
import TestSupport
import Testing

@testable import Agent

/// Not Foundation's.
private typealias Notification = Inbox.Notification

/// The file with the inboxes.
@Suite(.timeLimit(.minutes(5))) struct InboxStoreTests {
    @Test("A restart finds the rows, and the record of the inbox as of the end") func restart() async throws {
        try await StatePath.with { path in
            let store = Self.store(path).store
            await store.keep(["anna"], .init())
            let counts = Counts(unread: 7, badge: 0, tabs: ["x": 1, "\u{301}": 2])
            try await store.use { table in
                table.record.lastEvent = 5
                _ = try table.apply(InboxUpdate(changed: [.row(1), .row(2)], counts: counts, hasMore: true))
            }
            let next = Self.store(path).store
            await next.keep(["anna"], .init())
            let tab = InboxTab(id: "\u{301}", label: "T", predicate: .inbox)
            try await next.use(tabs: [tab], now: 50) { table in
                #expect(try table.restore(9) == [.added(.row(1)), .added(.row(2))] && table.hasMore(.inbox))
                var record = InboxRecord()
                (record.asOf, record.lastEvent) = (10, 5)
                record.counts = Counts(unread: 7, badge: 0, tabs: ["\u{301}": 2])
                #expect(table.record == record, "without a tab that is not configured any more")
                // It is what the service has.
                table.record.asOf = nil
                try table.saveRecord()
            }
            try await next.use(now: 50) { table in
                _ = try table.restore(9)
                #expect(table.record.asOf == 50)
            }
            let attributes = try FileManager.default.attributesOfItem(atPath: Self.file(path))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    // MARK: Erasing

    @Test("Nothing of an account that is not configured any more is left in any file") func erasure() async throws {
        try await StatePath.with { path in
            let store = Self.store(path).store
            await store.keep(["anna", "bob"], .init())
            for part in 0..<4 {
                try await store.report((0..<50).map { .row(part * 50 + $0, "cardamom \($0)") })
                try await store.report((0..<50).map { .row(part * 50 + $0, "juniper \($0)") }, of: "bob")
                await store.indexWords()
            }
            #expect(try await store.use { try $0.found("cardamom") }.count == 200)
            #expect(try Self.files(path).contains { $0.range(of: Data("cardamom".utf8)) != nil })
            await store.keep(["bob"], .init())
            for word in ["cardamom", "anna"] {
                #expect(try Self.files(path).allSatisfy { $0.range(of: Data(word.utf8)) == nil })
            }
            #expect(try await store.use(of: "bob") { try $0.found("juniper") }.count == 200)
        }
    }

    @Test("What could not be erased, because another program reads the file, is erased by the next run")
    func erasureLater() async throws {
        try await StatePath.with { path in
            do {
                let store = Self.store(path).store
                await store.keep(["anna", "bob"], .init())
                try await store.report((0..<200).map { .row($0, "cardamom \($0)") })
                try await store.report([.row(1, "juniper")], of: "bob")
                await store.indexWords()
            }
            do {
                let reader = try Database(Self.file(path))
                try reader.execute("BEGIN; SELECT count(*) FROM rows")
                let killed = Self.store(path).store
                await killed.keep(["bob"], .init())
                #expect(try Self.files(path).contains { $0.range(of: Data("cardamom".utf8)) != nil })
            }
            let next = Self.store(path).store
            await next.keep(["bob"], .init())
            #expect(try Self.files(path).allSatisfy { $0.range(of: Data("cardamom".utf8)) == nil })
            #expect(try await next.use(of: "bob") { try $0.found("juniper") } == ["n1"])
        }
    }

    @Test("With keep = 0 there is no file, and the inboxes go on in memory; with another value there is one again")
    func nothingKept() async throws {
        try await StatePath.with { path in
            let (store, notices) = Self.store(path)
            await store.keep(["anna"], .init())
            try await store.report([.row(1)])
            await store.keep(["anna"], .init(count: 0))
            try await store.report([.row(2)])
            #expect(try await store.use { try $0.keptIDs() } == ["n2", "n1"])
            #expect(!FileManager.default.fileExists(atPath: Self.file(path)))
            await store.keep(["anna"], .init())
            try await store.report([.row(3)])
            #expect(try Self.rowCount(path) == 3)
            #expect(notices.all == [])
            await Self.store(path).store.keep(["anna"], .init(count: 0))
            #expect(!FileManager.default.fileExists(atPath: Self.file(path)), "of a previous run")
        }
    }

    // MARK: Failures

    @Test("A damaged file, or one of another version, is replaced", arguments: ["zeros", "text", "version", "tables"])
    func damage(kind: String) async throws {
        try await StatePath.with { path in
            do {
                let store = Self.store(path).store
                await store.keep(["anna"], .init())
                try await store.report((1...300).map { .row($0) })
            }
            let file = Self.file(path)
            if ["version", "tables"].contains(kind) {
                let database = try Database(file)
                try database.execute(kind == "version" ? "PRAGMA user_version = 99" : "DROP TABLE rows")
                try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            }
            var contents = try Data(contentsOf: URL(filePath: file))
            if kind == "zeros" { contents.resetBytes(in: 4_096..<contents.count) }
            if kind == "text" { contents = Data("not a database".utf8) }
            try contents.write(to: URL(filePath: file))
            let (next, notices) = Self.store(path)
            await next.keep(["anna"], .init())
            try await next.report([.row(1), .row(2)])
            #expect(try await next.use { try $0.keptIDs() } == ["n2", "n1"])
            #expect(try Self.rowCount(path) == 2)
            let problems = notices.all.compactMap(\.problem)
            #expect(problems.map { $0.hasPrefix("The list of notifications \"\(file)\" begins again: ") } == [true])
        }
    }

    @Test("A path that cannot be used is reported once, and the inboxes are in memory") func unusablePath() async throws
    {
        try await StatePath.with { path in
            try FileManager.default.createDirectory(atPath: Self.file(path), withIntermediateDirectories: true)
            let (store, notices) = Self.store(path)
            await store.keep(["anna"], .init())
            for number in 1...3 { try await store.report([.row(number)]) }
            await store.keep(["anna"], .init())
            #expect(try await store.use { try $0.keptIDs() } == ["n3", "n2", "n1"])
            let problems = notices.all.compactMap(\.problem)
            #expect(problems.map { $0.hasPrefix("Cannot use \"\(Self.file(path))\": ") } == [true])
            #expect(problems.last?.hasSuffix("The inboxes are kept in memory.") == true)
        }
    }

    @Test("On a full disk an inbox goes on in memory, and the next write with room stores it") func fullDisk()
        async throws
    {
        try await StatePath.with { path in
            let (store, notices) = Self.store(path)
            await store.keep(["anna"], .init())
            try await store.use { table in
                _ = try table.apply(InboxUpdate(changed: [.row(1)]))
                try table.storage.limit(pages: 1)
                let large = Notification.row(2, String(repeating: "x", count: 20_000))
                #expect(try table.apply(InboxUpdate(changed: [large])) == [.added(large)], "once")
                _ = try table.change(adding: [.made(1, .read("n1"))])
                #expect(try table.ids(.inbox) == ["n2", "n1"] && table.shownCounts().unread == 1)
                #expect(try Self.rowCount(path) == 1)
                let problem = try #require(notices.all.first?.problem)
                let reason = "SQLite: database or disk is full (13). "
                #expect(problem.hasPrefix("Cannot write \"\(Self.file(path))\": \(reason)"))
                try table.storage.limit(pages: 1_000_000)
                _ = try table.apply(InboxUpdate(changed: [.row(3)]))
                #expect(try table.ids(.inbox) == ["n3", "n2", "n1"])
            }
            #expect(try Self.rowCount(path) == 3)
            #expect(notices.all.last?.recovery == "\"\(Self.file(path))\" can be written again.")
            #expect(notices.all.count == 2)
        }
    }

    @Test("With keep = 0 while the disk is full, what is in memory stays") func nothingKeptOnFullDisk() async throws {
        try await StatePath.with { path in
            let store = Self.store(path).store
            await store.keep(["anna"], .init())
            try await store.limit(pages: 1)
            try await store.report([.row(1, String(repeating: "x", count: 20_000))])
            await store.keep(["anna"], .init(count: 0))
            #expect(try await store.use { try $0.keptIDs() } == ["n1"])
        }
    }

    @Test("What is in memory is written after the retry interval, without another change, and at the end")
    func retryInterval() async throws {
        try await StatePath.with { path in
            let (store, notices) = Self.store(path)
            await store.keep(["anna"], .init())
            try await store.report([.row(1)])
            try await store.limit(pages: 1)
            try await store.report([.row(2, String(repeating: "x", count: 20_000))])
            await store.indexWords()
            let clock = ManualClock()
            try await withThrowingTaskGroup { group in
                group.addTask { await store.run(clock: clock) }
                await clock.sleeper(for: StateStore.interval)
                try await store.limit(pages: 1_000_000)
                clock.advance(by: StateStore.interval)
                while notices.all.count < 2, !Task.isCancelled { await Task.yield() }
                #expect(try Self.rowCount(path) == 2)
                try await store.limit(pages: 1)
                try await store.report([.row(3, String(repeating: "y", count: 200_000))])
                try await store.limit(pages: 1_000_000)
                group.cancelAll()
                try await group.waitForAll()
            }
            #expect(try Self.rowCount(path) == 3)
            #expect(notices.all.map { $0.recovery != nil } == [false, true, false, true])
        }
    }

    @Test("Words that a previous run has not indexed are indexed after the start") func indexedAtStart() async throws {
        try await StatePath.with { path in
            let store = Self.store(path).store
            await store.keep(["anna"], .init())
            try await store.report((1...250).map { .row($0, "juniper") })
            let clock = ManualClock()
            let run = Task { await store.run(clock: clock) }
            let database = try Database(Self.file(path))
            let unindexed = "SELECT count(*) FROM rows WHERE indexed = 0"
            while try database.query(unindexed) != [[.integer(0)]], !Task.isCancelled {
                // A reader can lock the file for a moment: then the index is in memory until the next attempt.
                clock.advance(by: StateStore.interval)
                await Task.yield()
            }
            run.cancel()
            await run.value
        }
    }

    // MARK: Support

    private static func store(_ path: String) -> (store: InboxStore, notices: StatePath.Notices) {
        let (store, notices) = StatePath.store(path)
        return (InboxStore(beside: store), notices)
    }

    private static func file(_ path: String) -> String {
        URL(filePath: path).deletingLastPathComponent().appending(path: "inbox.sqlite3").path
    }

    private static func files(_ path: String) throws -> [Data] {
        ["", "-wal", "-shm"].compactMap { try? Data(contentsOf: URL(filePath: file(path) + $0)) }
    }

    /// What is in the file, as another connection reads it.
    private static func rowCount(_ path: String) throws -> Int64 {
        try Database(file(path)).query("SELECT count(*) FROM rows")[0][0].integer
    }
}

extension Inbox.Notification {
    fileprivate static func row(_ number: Int, _ body: String) -> Inbox.Notification {
        var row = row(number)
        row.body = body
        return row
    }
}

extension StateDatabase {
    fileprivate func limit(pages: Int) throws { try file?.database.execute("PRAGMA max_page_count = \(pages)") }
}

extension InboxStore {
    /// The disk is full, or has room again.
    fileprivate func limit(pages: Int) throws { try database.limit(pages: pages) }

    /// Uses the inbox of an owner, as it is after a start.
    fileprivate func use<Result: Sendable>(
        of owner: String = "anna",
        tabs: [InboxTab] = [],
        now: Timestamp = 10,
        _ body: @Sendable (inout InboxTable) throws -> Result
    ) throws -> Result {
        var table = try InboxTable.opened(database, of: owner, tabs: tabs, now: now)
        return try body(&table)
    }

    /// Adds notifications to an inbox.
    fileprivate func report(_ rows: [Inbox.Notification], of owner: String = "anna") throws {
        try use(of: owner) { table in _ = try table.apply(InboxUpdate(changed: rows, isComplete: false)) }
    }
}
