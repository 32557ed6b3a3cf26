import ServiceModels

@testable import MagicBell

/// The service's side of stores: a ``MagicBellModel`` whose changes are made at ``base``.
struct SimulatedInbox {
    private var model = MagicBellModel(hasAscendingIDs: false)

    var rows: [String: InboxNotification] { model.rows }

    var reportsRepetitions: Bool {
        get { model.reportsRepetitions }
        set { model.reportsRepetitions = newValue }
    }

    func list(_ predicate: StorePredicate) -> [InboxNotification] { model.list(predicate) }

    func counts(_ predicate: StorePredicate) -> StoreCounts { model.counts(of: predicate) }

    func page(_ predicate: StorePredicate, _ cursor: InboxPageCursor?, _ size: Int) -> StorePage {
        model.page(of: predicate, after: cursor, size: size)
    }

    /// Adds notifications without an event.
    mutating func add(_ notifications: [InboxNotification]) { for row in notifications { model.create(row) } }

    mutating func create(_ notification: InboxNotification) -> [InboxEvent] { [model.create(notification)] }

    mutating func change(_ id: String, _ change: StateChange) -> [InboxEvent] {
        model.change(id, to: change, at: base).map { [$0] } ?? []
    }

    mutating func delete(_ id: String) -> [InboxEvent] { model.delete(id).map { [$0] } ?? [] }

    mutating func changeAll(_ predicate: StorePredicate, _ change: StateChange) -> [InboxEvent] {
        [model.changeAll(to: change, of: predicate, at: base)]
    }
}
