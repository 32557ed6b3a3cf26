import Basics
import FoundationEssentials
import Glibc
import Inbox
import TestSupport
import Testing

@testable import Agent

/// Records that are in a file before they are in the database.
@Suite struct RedoLogTests {
    private static let popup = {
        let url = OpenableURL(saved: "https://x.org/")
        let buttons = [Popup.Button(key: "default", label: "Öffnen: 1:a", url: url)]
        return SavedPopup(
            open: OpenPopup(
                references: [NotificationReference(account: "work", id: "3:b")],
                count: 9,
                buttons: buttons,
                urgency: 2,
                titles: ["", "ü"],
                isSummary: false
            ),
            popup: Popup(
                summary: "\u{301}Sale",
                body: "a\u{0}ü\n",
                buttons: buttons,
                urgency: 2,
                isResident: true,
                picture: "/cache/b.png"
            )
        )
    }()
    private static let kept = Popups.Effect.keep(server: "bus :1.2", id: .max, popup)

    private static let statements: [RedoLog.Statement] =
        [
            RedoLog.Statement(.addArrival, "work", ["a": 10, "": Timestamp(milliseconds: .min)]),
            RedoLog.Statement(.addArrival, "", [:]),
        ]
        + ([
            .delivered(account: "work", ["a": 10, "ü:1": Timestamp(milliseconds: .max)], watermark: -5),
            .delivered(account: "work", ["b": 20], watermark: nil), kept,
            .forget(server: "bus :1.2", ids: [0, .max]), .forget(server: "x", ids: []),
            .forgetServers(except: "bus :1.3"),
        ] as [Popups.Effect]).flatMap(\.statements)

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
        [RedoLog.Statement(.addArrival, "work", [NotificationID(id): 10])]
    }

    /// The file has these statements.
    private static func expect(
        _ statements: [RedoLog.Statement],
        at path: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let contents = try RedoLog.contents(at: path)
        #expect(contents.statements == statements && contents.unknown == 0, sourceLocation: sourceLocation)
    }

    @Test("Statements are read as they were written, in their order, and only by their user") func roundTrip()
        async throws
    {
        try await Self.withPath { path in
            let log = RedoLog(path: path)
            #expect(log.add(Array(Self.statements.prefix(3))) == nil)
            #expect(log.add(Array(Self.statements.dropFirst(3))) == nil)
            try Self.expect(Self.statements, at: path)
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
            try Self.expect(b, at: path)
            #expect(!FileManager.default.fileExists(atPath: path + ".new"))
            log.executed(1, areInFile: false)
            #expect(log.pending.isEmpty)
            try Self.expect(b, at: path)
            log.add(c, arePending: false)
            #expect(log.pending.isEmpty)
            try Self.expect(b + c, at: path)
            log.executed(0, areInFile: true)
            #expect(!FileManager.default.fileExists(atPath: path))
            log.add(a)
            try Self.expect(a, at: path)
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
                try Self.expect(Self.arrived("during the write"), at: path)
            }
        }
    }

    @Test("Without a file, or one that cannot be written, statements do not wait") func noPath() {
        #expect(!RedoLog(path: nil).canWait)
        let log = RedoLog(path: "/proc/nowhere/redo")
        let failure = log.add(Self.arrived("a"))
        #expect(failure?.description == "Cannot use \"/proc/nowhere/redo\": No such file or directory")
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
                try Self.expect(whole, at: path)
                let log = RedoLog(path: path)
                #expect(log.start(with: whole, of: ""))
                log.add(Self.arrived("next"))
                try Self.expect(whole + Self.arrived("next"), at: path)
            }
        }
    }

    @Test("A damaged file is read without a trap") func damage() async throws {
        try await Self.withPath { path in
            RedoLog(path: path).add(Self.statements)
            let all = try Self.bytes(path)
            let database = try Database(":memory:")
            #expect(try Schema.prepare(database) == Schema.version)
            for index in all.indices {
                var bytes = all
                bytes[index] &+= 1
                #expect(FileManager.default.createFile(atPath: path, contents: Data(bytes)))
                let statements = try RedoLog.contents(at: path).statements
                #expect(statements.count <= Self.statements.count)
                for statement in statements {
                    for row in statement.rows { try database.run(statement.kind.sql, row) }
                }
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
                #expect(await store.waitForLock() == .taken)
                store.record([.delivered(account: "work", ["a": 10], watermark: 5), Self.kept])
                // The process may end after it has saved them, and before it removes the file.
                let copy = try Self.bytes(logPath)
                await store.save()
                #expect(!FileManager.default.fileExists(atPath: logPath))
                #expect(FileManager.default.createFile(atPath: logPath, contents: Data(copy)))
                store.record(arrivals: ["a": 10], of: "work")
            }
            let reader = StateStore(path: path, logPath: logPath) { _ in }
            #expect(try await reader.arrivals(of: "work") == [:])
            #expect(FileManager.default.fileExists(atPath: logPath))
            let next = StateStore(path: path, logPath: logPath) { _ in }
            #expect(await next.waitForLock() == .taken)
            #expect(try await next.arrivals(of: "work") == ["a": 10])
            #expect(try await next.deliveries(of: "work") == .init(watermark: 5, shown: ["a": 10]))
            #expect(try await next.popups() == ["bus :1.2": [.max: Self.popup]])
            #expect(!FileManager.default.fileExists(atPath: logPath))
        }
    }

    @Test("Each statement fits the tables and has a number that never changes") func kinds() throws {
        let database = try Database(":memory:")
        #expect(try Schema.prepare(database) == Schema.version)
        for kind in RedoLog.Statement.Kind.allCases {
            try database.run(kind.sql, Array(repeating: .integer(1), count: kind.valueCount))
        }
        let numbers = Dictionary(uniqueKeysWithValues: RedoLog.Statement.Kind.allCases.map { ($0, $0.rawValue) })
        #expect(
            numbers == [
                .addArrival: 1, .addDelivery: 2, .setWatermark: 3, .removeCoveredDeliveries: 4,
                .removeCoveredArrivals: 5, .endSnooze: 6, .putPopup: 7, .removePopup: 8, .removePopupsOfOthers: 9,
                .removeAction: 10, .addAction: 11, .removePreferenceChange: 12, .addPreferenceChange: 13,
                .beginAction: 14,
            ]
        )
    }

    /// The file of a log with these entries.
    private static func file(_ entries: [[String]]) -> Data {
        Data(TextList.encode(["feedbell redo 2 "] + entries.map(TextList.encode)).utf8)
    }

    @Test(
        "Text of the file never becomes a statement of the database: what this version does not know is discarded",
        arguments: [
            ["INSERT INTO agent_values (name, value) VALUES (?, ?)", TextList.encode(["tpause", "t0"])],
            ["CREATE TRIGGER t AFTER INSERT ON outbox BEGIN DELETE FROM outbox; END", ""],
            ["0", TextList.encode(["twork"])], ["14", TextList.encode(["twork"])], ["", ""],
            ["9", TextList.encode(["tx", "ty"])], ["9", TextList.encode(["x"])], ["9", ""],
        ]
    )
    func unknown(entry: [String]) async throws {
        try await StatePath.with { path in
            let logPath = path + "-redo"
            _ = try await StatePath.store(path).store.popups()
            let known = try #require(Self.arrived("a").first?.entry.text)
            try Self.file([entry, TextList.decode(known)]).write(to: URL(filePath: logPath))
            #expect(chmod(logPath, 0o600) == 0)
            let notices = StatePath.Notices()
            let store = StateStore(path: path, logPath: logPath) { notices.add($0) }
            #expect(await store.waitForLock() == .taken)
            #expect(try await store.arrivals(of: "work") == ["a": 10])
            #expect(try await store.pause() == nil)
            try await store.replace(
                [],
                by: [.init(number: 1, method: "MarkRead", arguments: [])],
                in: .actions,
                of: "work"
            )
            #expect(try await store.rows(in: .actions, of: "work").count == 1)
            #expect(notices.all.count == 1)
            #expect(notices.all.first?.problem?.contains("Records of another version of Feedbell") == true)
            #expect(!FileManager.default.fileExists(atPath: logPath))
        }
    }

    @Test("The statements of an earlier version, which were SQL, are discarded") func sqlLog() async throws {
        try await StatePath.with { path in
            _ = try await StatePath.store(path).store.popups()
            let pause = ["INSERT INTO agent_values (name, value) VALUES (?, ?)", TextList.encode(["tpause", "t0"])]
            let contents = Data(TextList.encode([TextList.encode(pause)]).utf8)
            #expect(FileManager.default.createFile(atPath: path + "-redo", contents: contents))
            #expect(chmod(path + "-redo", 0o600) == 0)
            let store = StateStore(path: path, logPath: path + "-redo") { _ in }
            #expect(await store.waitForLock() == .taken)
            #expect(try await store.pause() == nil)
        }
    }

    @Test(
        "A log that another user can write to, or replace, is neither read nor written",
        arguments: [
            (0o777, 0o600, "other users can write to its directory"),
            (0o770, 0o600, "other users can write to its directory"),
            (0o1777, 0o600, "other users can write to its directory"), (0o700, 0o620, "other users can write to it"),
            (0o700, 0o602, "other users can write to it"),
        ] as [(mode_t, mode_t, String)]
    )
    func unsafe(directory: mode_t, file: mode_t, reason: String) async throws {
        try await Self.withPath { path in
            RedoLog(path: path).add(Self.arrived("a"))
            let before = try Self.bytes(path)
            #expect(chmod(path, file) == 0 && chmod(path.replacing("/redo-1", with: ""), directory) == 0)
            let failure = #expect(throws: RedoLog.Failure.self) { try RedoLog.contents(at: path) }
            #expect(failure?.description == "Cannot use \"\(path)\": \(reason)")
            let log = RedoLog(path: path)
            #expect(log.add(Self.arrived("b"))?.description == failure?.description)
            #expect(!log.canWait, "it is written to the database at once")
            #expect(try Self.bytes(path) == before)
        }
    }

    @Test("A log that is a link, a directory or has a second name is neither read nor written") func noFile()
        async throws
    {
        try await Self.withPath { path in
            RedoLog(path: path).add(Self.arrived("a"))
            let other = path + "-other"
            #expect(link(path, other) == 0)
            #expect(throws: RedoLog.Failure.self) { try RedoLog.contents(at: path) }
            #expect(unlink(path) == 0 && symlink(other, path) == 0)
            let link = try RedoLog.contents(at: path)
            #expect(link == RedoLog.Contents())
            #expect(RedoLog(path: path).add(Self.arrived("b")) != nil)
            #expect(unlink(path) == 0 && mkdir(path, 0o700) == 0)
            #expect(throws: RedoLog.Failure.self) { try RedoLog.contents(at: path) }
            #expect(RedoLog(path: path).add(Self.arrived("b")) != nil)
            #expect(try RedoLog.contents(at: other).statements == Self.arrived("a"))
        }
    }

    @Test("A log of another user is not used", .enabled(if: geteuid() != 0, "root owns what it does not write"))
    func foreignDirectory() {
        // Root's, where nobody else can write.
        let failure = RedoLog(path: "/usr/redo").add(Self.arrived("a"))
        #expect(failure?.description == "Cannot use \"/usr/redo\": its directory belongs to another user")
    }

    @Test(
        "Of several computers with one home directory, a log that is older than the database does not take it back"
    )
    func twoComputers() async throws {
        try await StatePath.with { path in
            // Each computer has a file of its own at this path.
            let logPath = path + "-redo"
            let first: Data
            do {
                let store = StateStore(path: path, logPath: logPath) { _ in }
                #expect(await store.waitForLock() == .taken)
                store.record([.delivered(account: "work", ["old": 7], watermark: 5), Self.kept])
                store.record(arrivals: ["old": 7], of: "work")
                // It is killed.
                first = Data(try Self.bytes(logPath))
            }
            try FileManager.default.removeItem(atPath: logPath)
            do {
                let store = StateStore(path: path, logPath: logPath) { _ in }
                #expect(await store.waitForLock() == .taken)
                try await store.keep([.delivered(account: "work", ["new": 60], watermark: 50)])
            }
            #expect(FileManager.default.createFile(atPath: logPath, contents: first))
            #expect(chmod(logPath, 0o600) == 0)
            let store = StateStore(path: path, logPath: logPath) { _ in }
            #expect(await store.waitForLock() == .taken)
            #expect(try await store.deliveries() == ["work": .init(watermark: 50, shown: ["new": 60])])
            #expect(try await store.arrivals(of: "work") == [:])
            #expect(try await store.popups() == [:])
            #expect(!FileManager.default.fileExists(atPath: logPath))
        }
    }

    @Test("Records are in the database after a second, in a flood at once", .timeLimit(.minutes(5))) func saving()
        async throws
    {
        try await StatePath.with { path in
            let store = StateStore(path: path, logPath: path + "-redo") { _ in }
            #expect(await store.waitForLock() == .taken)
            let clock = ManualClock()
            try await withThrowingTaskGroup { group in
                group.addTask { await store.run(clock: clock) }
                for id in ["a", "b"] {
                    store.record(arrivals: [NotificationID(id): 1], of: "work")
                    await clock.sleeper(for: .seconds(1))
                    #expect(try await store.arrivals(of: "work")[NotificationID(id)] == nil)
                    clock.advance(by: .seconds(1))
                    try await waiting(for: id, seeing: { try await store.arrivals(of: "work") }) {
                        $0[NotificationID(id)] != nil
                    }
                }
                for id in 1...200 { store.record(arrivals: [NotificationID("\(id)"): 1], of: "home") }
                try await waiting(for: "200 arrivals", seeing: { try await store.arrivals(of: "home").count }) {
                    $0 == 200
                }
                group.cancelAll()
            }
        }
    }

    @Test(
        "The redo log is in the runtime directory if that is the user's own with mode 0700, else beside the state file",
        arguments: [(0o700, true), (0o755, false), (0o711, false), (0o770, false), (0o777, false), (0o1777, false)]
            as [(mode_t, Bool)]
    )
    func place(mode: mode_t, isUsed: Bool) async throws {
        try await StatePath.with { path in
            let runtime = path.replacing("/state/feedbell.sqlite3", with: "")
            try FileManager.default.createDirectory(atPath: runtime, withIntermediateDirectories: true)
            #expect(chmod(runtime, mode) == 0)
            let environment = ["XDG_RUNTIME_DIR": runtime]
            let log = StateStore.defaultLogPath(beside: "/a/feedbell.sqlite3", environment: environment)
            if isUsed {
                #expect(log.hasPrefix(runtime + "/feedbell/redo-"))
                let other = StateStore.defaultLogPath(beside: "/b/feedbell.sqlite3", environment: environment)
                #expect(other.hasPrefix(runtime + "/feedbell/redo-") && other != log)
            } else {
                #expect(log == "/a/feedbell.sqlite3-redo")
            }
        }
    }

    @Test(
        "Without a runtime directory, the redo log is beside the state file",
        arguments: [nil, "run", "/proc/nowhere"]
    )
    func noRuntimeDirectory(value: String?) {
        let environment = value.map { ["XDG_RUNTIME_DIR": $0] } ?? [:]
        let path = StateStore.defaultLogPath(beside: "/a/feedbell.sqlite3", environment: environment)
        #expect(path == "/a/feedbell.sqlite3-redo")
    }
}
