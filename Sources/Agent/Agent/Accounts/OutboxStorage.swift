import Basics
import Inbox
import Logging

/// A change in the state store.
protocol StorableChange: OutboxChange {
    static var table: StateStore.OutboxTable { get }
    /// The noun for the changes in log messages, in the plural.
    static var plural: String { get }

    /// nil: a later version of Feedbell wrote the row.
    init?(_ row: StateStore.OutboxRow)
    func row(_ number: Int64) -> StateStore.OutboxRow
}

/// The pending changes of one account in the state store.
struct OutboxStorage<Change: StorableChange>: Sendable {
    private let store: StateStore
    private let owner: String
    private let logger: Logger

    init(store: StateStore, owner: String, logger: Logger) {
        self.store = store
        self.owner = owner
        self.logger = logger
    }

    /// The pending changes of previous runs. Numbers up to `last` are not reused.
    ///
    /// - Returns: nil if they cannot be read. `begun`: when the requests without an answer were begun, by number.
    @concurrent  // returns to the caller's executor: CallerExecutorTests
    func load() async -> (changes: [PendingChange<Change>], last: Int64, begun: [Int64: Timestamp])? {
        do throws(StoreError) {
            let rows = try await store.rows(in: Change.table, of: owner)
            let changes = rows.compactMap { row in
                Change(row).map { PendingChange(number: row.number, change: $0) }
            }
            if changes.count < rows.count {
                logger.warning("some pending \(Change.plural) are unknown to this version of Feedbell")
            }
            var begun: [Int64: Timestamp] = [:]
            for row in rows { begun[row.number] = row.begun.map(Timestamp.init(milliseconds:)) }
            return (changes, try await store.reserveNumbers(), begun)
        } catch {
            logger.error("cannot read pending \(Change.plural)", metadata: ["reason": "\(error)"])
            return nil
        }
    }

    /// Saves and deletes the changes as the effects say. Returns when that is on disk.
    ///
    /// - Parameter begun: When the requests of changes were begun, by number; 0: they are over.
    @concurrent  // returns to the caller's executor: CallerExecutorTests
    func save<Effect: OutboxEffect>(_ effects: [Effect], begun: [Int64: Timestamp] = [:]) async
    where Effect.Change == Change {
        let forgotten = effects.compactMap(\.forgotten)
        let kept = effects.compactMap { $0.kept.map { $0.change.row($0.number) } }
        guard !forgotten.isEmpty || !kept.isEmpty || !begun.isEmpty else { return }
        do throws(StoreError) {
            let begun = begun.mapValues(\.milliseconds)
            try await store.replace(forgotten, by: kept, begun: begun, in: Change.table, of: owner)
        } catch {
            logger.error("cannot write pending \(Change.plural)", metadata: ["reason": "\(error)"])
        }
    }
}

extension TimestampedChange: StorableChange {
    static var table: StateStore.OutboxTable { .actions }
    static var plural: String { "actions" }

    init?(_ row: StateStore.OutboxRow) {
        guard let change = Change(name: row.method, ids: row.arguments.map { NotificationID($0) }) else { return nil }
        self.init(change, at: Timestamp(milliseconds: row.made ?? 0))
    }

    func row(_ number: Int64) -> StateStore.OutboxRow {
        let ids = change.ids.map(\.rawValue)
        return StateStore.OutboxRow(number: number, method: change.name, arguments: ids, made: time.milliseconds)
    }
}

extension PreferenceChange: StorableChange {
    static var table: StateStore.OutboxTable { .preferences }
    static var plural: String { "preference changes" }

    init?(_ row: StateStore.OutboxRow) {
        guard let change = try? Self(name: row.method, arguments: row.arguments) else { return nil }
        self = change
    }

    func row(_ number: Int64) -> StateStore.OutboxRow {
        StateStore.OutboxRow(number: number, method: name, arguments: arguments)
    }
}
