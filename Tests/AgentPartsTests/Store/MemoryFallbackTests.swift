import FoundationEssentials
import TestSupport
import Testing

@testable import Agent

/// The file cannot be written for a while.
@Suite(.timeLimit(.minutes(5))) struct MemoryFallbackTests {
    private func row(_ number: Int64) -> StateStore.OutboxRow {
        StateStore.OutboxRow(number: number, method: "MarkRead", arguments: ["\(number)"], made: number)
    }

    /// The contents that the next run reads.
    private func kept(_ path: String) async throws -> [Int64] {
        try await StatePath.store(path).store.rows(in: .actions, of: "work").map(\.number)
    }

    /// A row of a size that no page has room for.
    private var large: StateStore.OutboxRow {
        StateStore.OutboxRow(number: 2, method: "MarkSeen", arguments: [String(repeating: "x", count: 20_000)], made: 2)
    }

    @Test("On a full disk changes stay in memory, and the next write with room stores them") func fullDisk()
        async throws
    {
        try await StatePath.with { path in
            let (store, notices) = StatePath.store(path)
            try await store.replace([], by: [row(1)], in: .actions, of: "work")
            try await store.limit(pages: 1)
            try await store.replace([], by: [large], in: .actions, of: "work")
            try await store.replace([1], by: [row(3)], in: .actions, of: "work")
            #expect(notices.all.count == 1)
            let problem = try #require(notices.all.first?.problem)
            #expect(problem.hasPrefix("Cannot write \"\(path)\": SQLite: database or disk is full (13). "))
            #expect(try await store.rows(in: .actions, of: "work") == [large, row(3)])
            #expect(try await kept(path) == [1])
            try await store.limit(pages: 1_000_000)
            try await store.replace([2], by: [], in: .actions, of: "work")
            #expect(
                notices.all.last?.recovery
                    == "\"\(path)\" can be written again. No pending change was lost."
            )
            #expect(try await kept(path) == [3])
            try await store.replace([], by: [row(4)], in: .actions, of: "work")
            #expect(try await kept(path) == [3, 4])
            #expect(notices.all.count == 2)
        }
    }

    @Test("Changes in memory are written after the retry interval, without another change") func retryInterval()
        async throws
    {
        try await StatePath.with { path in
            let (store, notices) = StatePath.store(path)
            try await store.replace([], by: [row(1)], in: .actions, of: "work")
            let clock = ManualClock()
            await withTaskGroup { group in
                group.addTask { await store.run(clock: clock) }
                try? await store.limit(pages: 1)
                try? await store.replace([], by: [large], in: .actions, of: "work")
                await clock.sleeper(for: StateStore.interval)
                clock.advance(by: StateStore.interval)
                await clock.sleeper(for: StateStore.interval)
                #expect(notices.all.count == 1, "still no room")
                try? await store.limit(pages: 1_000_000)
                clock.advance(by: StateStore.interval)
                while notices.all.count < 2, !Task.isCancelled { await Task.yield() }
                group.cancelAll()
            }
            #expect(notices.all.last?.recovery != nil)
            #expect(try await kept(path) == [1, 2])
        }
    }

    @Test("Changes in memory are written when the store ends") func writeAtTheEnd() async throws {
        try await StatePath.with { path in
            let (store, _) = StatePath.store(path)
            try await store.replace([], by: [row(1)], in: .actions, of: "work")
            try await store.limit(pages: 1)
            try await store.replace([], by: [large], in: .actions, of: "work")
            try await store.limit(pages: 1_000_000)
            await withTaskGroup { group in
                group.addTask { await store.run(clock: ManualClock()) }
                group.cancelAll()
            }
            #expect(try await kept(path) == [1, 2])
        }
    }

    @Test("A file locked by another process is a write failure") func lockedFile() async throws {
        try await StatePath.with { path in
            let (store, notices) = StatePath.store(path)
            try await store.replace([], by: [row(1)], in: .actions, of: "work")
            do {
                let other = try Database(path)
                try other.execute("BEGIN EXCLUSIVE")
                try await store.replace([], by: [row(2)], in: .actions, of: "work")
                try await store.replace([], by: [row(3)], in: .actions, of: "work")
                #expect(notices.all.first?.problem?.contains("database is locked") == true)
                #expect(try await store.rows(in: .actions, of: "work").map(\.number) == [1, 2, 3])
                try other.execute("ROLLBACK")
            }
            try await store.replace([1], by: [], in: .actions, of: "work")
            #expect(notices.all.count == 2)
            #expect(try await kept(path) == [2, 3])
        }
    }

    /// The file alone, its directory, or another file that took its place.
    @Test(
        "A removed or replaced file is written again with everything that it held",
        arguments: ["file", "directory", "other"]
    ) func removedFile(what: String) async throws {
        try await StatePath.with { path in
            let (store, notices) = StatePath.store(path)
            try await store.replace([], by: [row(1)], in: .actions, of: "work")
            let directory = String(path.dropLast("/feedbell.sqlite3".count))
            try FileManager.default.removeItem(atPath: what == "directory" ? directory : path)
            if what == "other" { try Data("Something else.".utf8).write(to: URL(filePath: path)) }
            try await store.replace([], by: [row(2)], in: .actions, of: "work")
            try await store.replace([], by: [row(3)], in: .actions, of: "work")
            #expect(notices.all.first?.problem?.hasPrefix("\"\(path)\" was removed.") == true)
            #expect(notices.all.last?.recovery != nil)
            #expect(notices.all.count == (what == "other" ? 3 : 2))
            #expect(try await kept(path) == [1, 2, 3])
            if what == "other" {
                #expect(try Data(contentsOf: URL(filePath: path + ".aside-1")) == Data("Something else.".utf8))
            }
        }
    }

    /// There is no place for a new one for a while.
    @Test("A deleted directory that cannot be created is a write failure")
    func missingDirectory() async throws {
        try await StatePath.with { path in
            let (store, notices) = StatePath.store(path)
            try await store.replace([], by: [row(1)], in: .actions, of: "work")
            let directory = String(path.dropLast("/feedbell.sqlite3".count))
            try FileManager.default.removeItem(atPath: directory)
            try Data().write(to: URL(filePath: directory))
            try await store.replace([], by: [row(2)], in: .actions, of: "work")
            try await store.replace([1], by: [row(3)], in: .actions, of: "work")
            #expect(notices.all.count == 1)
            #expect(try await store.rows(in: .actions, of: "work").map(\.number) == [2, 3])
            try FileManager.default.removeItem(atPath: directory)
            try await store.replace([2], by: [], in: .actions, of: "work")
            #expect(notices.all.count == 2)
            #expect(try await kept(path) == [3])
        }
    }

    /// Such an error does not lead to the memory fallback.
    @Test("An error of a statement is thrown") func statementError() async throws {
        try await StatePath.with { path in
            let (store, notices) = StatePath.store(path)
            await #expect(throws: StoreError.self) { try await store.writeNonsense() }
            try await store.replace([], by: [row(1)], in: .actions, of: "work")
            #expect(notices.all.isEmpty)
            #expect(try await kept(path) == [1])
        }
    }
}

extension StateStore {
    fileprivate func writeNonsense() throws(StoreError) {
        try write(durably: true) { (database) throws(StoreError) in try database.run("INSERT INTO nowhere VALUES (1)") }
    }
}
