import Basics
import Foundation
import Inbox
import TestSupport
import Testing

@testable import Agent

/// The owners of the rows of the state file, and two programs that share it.
@Suite(.timeLimit(.minutes(5))) struct OwnersTests {
    private func row(_ number: Int64) -> StateStore.OutboxRow {
        .init(number: number, method: "MarkRead", arguments: ["a"], made: 0)
    }

    @Test("The data of an owner that was not in use for 30 days is deleted") func retention() async throws {
        let store = StateStore()
        let day: Int64 = 86_400_000
        for owner in ["anna", "bob"] {
            try await store.replace([], by: [row(1)], in: .actions, of: owner)
            try await store.replace([], by: [.init(number: 2, method: "M", arguments: [])], in: .preferences, of: owner)
            try await store.keep([.delivered(account: owner, ["x": 5], watermark: 1)])
            try await store.keep(arrivals: ["x": 5], of: owner)
        }
        try await store.use(["anna", "bob"], now: 0)
        try await store.use(["anna"], now: 30 * day)
        #expect(try await store.rows(in: .actions, of: "bob").count == 1, "not yet")
        try await store.use(["anna"], now: 30 * day + 1)
        #expect(try await store.rows(in: .actions, of: "bob").isEmpty)
        #expect(try await store.rows(in: .preferences, of: "bob").isEmpty)
        #expect(try await store.deliveries(of: "bob") == .init())
        #expect(try await store.arrivals(of: "bob") == [:])
        #expect(try await store.rows(in: .actions, of: "anna").count == 1)
        #expect(try await store.rows(in: .preferences, of: "anna").count == 1)
        #expect(try await store.deliveries(of: "anna") == .init(watermark: 1, shown: ["x": 5]))
        #expect(try await store.arrivals(of: "anna") == ["x": 5])
    }

    @Test("A registration is there after a restart, until it is removed or its owner is unused") func registrations()
        async throws
    {
        try await StatePath.with { path in
            let store = StatePath.store(path).store
            #expect(try await store.registration(of: "anna") == nil)
            for owner in ["anna", "bob"] { try await store.setRegistration(["old"], of: owner) }
            try await store.setRegistration(["t:1", "bü"], of: "anna")
            let next = StatePath.store(path).store
            #expect(try await next.registration(of: "anna") == ["t:1", "bü"])
            try await next.use(["anna", "bob"], now: 0)
            try await next.use(["anna"], now: 31 * 86_400_000)
            #expect(try await next.registration(of: "bob") == nil)
            try await next.setRegistration(nil, of: "anna")
            #expect(try await StatePath.store(path).store.registration(of: "anna") == nil)
        }
    }

    @Test("The user that a token named is there after a restart, and is deleted with unused owners")
    func tokenUsers() async throws {
        try await StatePath.with { path in
            let store = StatePath.store(path).store
            #expect(try await store.tokenUser(of: "file /t") == nil)
            try await store.recordTokenUser("anna", inbox: ["https://a", "pk:1", ""], of: "file /t", key: "anna")
            try await store.recordTokenUser("bob", inbox: ["büch"], of: "file /t", key: "bob")
            try await store.recordTokenUser("carl", inbox: [], of: "file /u", key: "carl")
            let next = StatePath.store(path).store
            let user = try #require(try await next.tokenUser(of: "file /t"))
            #expect(user.name == "bob" && user.inbox == ["büch"])
            try await next.use(["file /t", "file /u"], now: 0)
            try await next.use(["file /t"], now: 31 * 86_400_000)
            #expect(try await next.tokenUser(of: "file /u") == nil)
            #expect(try await next.tokenUser(of: "file /t")?.name == "bob")
        }
    }

    @Test("The rows of an owner can become another one's, which keeps its own") func movedRows() async throws {
        let store = StateStore()
        try await store.replace([], by: [row(1), row(2)], in: .actions, of: "file /t")
        try await store.keep([.delivered(account: "file /t", ["x": 5], watermark: 1)])
        try await store.keep([.delivered(account: "anna", ["y": 12], watermark: 9)])
        try await store.recordTokenUser("anna", inbox: [], of: "file /t", key: "anna")
        #expect(try await store.rows(in: .actions, of: "anna").map(\.number) == [1, 2])
        #expect(try await store.rows(in: .actions, of: "file /t").isEmpty)
        #expect(try await store.deliveries(of: "anna") == .init(watermark: 9, shown: ["x": 5, "y": 12]))
        #expect(try await store.deliveries(of: "file /t") == .init())
    }

    @Test("An arrival is recorded for the next run, until the watermark covers it") func arrivals() async throws {
        try await StatePath.with { path in
            let store = StatePath.store(path).store
            try await store.keep(arrivals: ["a": 10, "b": 20], of: "work")
            let next = StatePath.store(path).store
            // Those that the watermark covers are removed, also what arrived in the same transaction.
            next.record(arrivals: ["b": 21, "c": 30, "d": 14], of: "work")
            next.record(arrivals: ["b": 20], of: "home")
            try await next.keep([.delivered(account: "work", [:], watermark: 15)])
            #expect(try await next.arrivals(of: "work") == ["b": 20, "c": 30])
            #expect(try await next.arrivals(of: "home") == ["b": 20])
        }
    }

    private static func popup(of owner: String, _ id: UInt32, _ text: String) -> Popups.Effect {
        let open = OpenPopup(
            references: [NotificationReference(account: owner, id: "a")],
            count: 1,
            buttons: [],
            urgency: 1,
            titles: [text],
            isSummary: false
        )
        return .keep(server: "bus :1.2", id: id, SavedPopup(open: open, popup: Popup(summary: text, body: text)))
    }

    /// Whether a text is in a file of the state.
    private static func isThere(_ text: String, _ path: String) -> Bool {
        ["", "-wal", "-redo"].contains { ending in
            FileManager.default.contents(atPath: path + ending)?.range(of: Data(text.utf8)) != nil
        }
    }

    @Test("Of an account that is not configured any more, no text of its popups is left in any file")
    func erasure() async throws {
        try await StatePath.with { path in
            let store = StateStore(path: path, logPath: path + "-redo") { _ in }
            #expect(await store.waitForLock() == .taken)
            try await store.use(["anna", "bob"], now: 1)
            try await store.keep([Self.popup(of: "anna", 1, "cardamom"), Self.popup(of: "bob", 2, "juniper")])
            #expect(Self.isThere("cardamom", path))
            try await store.use(["bob"], now: 2)
            await store.save()
            #expect(Self.isThere("cardamom", path), "its popup is still open")
            store.record([.forget(server: "bus :1.2", ids: [1])])
            await store.save()
            #expect(!Self.isThere("cardamom", path))
            #expect(Self.isThere("juniper", path))
            #expect(try await store.popups()["bus :1.2"]?.keys.sorted() == [2])
        }
    }

    @Test("If the agent is killed before, the next run erases it") func erasureLater() async throws {
        try await StatePath.with { path in
            do {
                let store = StateStore(path: path, logPath: path + "-redo") { _ in }
                #expect(await store.waitForLock() == .taken)
                try await store.use(["anna", "bob"], now: 1)
                try await store.keep([Self.popup(of: "anna", 1, "cardamom")])
                try await store.use(["bob"], now: 2)
                store.record([.forget(server: "bus :1.2", ids: [1])])
            }
            let store = StateStore(path: path, logPath: path + "-redo") { _ in }
            #expect(await store.waitForLock() == .taken)
            try await store.use(["bob"], now: 3)
            await store.save()
            #expect(!Self.isThere("cardamom", path))
        }
    }

    @Test("Two runs never use the same numbers, and later ones have larger numbers") func numbers() async throws {
        try await StatePath.with { path in
            let (first, second) = (StatePath.store(path).store, StatePath.store(path).store)
            let (one, two) = (try await first.reserveNumbers(), try await second.reserveNumbers())
            #expect(two - one >= 1 << 32)
            try await first.replace([], by: [row(one + 1)], in: .actions, of: "work")
            try await second.replace([], by: [row(two + 1)], in: .actions, of: "work")
            #expect(try await first.rows(in: .actions, of: "work").map(\.number) == [one + 1, two + 1])
        }
    }

    @Test("A second program cannot use the file, and the error names the first, until that ends")
    func lock() async throws {
        try await StatePath.with { path in
            do {
                let first = StatePath.store(path).store
                #expect(await first.lock() == .taken)
                #expect(await first.lock() == .taken)
                let second = StatePath.store(path).store
                #expect(await second.lock() == .held(path: path, process: Int(getpid()), host: nil))
            }
            // An actor may be released later than the last reference to it is.
            try await waiting(for: "the lock", seeing: { await StatePath.store(path).store.lock() }) { $0 == .taken }
        }
    }

    @Test("The error about a program on another computer names that computer") func otherHost() async throws {
        try await StatePath.with { path in
            try StateFile.makeDirectory(of: path)
            let first = try StateLock(beside: path, host: "kitchen")
            #expect(first != nil)
            #expect(
                await StatePath.store(path).store.lock() == .held(path: path, process: Int(getpid()), host: "kitchen")
            )
            withExtendedLifetime(first) {}
        }
    }

    @Test("A store in memory needs no lock") func memory() async {
        #expect(await StateStore().lock() == .taken)
        #expect(await StateStore().lock() == .taken)
    }
}
