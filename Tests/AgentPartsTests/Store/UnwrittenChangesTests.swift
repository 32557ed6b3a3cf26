import Basics
import FoundationEssentials
import Inbox
import Testing

@testable import Agent

/// Changes that the file does not take: the disk is full, or SQLite refuses them. The agent is killed then.
@Suite struct UnwrittenChangesTests {
    private static func row(_ number: Int64) -> StateStore.OutboxRow {
        StateStore.OutboxRow(number: number, method: "MarkRead", arguments: ["\(number)", "a:1"], made: number)
    }

    /// A row of a size that no page has room for.
    private static let large = StateStore.OutboxRow(
        number: 2,
        method: "MarkSeen",
        arguments: [String(repeating: "x", count: 20_000)],
        made: 2
    )

    /// Stores at one path, with a redo log elsewhere, as agents have them one after the other.
    private struct Runs {
        let path: String
        var log: String { path.replacing("/state/feedbell.sqlite3", with: "/run/redo") }

        func next(log: String? = nil) async -> StateStore {
            let store = StateStore(path: path, logPath: log ?? self.log) { _ in }
            #expect(await store.waitForLock() == .taken)
            return store
        }

        func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
    }

    private func withRuns(_ body: (Runs) async throws -> Void) async throws {
        try await StatePath.with { try await body(Runs(path: $0)) }
    }

    @Test("On a full disk, the actions of an agent that is killed are sent by the next one") func fullDisk()
        async throws
    {
        try await withRuns { runs in
            do {
                let store = await runs.next()
                try await store.replace([], by: [Self.row(1)], in: .actions, of: "work")
                #expect(!runs.exists(runs.log))
                try await store.limit(pages: 1)
                try await store.replace([], by: [Self.large], in: .actions, of: "work")
                try await store.replace([1], by: [Self.row(3)], in: .actions, of: "work")
                let digest = StateStore.OutboxRow(number: 4, method: "SetDigest", arguments: ["a", ""])
                try await store.replace([], by: [digest], in: .preferences, of: "home")
                #expect(runs.exists(runs.log))
            }
            let next = await runs.next()
            #expect(try await next.rows(in: .actions, of: "work") == [Self.large, Self.row(3)])
            #expect(try await next.rows(in: .preferences, of: "home").map(\.method) == ["SetDigest"])
            #expect(!runs.exists(runs.log))
        }
    }

    @Test("A redo log with actions is there until the file has them") func roomAgain() async throws {
        try await withRuns { runs in
            let store = await runs.next()
            try await store.replace([], by: [Self.row(1)], in: .actions, of: "work")
            try await store.limit(pages: 1)
            try await store.replace([], by: [Self.large], in: .actions, of: "work")
            #expect(runs.exists(runs.log))
            try await store.limit(pages: 1_000_000)
            // Any change writes everything.
            try await store.keep(arrivals: ["a": 1], of: "work")
            #expect(!runs.exists(runs.log))
            #expect(try await StateStore(path: runs.path) { _ in }.rows(in: .actions, of: "work").count == 2)
        }
    }

    @Test("Records of popups that are only in memory are not in the file") func recordsInMemory() async throws {
        try await withRuns { runs in
            let store = await runs.next()
            try await store.keep([.delivered(account: "work", [:], watermark: 5)])
            #expect(!runs.exists(runs.log))
            try await store.limit(pages: 1)
            try? await store.replace([], by: [Self.large], in: .actions, of: "work")
            try await store.keep([.delivered(account: "work", ["a": 10], watermark: nil)])
            #expect(try RedoLog.contents(at: runs.log).statements.contains { $0.kind == .addDelivery })
        }
    }

    @Test("While the disk stays full, another agent keeps the redo log of the killed one") func stillFull() async throws
    {
        try await withRuns { runs in
            do {
                let store = await runs.next()
                try await store.replace([], by: [Self.row(1)], in: .actions, of: "work")
            }
            let directory = String(runs.path.dropLast("/feedbell.sqlite3".count))
            try FileManager.default.moveItem(atPath: directory, toPath: directory + "-away")
            // No place for a file.
            try Data().write(to: URL(filePath: directory))
            for number: Int64 in 2...3 {
                let store = StateStore(path: runs.path, logPath: runs.log) { _ in }
                await store.recover()
                try await store.replace([], by: [Self.row(number)], in: .actions, of: "work")
                store.record(arrivals: [NotificationID("\(number)"): 1], of: "work")
            }
            try FileManager.default.removeItem(atPath: directory)
            try FileManager.default.moveItem(atPath: directory + "-away", toPath: directory)
            let next = await runs.next()
            #expect(try await next.rows(in: .actions, of: "work").map(\.number) == [1, 2, 3])
            #expect(try await next.arrivals(of: "work") == ["2": 1, "3": 1])
            #expect(try await next.reserveNumbers() > 3)
        }
    }

    @Test("What SQLite refuses is written with the next change") func refused() async throws {
        try await withRuns { runs in
            let store = await runs.next()
            try await store.refuse(true)
            await #expect(throws: StoreError.self) {
                try await store.replace([], by: [Self.row(1)], in: .actions, of: "work")
            }
            await #expect(throws: StoreError.self) {
                try await store.keep([.delivered(account: "work", ["a": 10], watermark: 5)])
            }
            try await store.refuse(false)
            try await store.replace([], by: [Self.row(2)], in: .actions, of: "work")
            #expect(try await store.rows(in: .actions, of: "work").map(\.number) == [1, 2])
            #expect(!runs.exists(runs.log))
            try await store.keep([.delivered(account: "work", ["b": 20], watermark: nil)])
            #expect(try await store.deliveries(of: "work") == .init(watermark: 5, shown: ["a": 10, "b": 20]))
        }
    }

    @Test("An action that SQLite refuses is sent by the next agent") func refusedAndKilled() async throws {
        try await withRuns { runs in
            do {
                let store = await runs.next()
                try await store.refuse(true)
                await #expect(throws: StoreError.self) {
                    try await store.replace([], by: [Self.row(1)], in: .actions, of: "work")
                }
                try await store.refuse(false)
            }
            #expect(try await runs.next().rows(in: .actions, of: "work") == [Self.row(1)])
            #expect(!runs.exists(runs.log))
        }
    }

    @Test("What cannot be recovered from a redo log stays in it") func refusedRecovery() async throws {
        try await withRuns { runs in
            do {
                let store = await runs.next()
                try await store.refuse(true)
                store.record([.delivered(account: "work", [:], watermark: 5)])
            }
            let left = try RedoLog.contents(at: runs.log)
            _ = await runs.next()
            #expect(!left.statements.isEmpty)
            #expect(try RedoLog.contents(at: runs.log) == left)
            let store = StateStore(path: runs.path) { _ in }
            try await store.refuse(false)
            #expect(try await runs.next().deliveries(of: "work").watermark == 5)
            #expect(!runs.exists(runs.log))
        }
    }

    @Test("An agent without XDG_RUNTIME_DIR takes over the redo log that the killed one had there") func otherLog()
        async throws
    {
        try await withRuns { runs in
            do {
                let store = await runs.next()
                store.record([.delivered(account: "work", [:], watermark: 5)])
            }
            let deliveries = try await runs.next(log: runs.path + "-redo").deliveries(of: "work")
            #expect(deliveries.watermark == 5)
            #expect(!runs.exists(runs.log))
        }
    }

    @Test("Of a redo log that is older than the state file, only actions are still needed") func staleLog() async throws
    {
        try await withRuns { runs in
            _ = await runs.next()
            do {
                // It cannot read the other log, which is there again later.
                let other = await runs.next(log: runs.path + "-redo")
                try await other.keep([
                    .delivered(account: "work", ["new": 60], watermark: 50),
                    .keep(server: "bus :1.9", id: 1, Self.popup),
                ])
                try await other.limit(pages: 1)
                try await other.replace([], by: [Self.large], in: .actions, of: "work")
            }
            let effects: [Popups.Effect] = [
                .keep(server: "bus :1.2", id: 1, Self.popup), .delivered(account: "work", ["old": 7], watermark: 5),
                .forgetServers(except: "bus :1.2"),
            ]
            let older = [RedoLog.Statement(.addArrival, "work", ["old": 7])] + effects.flatMap(\.statements)
            let stale = RedoLog(path: runs.log)
            let newer = try RedoLog.contents(at: runs.path + "-redo").statements
            stale.start(with: older + newer, of: "another run")
            RedoLog.remove(runs.path + "-redo")
            let store = await runs.next()
            #expect(try await store.deliveries() == ["work": .init(watermark: 50, shown: ["new": 60])])
            #expect(try await store.arrivals(of: "work") == [:])
            #expect(try await store.popups() == ["bus :1.9": [1: Self.popup]])
            #expect(try await store.rows(in: .actions, of: "work") == [Self.large])
            #expect(!runs.exists(runs.log))
        }
    }

    @Test("An action that was confirmed is not sent by the next agent, although a record waits for the database")
    func confirmed() async throws {
        try await withRuns { runs in
            do {
                let store = await runs.next()
                try await store.replace([], by: [Self.row(1)], in: .actions, of: "work")
                try await store.limit(pages: 1)
                try await store.replace([], by: [Self.large], in: .actions, of: "work")
                try await store.limit(pages: 1_000_000)
                store.record(arrivals: ["a": 1], of: "work")
                try await store.replace([2], by: [], in: .actions, of: "work")
                store.record(arrivals: ["b": 1], of: "work")
            }
            let next = await runs.next()
            #expect(try await next.rows(in: .actions, of: "work") == [Self.row(1)])
            #expect(try await next.arrivals(of: "work") == ["a": 1, "b": 1])
        }
    }

    private static let popup = SavedPopup(
        open: OpenPopup(
            references: [NotificationReference(account: "work", id: "new")],
            count: 1,
            buttons: [],
            urgency: 1,
            titles: [],
            isSummary: false
        ),
        popup: Popup(summary: "Sale", body: "")
    )
}

extension StateStore {
    /// As if the disk had room for this number of pages, or for those that are there already.
    func limit(pages: Int) throws { try state.file?.database.execute("PRAGMA max_page_count = \(pages)") }

    /// SQLite refuses new rows, with an error that is not about the place of the file.
    fileprivate func refuse(_ isRefusing: Bool) throws(StoreError) {
        try write(durably: false) { (database) throws(StoreError) in
            for table in ["outbox", "delivery_floors"] {
                try database.execute(
                    isRefusing
                        ? "CREATE TRIGGER no_\(table) BEFORE INSERT ON \(table) BEGIN SELECT RAISE(ABORT, 'no'); END"
                        : "DROP TRIGGER no_\(table)"
                )
            }
        }
    }
}
