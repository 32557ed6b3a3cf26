/// The notifications of one user in one tenant.
package struct StoredInbox: Sendable, Equatable {
    /// An action of a client on a row.
    package struct Interaction: Sendable, Equatable {
        package var id: String
        package var action: String
        /// Milliseconds since the Unix epoch.
        package var time: Int64
    }

    private struct Entry: Sendable, Equatable {
        /// The order of arrival, which may differ from the order of `created_on`.
        var serial: Int
        var row: StoredRow
    }

    package var preferences = StoredPreferences.sample
    package private(set) var interactions: [Interaction] = []
    private var entries: [Entry] = []
    /// The index in `entries` of each row with an id.
    private var positions: [String: Int] = [:]
    private var nextSerial = 1
    /// Rows with a higher serial count for the badge.
    private var bellSerial = 0

    /// All rows in server order, archived and expired ones too.
    package var rows: [StoredRow] { entries.map(\.row).sorted(by: StoredRow.precedes) }

    package func row(_ id: String) -> StoredRow? { positions[id].map { entries[$0].row } }

    mutating func insert(_ row: StoredRow) {
        remove(row.id)
        if !row.id.isEmpty { positions[row.id] = entries.count }
        entries.append(Entry(serial: nextSerial, row: row))
        nextSerial += 1
    }

    @discardableResult
    mutating func remove(_ id: String) -> Bool {
        guard let position = positions.removeValue(forKey: id) else { return false }
        entries.remove(at: position)
        for (id, other) in positions where other > position { positions[id] = other - 1 }
        return true
    }

    /// Changes one row; false when there is none.
    mutating func change(_ id: String, _ body: (inout StoredRow) -> Void) -> Bool {
        guard let index = positions[id] else { return false }
        body(&entries[index].row)
        return true
    }

    // MARK: Reading

    /// The rows of a store; nil is the default store, all rows that are not archived.
    package func rows(of store: StoreQuery?, now: Int64) -> [StoredRow] {
        rows.map { $0.archivedIfExpired(at: now) }.filter { store?.matches($0) ?? !$0.isArchived }
    }

    /// Rows that arrived after the bell was last reset, not archived. Reading does not change it.
    package func badge(now: Int64) -> Int {
        entries.count { $0.serial > bellSerial && !$0.row.archivedIfExpired(at: now).isArchived }
    }

    /// The count of a store: its unread rows.
    package func unread(in store: StoreQuery?, now: Int64) -> Int { rows(of: store, now: now).count { !$0.isRead } }

    // MARK: Actions

    /// An action on one row. A time that is already set stays, except that of "interacted".
    package enum Action: String, Sendable, CaseIterable {
        case seen, read, unread, interacted, archive
    }

    /// Applies an action; false when there is no such row.
    mutating func apply(_ action: Action, to id: String, now: Int64) -> Bool {
        let found = change(id) { row in
            func touch(_ key: String) { if row[key]?.integer == nil { row[key] = .integer(now) } }
            switch action {
            case .seen: touch("seen_on")
            case .read: touch("seen_on"); touch("read_on")
            case .unread: row["read_on"] = .null
            case .interacted:
                touch("seen_on")
                touch("read_on")
                row["interacted_on"] = .integer(now)
            case .archive: row["archived"] = true
            }
        }
        if found { record(id, action.rawValue, now) }
        return found
    }

    /// Marks all rows as read. The badge stays: only ``resetBell(now:)`` resets it.
    mutating func markAllRead(now: Int64) {
        for index in entries.indices where !entries[index].row.isRead {
            entries[index].row["read_on"] = .integer(now)
        }
        record("all", "read", now)
    }

    mutating func resetBell(now: Int64) {
        bellSerial = nextSerial - 1
        record("all", "reset_badge", now)
    }

    private mutating func record(_ id: String, _ action: String, _ time: Int64) {
        interactions.append(Interaction(id: id, action: action, time: time))
        if interactions.count > 10_000 { interactions.removeFirst(1_000) }
    }
}
