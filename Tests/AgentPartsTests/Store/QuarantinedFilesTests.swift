import FoundationEssentials
import Testing

@testable import Agent

/// The user has downgraded and upgraded again.
@Suite struct QuarantinedFilesTests {
    private static func row(_ number: Int64, _ id: String) -> StateStore.OutboxRow {
        StateStore.OutboxRow(number: number, method: "MarkRead", arguments: [id], made: 7)
    }

    /// As if the version before this one had written the file.
    private static func downgrade(_ path: String) throws {
        let database = try Database(path)
        try database.execute("ALTER TABLE outbox DROP COLUMN begun; PRAGMA user_version = \(Schema.version - 1)")
    }

    @Test("After an upgrade, pending changes in a file that was set aside come before the later ones, once")
    func upgrade() async throws {
        try await StatePath.with { path in
            // A later agent, and two older ones.
            try await StatePath.store(path + ".aside-1").store.replace(
                [],
                by: [Self.row(1 << 33, "a"), Self.row(1 << 33 + 1, "b")],
                in: .actions,
                of: "work"
            )
            let preference = StateStore.OutboxRow(number: 9, method: "SetChannel", arguments: ["x", "y"])
            try await StatePath.store(path + ".aside-2").store.replace(
                [],
                by: [preference],
                in: .preferences,
                of: "home"
            )
            try await StatePath.store(path).store.replace([], by: [Self.row(1 << 32, "c")], in: .actions, of: "work")
            try Self.downgrade(path)
            let (store, notices) = StatePath.store(path)
            let rows = try await store.rows(in: .actions, of: "work")
            #expect(rows.map(\.arguments) == [["a"], ["b"], ["c"]])
            #expect(rows.map(\.made) == [7, 7, 7])
            #expect(try await store.rows(in: .preferences, of: "home").map(\.arguments) == [["x", "y"]])
            #expect(
                notices.all.map(\.recovery) == [
                    "Pending changes of \"\(path).aside-2\" were taken over: 1.",
                    "Pending changes of \"\(path).aside-1\" were taken over: 2.",
                ]
            )
            // Again.
            try await store.replace(rows.map(\.number), by: [], in: .actions, of: "work")
            try Self.downgrade(path)
            let (next, none) = StatePath.store(path)
            #expect(try await next.rows(in: .actions, of: "work") == [])
            #expect(none.all.isEmpty)
        }
    }

    @Test("A migration is on disk before the files whose changes it took over are cleared") func durability() throws {
        let database = try Database(":memory:")
        #expect(try Schema.migrate(database))
        try database.execute("ALTER TABLE outbox DROP COLUMN begun; PRAGMA user_version = \(Schema.version - 1)")
        var level: Int64?
        _ = try Schema.migrate(database) { (_) throws(StoreError) in
            level = try database.query("PRAGMA synchronous").first?.first?.integer
        }
        #expect(level == 2, "FULL")
    }

    @Test("A file of a still later version, and one of an older one, are left alone", arguments: [-1, 1])
    func otherVersions(difference: Int64) async throws {
        try await StatePath.with { path in
            let aside = path + ".aside-1"
            try await StatePath.store(aside).store.replace([], by: [Self.row(1, "a")], in: .actions, of: "work")
            do { try Database(aside).execute("PRAGMA user_version = \(Schema.version + difference)") }
            _ = try await StatePath.store(path).store.popups()
            try Self.downgrade(path)
            let (store, notices) = StatePath.store(path)
            #expect(try await store.rows(in: .actions, of: "work") == [])
            #expect(notices.all.isEmpty)
            #expect(try Database(aside).query("SELECT count(*) FROM outbox") == [[.integer(1)]])
        }
    }

    @Test("A file that cannot be read is reported, and does not keep the agent from its own") func damaged()
        async throws
    {
        try await StatePath.with { path in
            _ = try await StatePath.store(path).store.popups()
            try Self.downgrade(path)
            try Data("Something else.".utf8).write(to: URL(filePath: path + ".aside-1"))
            let (store, notices) = StatePath.store(path)
            try await store.replace([], by: [Self.row(1, "a")], in: .actions, of: "work")
            #expect(notices.all.count == 1)
            let problem = try #require(notices.all.first?.problem)
            #expect(problem.hasPrefix("Pending changes in \"\(path).aside-1\" are not sent: it cannot be read ("))
            #expect(try await StatePath.store(path).store.rows(in: .actions, of: "work").count == 1)
        }
    }
}
