/// Notifications whose arrival was signalled.
extension StateStore {
    /// New notifications of one owner.
    package struct Arrivals: Equatable, Sendable {
        package var owner: String
        /// Times of creation, in milliseconds since the Unix epoch, by id.
        package var created: [String: Int64]

        package init(owner: String, created: [String: Int64]) {
            self.owner = owner
            self.created = created
        }
    }

    /// Records that the arrival of notifications was signalled. Returns the ids that were not recorded before.
    ///
    /// - Parameter created: Times of creation, in milliseconds since the Unix epoch, by id.
    package func recordArrivals(_ created: [String: Int64], of owner: String) throws(StoreError) -> Set<String> {
        try keep([], recording: [Arrivals(owner: owner, created: created)]).first ?? []
    }

    /// Records arrivals and writes changes of popups, in this order, in one transaction. It survives a crash of the
    /// process but perhaps not a power failure; then a notification may be signalled or shown twice.
    ///
    /// - Returns: The ids that were not recorded before, for each element of `arrivals`.
    package func keep(_ changes: [PopupChange], recording arrivals: [Arrivals]) throws(StoreError) -> [Set<String>] {
        guard !changes.isEmpty || !arrivals.isEmpty else { return [] }
        var new: [Set<String>] = []
        try write(durably: false) { (database) throws(StoreError) in
            // Once more, if the first attempt failed.
            new = []
            for arrivals in arrivals { new.append(try Self.record(arrivals, in: database)) }
            for change in changes { try Self.keep(change, in: database) }
        }
        return new
    }

    private static func record(_ arrivals: Arrivals, in database: Database) throws(StoreError) -> Set<String> {
        var new: Set<String> = []
        for (id, created) in arrivals.created {
            let isNew = try database.change(
                "INSERT OR IGNORE INTO arrivals (owner, id, created) VALUES (?, ?, ?)",
                .text(arrivals.owner),
                .text(id),
                .integer(created)
            )
            if isNew { new.insert(id) }
        }
        return new
    }
}
