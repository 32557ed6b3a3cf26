import Basics
import Glibc
import Inbox
import Synchronization
import TestSupport
import Testing

@testable import Agent

/// What runs on the thread of the disk, and in which order.
@Suite(.timeLimit(.minutes(5))) struct DiskThreadTests {
    /// An actor on the thread, which records its calls.
    private actor Worker {
        private let executor: DiskExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        private let name: String
        private let log: Log

        init(_ executor: DiskExecutor, _ name: String, _ log: Log) {
            (self.executor, self.name, self.log) = (executor, name, log)
        }

        func run(_ number: Int) { log.add("\(name)\(number)") }

        /// Blocks the thread until something can be read.
        func block(_ begun: Completion, until descriptor: Int32) {
            begun.finish()
            var byte: UInt8 = 0
            _ = read(descriptor, &byte, 1)
        }
    }

    private final class Log: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    @Test("Calls that go first run before all others that wait, each kind in its order") func priorities() async {
        let executor = DiskExecutor()
        let log = Log()
        let (urgent, other) = (Worker(executor, "urgent", log), Worker(executor.background, "other", log))
        var pipe: [Int32] = [0, 0]
        #expect(Glibc.pipe(&pipe) == 0)
        let (reading, writing) = (pipe[0], pipe[1])
        defer { for descriptor in [reading, writing] { close(descriptor) } }
        let begun = Completion()
        await withTaskGroup { group in
            group.addTask { await urgent.block(begun, until: reading) }
            await begun.wait()
            // Immediate tasks run up to their first wait: what they call is in the queue, in this order.
            for number in 1...3 { group.addImmediateTask { await other.run(number) } }
            for number in 1...3 { group.addImmediateTask { await urgent.run(number) } }
            _ = write(writing, [1], 1)
        }
        #expect(log.all == ["urgent1", "urgent2", "urgent3", "other1", "other2", "other3"])
    }

    @Test("A time limit interrupts FTS5 while it collects what a prefix matches") func timeLimit() throws {
        let database = try Database(":memory:")
        try database.execute("CREATE VIRTUAL TABLE words USING fts5 (text, content = '', columnsize = 0)")
        try database.transaction { () throws(StoreError) in
            for number in 1...200 {
                let text = (0..<200).map { "a\(number)x\($0)" }.joined(separator: " ")
                try database.run("INSERT INTO words (rowid, text) VALUES (?, ?)", .integer(Int64(number)), .text(text))
            }
        }
        let search = "SELECT rowid FROM words WHERE words MATCH '\"a\" *' ORDER BY rowid DESC LIMIT 1"
        #expect(try database.query(within: .seconds(60), search) == [[.integer(200)]])
        let error = #expect(throws: StoreError.self) { try database.query(within: .zero, search) }
        #expect(error?.isTimeout == true)
    }

    @Test("Words are indexed in parts, and of one text a limited number") func indexing() async throws {
        let database = try CacheFile.open(nil).0
        let inbox = try database.inbox(of: "anna")
        let text = (0..<20_000).map { "w\($0)" }.joined(separator: " ")
        #expect(text.indexedPart.split(separator: " ").count == String.indexedWordLimit)
        #expect("short text".indexedPart == "short text")
        let rows = (0..<50).map { CachedNotification.row("\($0)", time: Int64($0), words: text) }
        _ = try database.apply(.put(rows), to: inbox)
        var parts = 1
        while try database.indexWords() { parts += 1 }
        #expect(parts > 10)
        #expect(try database.query("SELECT count(*) FROM words WHERE words MATCH 'w7'") == [[.integer(50)]])
        #expect(try database.query("SELECT count(*) FROM words WHERE words MATCH 'w19999'") == [[.integer(0)]])
        #expect(try !database.indexWords())
    }

    @Test("Ids are looked up by their beginnings within a limit in all, each with two at least")
    func prefixes() async throws {
        let kept = InboxCache(beside: StateStore()) { 10 }
        await kept.keep(["anna", "bob"], .init())
        for part in 0..<3 {
            let rows = (0..<1_000).map { CachedNotification.row("a\(10_000 + part * 1_000 + $0)", time: Int64($0)) }
            kept.record(.put(rows), of: "anna")
            // Writes them: fewer may wait.
            _ = await kept.inbox(of: "anna")
        }
        kept.record(.put([.row("a2", time: 1), .row("b", time: 1), .row("é", time: 1)]), of: "anna")
        kept.record(.put([.row("a1b", time: 1)]), of: "bob")
        #expect(await kept.ids(of: "anna", prefixes: ["a1"], limit: 20).count == 20)
        #expect(await kept.ids(of: "anna", prefixes: ["a10000", "a2", "é", "x"], limit: 20) == ["a10000", "a2", "é"])
        let many = (0..<1_000).map { String("a\(10_000 + $0)".dropLast()) }
        #expect(await kept.ids(of: "anna", prefixes: many, limit: 20).count == 2_000)
        #expect(await kept.notifications(of: "anna", ids: ["b", "x", "a1b"]).map(\.id) == ["b"])
    }

    @Test("A notification without the part that only the copy has keeps that part, also at another place")
    func parts() async throws {
        let kept = InboxCache(beside: StateStore()) { 10 }
        await kept.keep(["anna"], .init())
        let extra = String(repeating: "x", count: 2_000)
        var complete = Notification(id: "1", title: "old", created: 1, extra: extra)
        kept.record(.put([CachedNotification(complete, words: "old")]), of: "anna")
        complete.title = "new"
        var part = complete.withoutLongExtra
        part.read = 5
        for time: Timestamp in [1, 9] {
            part.sortTime = time
            let range = CacheChange.Range(isArchived: false, first: nil, last: nil)
            kept.record(.list([CachedNotification(part, words: "new")], range), of: "anna")
            let found = await kept.notifications(of: "anna", ids: ["1"])
            #expect(found.map(\.title) == ["old"] && found.map(\.extra) == [extra])
            #expect(found.map(\.read) == [5] && found.map(\.sortTime) == [time])
            #expect(try await kept.search("anna", for: CacheSearch("old"), after: nil, limit: 9)?.found == found)
        }
    }
}

extension CachedNotification {
    fileprivate static func row(_ id: String, time: Int64, words: String = "") -> CachedNotification {
        let created = Timestamp(milliseconds: time)
        return CachedNotification(Notification(id: NotificationID(id), created: created), words: words)
    }
}
