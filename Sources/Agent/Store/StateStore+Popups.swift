/// Notifications that arrived or were shown, and open popups.
extension StateStore {
    /// Notifications of one owner whose arrival is signalled.
    package struct Arrivals: Equatable, Sendable {
        package var owner: String
        /// Times of creation, in milliseconds since the Unix epoch, by id.
        package var created: [String: Int64]

        package init(owner: String, created: [String: Int64]) {
            self.owner = owner
            self.created = created
        }
    }

    /// The notifications of one owner that were shown.
    package struct Deliveries: Equatable, Sendable {
        /// The watermark: everything created up to this time counts as shown. In milliseconds since the Unix epoch; nil
        /// if unknown.
        package var watermark: Int64?
        /// Ids of shown notifications above the watermark, with their times of creation.
        package var shown: [String: Int64]

        package init(watermark: Int64? = nil, shown: [String: Int64] = [:]) {
            self.watermark = watermark
            self.shown = shown
        }
    }

    /// A change to write.
    package enum PopupChange: Equatable, Sendable {
        case arrived(Arrivals)
        /// Adds shown notifications, and moves the watermark if it is not nil.
        case delivered(owner: String, Deliveries)
        case kept(PopupRow)
        case forgotten(server: String, ids: [UInt32])
        /// Removes the popups of every other server.
        case onlyServer(String)
    }

    /// The shown notifications, by owner.
    package func deliveries() throws(StoreError) -> [String: Deliveries] {
        guard let database else { return [:] }
        var found: [String: Deliveries] = [:]
        for row in try database.query("SELECT owner, moment FROM delivery_floors") {
            found[row[0].text, default: Deliveries()].watermark = row[1].integer
        }
        for row in try database.query("SELECT owner, id, created FROM deliveries") {
            found[row[0].text, default: Deliveries()].shown[row[1].text] = row[2].integer
        }
        return found
    }

    /// The shown notifications of one owner.
    package func deliveries(of owner: String) throws(StoreError) -> Deliveries {
        try deliveries()[owner] ?? Deliveries()
    }

    /// The last known popups of all servers.
    package func popups() throws(StoreError) -> [PopupRow] {
        guard let database else { return [] }
        return try database.query("SELECT \(PopupRow.columns) FROM popups ORDER BY id").map(PopupRow.init)
    }

    /// The notifications of one owner whose arrival is recorded.
    package func arrivals(of owner: String) throws(StoreError) -> Arrivals {
        var arrivals = Arrivals(owner: owner, created: [:])
        let query = "SELECT id, created FROM arrivals WHERE owner = ?"
        for row in try database?.query(query, .text(owner)) ?? [] { arrivals.created[row[0].text] = row[1].integer }
        return arrivals
    }

    /// Writes changes in their order, in one transaction. They survive a crash of the process, but may not survive a
    /// power failure; then a notification may be shown or signalled twice. If this throws, they are written with the
    /// next ones.
    ///
    /// - Returns: Whether the state file has everything; otherwise the journal is still needed.
    @discardableResult
    package func keep(_ changes: [PopupChange]) throws(StoreError) -> Bool {
        let all = Self.lasting(refusedPopupChanges + changes)
        guard !all.isEmpty else { return state.isInFile }
        refusedPopupChanges = all.suffix(Self.refusedLimit)
        try write(durably: false) { (database) throws(StoreError) in
            for change in all { try keep(change, in: database) }
        }
        refusedPopupChanges = []
        return state.isInFile
    }

    /// The changes without the popups that later ones replace or discard: many do not stay open for a second.
    private static func lasting(_ changes: [PopupChange]) -> [PopupChange] {
        struct Popup: Hashable {
            var server: String
            var id: UInt32
        }
        var superseded: Set<Popup> = []
        let lasting = changes.reversed().filter { change in
            switch change {
            case .kept(let row): return superseded.insert(Popup(server: row.server, id: row.id)).inserted
            case .forgotten(let server, let ids): for id in ids { superseded.insert(Popup(server: server, id: id)) }
            case .arrived, .delivered, .onlyServer: break
            }
            return true
        }
        return lasting.reversed()
    }

    private func keep(_ change: PopupChange, in database: Database) throws(StoreError) {
        switch change {
        case .arrived(let arrivals):
            for (id, created) in arrivals.created {
                try database.run(
                    "INSERT OR IGNORE INTO arrivals (owner, id, created) VALUES (?, ?, ?)",
                    .text(arrivals.owner),
                    .text(id),
                    .integer(created)
                )
            }
        case .delivered(let owner, let deliveries): try keep(deliveries, of: owner, in: database)
        case .kept(let row): try database.run(PopupRow.insertion, row.values)
        case .forgotten(let server, let ids):
            for id in ids {
                try database.run("DELETE FROM popups WHERE server = ? AND id = ?", .text(server), .integer(Int64(id)))
            }
        case .onlyServer(let server): try database.run("DELETE FROM popups WHERE server <> ?", .text(server))
        }
    }

    private func keep(_ deliveries: Deliveries, of owner: String, in database: Database) throws(StoreError) {
        for (id, created) in deliveries.shown {
            try database.run(
                "INSERT OR REPLACE INTO deliveries (owner, id, created) VALUES (?, ?, ?)",
                .text(owner),
                .text(id),
                .integer(created)
            )
        }
        guard let watermark = deliveries.watermark else { return }
        try database.run(
            "INSERT OR REPLACE INTO delivery_floors (owner, moment) VALUES (?, ?)",
            .text(owner),
            .integer(watermark)
        )
        // The watermark covers them.
        for table in ["deliveries", "arrivals"] {
            try database.run("DELETE FROM \(table) WHERE owner = ? AND created <= ?", .text(owner), .integer(watermark))
        }
    }
}
