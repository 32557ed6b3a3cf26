import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import Store

/// Records that are in a file before they are in the database.
@Suite struct RedoLogTests {
    private static let popup = StateStore.PopupRow(
        server: "bus :1.2",
        id: .max,
        summary: "\u{301}Sale",
        body: "a\u{0}ü\n",
        buttons: [.init(key: "default", label: "Öffnen: 1:a", url: "https://x.org/")],
        category: "",
        urgency: 2,
        isResident: true,
        timeout: -1,
        notifications: [.init(owner: "work", id: "3:b")],
        count: 9,
        titles: ["", "ü"],
        isSummary: false,
        expires: nil,
        picture: "/cache/b.png"
    )

    private static let statements: [RedoLog.Statement] =
        ([
            .arrived(.init(owner: "work", created: ["a": 10, "": .min])), .arrived(.init(owner: "", created: [:])),
            .delivered(owner: "work", .init(watermark: -5, shown: ["a": 10, "ü:1": .max])),
            .delivered(owner: "work", .init(shown: ["b": 20])), .kept(popup),
            .forgotten(server: "bus :1.2", ids: [0, .max]), .forgotten(server: "x", ids: []), .onlyServer("bus :1.3"),
        ] as [StateStore.PopupChange]).flatMap(\.statements)

    /// A path in a directory that does not exist yet.
    private static func withPath(_ body: (String) async throws -> Void) async throws {
        try await StatePath.with { path in
            let parent = path.replacing("/state/feedbell.sqlite3", with: "")
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
            try await body(parent + "/feedbell/redo-1")
        }
    }

    private static func bytes(_ path: String) throws -> [UInt8] {
        Array(try #require(FileManager.default.contents(atPath: path)))
    }

    private static func arrived(_ id: String) -> [RedoLog.Statement] {
        StateStore.PopupChange.arrived(.init(owner: "work", created: [id: 10])).statements
    }

    @Test("Statements are read as they were written, in their order, and only by their user") func roundTrip()
        async throws
    {
        try await Self.withPath { path in
            let log = RedoLog(path: path)
            #expect(log.add(Array(Self.statements.prefix(3))) == nil)
            #expect(log.add(Array(Self.statements.dropFirst(3))) == nil)
            #expect(RedoLog.statements(at: path) == Self.statements)
            #expect(log.pending == Self.statements)
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        }
    }

    @Test("The file has what the state file lacks, also what was added during a write") func executed() async throws {
        try await Self.withPath { path in
            let log = RedoLog(path: path)
            let (a, b, c) = (Self.arrived("a"), Self.arrived("b"), Self.arrived("c"))
            #expect(log.canWait)
            log.add(a)
            log.add(b)
            log.executed(1, areInFile: true)
            #expect(log.pending == b)
            #expect(RedoLog.statements(at: path) == b)
            #expect(!FileManager.default.fileExists(atPath: path + ".new"))
            log.executed(1, areInFile: false)
            #expect(log.pending.isEmpty)
            #expect(RedoLog.statements(at: path) == b, "only memory has it")
            log.add(c, arePending: false)
            #expect(log.pending.isEmpty)
            #expect(RedoLog.statements(at: path) == b + c)
            log.executed(0, areInFile: true)
            #expect(!FileManager.default.fileExists(atPath: path))
            log.add(a)
            #expect(RedoLog.statements(at: path) == a)
        }
    }

    @Test("In a flood, statements do not wait, and the file stays short") func flood() async throws {
        try await Self.withPath { path in
            let log = RedoLog(path: path)
            for _ in 0..<20 {
                while log.canWait { log.add(Self.arrived(String(repeating: "x", count: 200))) }
                let count = log.pending.count
                #expect(count == 200)
                log.add(Self.arrived("during the write"))
                let size = try Self.bytes(path).count
                #expect(size < 200_000)
                log.executed(count, areInFile: true)
                #expect(RedoLog.statements(at: path) == Self.arrived("during the write"))
            }
        }
    }

    @Test("Without a file, or one that cannot be written, statements do not wait") func noFile() {
        #expect(!RedoLog(path: nil).canWait)
        let log = RedoLog(path: "/proc/nowhere/redo")
        let failure = log.add(Self.arrived("a"))
        #expect(failure?.description == "Cannot write \"/proc/nowhere/redo\": No such file or directory")
        #expect(log.add(Self.arrived("b")) == nil, "reported once")
        #expect(!log.canWait)
        #expect(log.pending == Self.arrived("a") + Self.arrived("b"))
    }

    @Test("Of a file that was cut, the statements before the cut are read, and the next ones follow them")
    func cut() async throws {
        try await Self.withPath { path in
            var ends: [Int] = []
            do {
                let log = RedoLog(path: path)
                for statement in Self.statements {
                    log.add([statement])
                    ends.append(try Self.bytes(path).count)
                }
            }
            let all = try Self.bytes(path)
            for count in 0...all.count {
                #expect(FileManager.default.createFile(atPath: path, contents: Data(all[..<count])))
                let whole = Array(Self.statements.prefix(ends.count { $0 <= count }))
                #expect(RedoLog.statements(at: path) == whole, "\(count) bytes")
                let log = RedoLog(path: path)
                #expect(log.begin(with: RedoLog.statements(at: path)))
                log.add(Self.arrived("next"))
                #expect(RedoLog.statements(at: path) == whole + Self.arrived("next"))
            }
        }
    }

    @Test("A damaged file is read without a trap") func damage() async throws {
        try await Self.withPath { path in
            RedoLog(path: path).add(Self.statements)
            let all = try Self.bytes(path)
            let database = try Database(":memory:")
            #expect(try Schema.migrate(database))
            for index in all.indices {
                var bytes = all
                bytes[index] &+= 1
                #expect(FileManager.default.createFile(atPath: path, contents: Data(bytes)))
                let statements = RedoLog.statements(at: path)
                #expect(statements.count <= Self.statements.count)
                for statement in statements { _ = database.accepts(statement.sql, statement.rows) }
            }
        }
    }

    @Test("The process that takes the lock writes what an earlier one has left, and removes it") func recovery()
        async throws
    {
        try await StatePath.with { path in
            let logPath = path + "-redo"
            do {
                let store = StateStore(path: path, logPath: logPath) { _ in }
                #expect(await store.lock() == .taken)
                store.record([.delivered(owner: "work", .init(watermark: 5, shown: ["a": 10])), .kept(Self.popup)])
                // The process may end after it has saved them, and before it removes the file.
                let copy = try Self.bytes(logPath)
                await store.save()
                #expect(!FileManager.default.fileExists(atPath: logPath))
                #expect(FileManager.default.createFile(atPath: logPath, contents: Data(copy)))
                store.record([.arrived(.init(owner: "work", created: ["a": 10]))])
            }
            let reader = StateStore(path: path, logPath: logPath) { _ in }
            #expect(try await reader.arrivals(of: "work").created == [:])
            #expect(FileManager.default.fileExists(atPath: logPath))
            let next = StateStore(path: path, logPath: logPath) { _ in }
            #expect(await next.lock() == .taken)
            #expect(try await next.arrivals(of: "work").created == ["a": 10])
            #expect(try await next.deliveries(of: "work") == .init(watermark: 5, shown: ["a": 10]))
            #expect(try await next.popups() == [Self.popup])
            #expect(!FileManager.default.fileExists(atPath: logPath))
        }
    }

    @Test("Records of a version with other tables are discarded and reported") func otherVersion() async throws {
        try await StatePath.with { path in
            let logPath = path + "-redo"
            _ = try await StatePath.store(path).store.popups()
            let other: [RedoLog.Statement] = [
                .init(sql: "INSERT INTO later (a) VALUES (?)", rows: [[.text("")]]),
                .init(sql: "DELETE FROM popups WHERE server <> ?", rows: [[.text(""), .text("")]]),
            ]
            RedoLog(path: logPath).add(other + Self.arrived("a"))
            let notices = StatePath.Notices()
            let store = StateStore(path: path, logPath: logPath) { notices.add($0) }
            #expect(await store.lock() == .taken)
            #expect(try await store.arrivals(of: "work").created == ["a": 10])
            #expect(notices.all.count == 2)
            #expect(notices.all.first?.problem?.contains("INSERT INTO later") == true)
            #expect(!FileManager.default.fileExists(atPath: logPath))
        }
    }

    @Test("Records are in the database after a second, in a flood at once", .timeLimit(.minutes(1))) func saving()
        async throws
    {
        try await StatePath.with { path in
            let store = StateStore(path: path, logPath: path + "-redo") { _ in }
            #expect(await store.lock() == .taken)
            let clock = ManualClock()
            try await withThrowingTaskGroup { group in
                group.addTask { await store.run(clock: clock) }
                for id in ["a", "b"] {
                    store.record([.arrived(.init(owner: "work", created: [id: 1]))])
                    await clock.sleeper(for: .seconds(1))
                    #expect(try await store.arrivals(of: "work").created[id] == nil)
                    clock.advance(by: .seconds(1))
                    while try await store.arrivals(of: "work").created[id] == nil { await Task.yield() }
                }
                for id in 1...200 { store.record([.arrived(.init(owner: "home", created: ["\(id)": 1]))]) }
                while try await store.arrivals(of: "home").created.count < 200 { await Task.yield() }
                group.cancelAll()
            }
        }
    }

    @Test(
        "The redo log is in the runtime directory, one for each state file",
        arguments: [
            (["XDG_RUNTIME_DIR": "/run/user/1"], "/run/user/1/feedbell/redo-"), ([:], "/a/feedbell.sqlite3-redo"),
            (["XDG_RUNTIME_DIR": "run"], "/a/feedbell.sqlite3-redo"),
        ]
    )
    func path(environment: [String: String], start: String) {
        let path = StateStore.usualLogPath(beside: "/a/feedbell.sqlite3", environment: environment)
        #expect(path.hasPrefix(start))
        #expect(path != StateStore.usualLogPath(beside: "/b/feedbell.sqlite3", environment: environment))
    }
}
