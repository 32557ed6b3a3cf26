import Basics
import Glibc
import Synchronization
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

    @Test("Closures run in their order with the calls of actors") func closures() async {
        let executor = DiskExecutor()
        let log = Log()
        let worker = Worker(executor, "call", log)
        var pipe: [Int32] = [0, 0]
        #expect(Glibc.pipe(&pipe) == 0)
        let (reading, writing) = (pipe[0], pipe[1])
        defer { for descriptor in [reading, writing] { close(descriptor) } }
        let (begun, end) = (Completion(), Completion())
        await withTaskGroup { group in
            group.addTask { await worker.block(begun, until: reading) }
            await begun.wait()
            for number in 1...3 {
                executor.execute { log.add("closure\(number)") }
                // Immediate tasks run up to their first wait: what they call is in the queue, in this order.
                group.addImmediateTask { await worker.run(number) }
            }
            executor.execute { end.finish() }
            _ = write(writing, [1], 1)
        }
        await end.wait()
        #expect(log.all == ["closure1", "call1", "closure2", "call2", "closure3", "call3"])
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
        #expect(try database.rows(within: .seconds(60), search, []) == [[.integer(200)]])
        let error = #expect(throws: StoreError.self) { try database.rows(within: .zero, search, []) }
        #expect(error?.isTimeout == true)
    }
}
