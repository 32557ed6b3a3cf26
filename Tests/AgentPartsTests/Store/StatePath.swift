import Basics
import FoundationEssentials
import Inbox
import Synchronization

@testable import Agent

enum StatePath {
    /// A path in a directory that ends with the test; nothing is there yet.
    static func with(_ body: (String) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "feedbell-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        try await body(directory.appending(path: "state/feedbell.sqlite3").path)
    }

    /// A store and its notices.
    static func store(_ path: String) -> (store: StateStore, notices: Notices) {
        let notices = Notices()
        return (StateStore(path: path) { notices.add($0) }, notices)
    }

    final class Notices: Sendable {
        private let notices = Mutex<[StateStore.Notice]>([])

        var all: [StateStore.Notice] { notices.withLock { $0 } }

        func add(_ notice: StateStore.Notice) { notices.withLock { $0.append(notice) } }
    }
}

extension StateStore {
    /// Takes the lock. Programs that other tests start have it until they are loaded.
    func waitForLock() async -> Lock { await lock(atMost: .seconds(60), clock: ContinuousClock()) }

    /// Records effects and writes them to the database.
    func keep(_ effects: [Popups.Effect]) throws(StoreError) {
        record(effects)
        try write([])
    }

    /// Records arrivals and writes them to the database.
    func keep(arrivals: [NotificationID: Timestamp], of owner: String) throws(StoreError) {
        record(arrivals: arrivals, of: owner)
        try write([])
    }
}

extension StateStore.Notice {
    /// The sentence, if something is wrong.
    var problem: String? { if case .problem(let sentence) = self { sentence } else { nil } }
    /// The sentence, if all is well again.
    var recovery: String? { if case .recovery(let sentence) = self { sentence } else { nil } }
}
