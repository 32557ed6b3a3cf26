import FoundationEssentials
import Glibc
import Testing

@testable import Store

/// The journal: changes that are in a file before they are in the database.
@Suite struct PopupJournalTests {
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

    private static let changes: [StateStore.PopupChange] = [
        .arrived(.init(owner: "work", created: ["a": 10, "": .min])), .arrived(.init(owner: "", created: [:])),
        .delivered(owner: "work", .init(watermark: -5, shown: ["a": 10, "ü:1": .max])),
        .delivered(owner: "work", .init(shown: ["b": 20])), .kept(popup),
        .forgotten(server: "bus :1.2", ids: [0, .max]), .forgotten(server: "x", ids: []), .onlyServer("bus :1.3"),
    ]

    /// A path in a directory that does not exist yet.
    private static func withPath(_ body: (String) async throws -> Void) async throws {
        try await StatePath.with { path in
            let parent = path.replacing("/state/feedbell.sqlite3", with: "")
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
            try await body(parent + "/feedbell/popups-1")
        }
    }

    private static func bytes(_ path: String) throws -> [UInt8] {
        Array(try #require(FileManager.default.contents(atPath: path)))
    }

    @Test("Changes are read as they were written, in their order, and only by their user") func roundTrip() async throws
    {
        try await Self.withPath { path in
            let journal = PopupJournal(path: path)
            try journal.append(Array(Self.changes.prefix(3)))
            try journal.append(Array(Self.changes.dropFirst(3)))
            #expect(PopupJournal.changes(at: path) == Self.changes)
            #expect(try Self.bytes(path).count == journal.size)
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
            try journal.replace(with: Array(Self.changes.suffix(2)))
            try journal.append([Self.changes[0]])
            #expect(PopupJournal.changes(at: path) == Self.changes.suffix(2) + [Self.changes[0]])
            #expect(try Self.bytes(path).count == journal.size)
            #expect(!FileManager.default.fileExists(atPath: path + ".new"))
            journal.remove()
            #expect(journal.size == 0)
            #expect(!FileManager.default.fileExists(atPath: path))
            try journal.append([.onlyServer("x")])
            #expect(PopupJournal.changes(at: path) == [.onlyServer("x")])
        }
    }

    @Test("Of a file that was cut, the changes before the cut are read") func cut() async throws {
        try await Self.withPath { path in
            let journal = PopupJournal(path: path)
            var ends: [Int] = []
            for change in Self.changes {
                try journal.append([change])
                ends.append(journal.size)
            }
            let all = try Self.bytes(path)
            for count in 0...all.count {
                #expect(FileManager.default.createFile(atPath: path, contents: Data(all[..<count])))
                let whole = ends.count { $0 <= count }
                #expect(PopupJournal.changes(at: path) == Array(Self.changes.prefix(whole)), "\(count) bytes")
            }
        }
    }

    @Test("A damaged file is read without a trap") func damage() async throws {
        try await Self.withPath { path in
            let journal = PopupJournal(path: path)
            try journal.append(Self.changes)
            let all = try Self.bytes(path)
            for index in all.indices {
                var bytes = all
                bytes[index] &+= 1
                #expect(FileManager.default.createFile(atPath: path, contents: Data(bytes)))
                #expect(PopupJournal.changes(at: path).count <= Self.changes.count)
            }
        }
    }

    @Test("Who takes the lock adds what an earlier process has left, and removes it") func recovery() async throws {
        try await StatePath.with { path in
            let journalPath = path + "-popups"
            let journal: PopupJournal
            do {
                let store = StateStore(path: path, journalPath: journalPath) { _ in }
                #expect(await store.lock() == .taken)
                journal = try #require(store.makeJournal())
                let changes: [StateStore.PopupChange] = [
                    .delivered(owner: "work", .init(watermark: 5, shown: ["a": 10])), .kept(Self.popup),
                ]
                try journal.append(changes)
                try journal.append([.arrived(.init(owner: "work", created: ["a": 10]))])
                // The process may end after it has kept them, and before it removes the file.
                try await store.keep(changes)
            }
            let reader = StateStore(path: path, journalPath: journalPath) { _ in }
            #expect(try await reader.arrivals(of: "work").created == [:])
            #expect(FileManager.default.fileExists(atPath: journalPath))
            let next = StateStore(path: path, journalPath: journalPath) { _ in }
            #expect(await next.lock() == .taken)
            #expect(try await next.arrivals(of: "work").created == ["a": 10])
            #expect(try await next.deliveries(of: "work") == .init(watermark: 5, shown: ["a": 10]))
            #expect(try await next.popups() == [Self.popup])
            #expect(!FileManager.default.fileExists(atPath: journalPath))
        }
    }

    @Test(
        "The journal is in the runtime directory, one for each state file",
        arguments: [
            (["XDG_RUNTIME_DIR": "/run/user/1"], "/run/user/1/feedbell/popups-"), ([:], "/a/feedbell.sqlite3-popups"),
            (["XDG_RUNTIME_DIR": "run"], "/a/feedbell.sqlite3-popups"),
        ]
    )
    func path(environment: [String: String], start: String) {
        let path = PopupJournal.usualPath(beside: "/a/feedbell.sqlite3", environment: environment)
        #expect(path.hasPrefix(start))
        #expect(path != PopupJournal.usualPath(beside: "/b/feedbell.sqlite3", environment: environment))
    }
}
