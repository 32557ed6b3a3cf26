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
        /// Ends the snoozes of these notifications of an owner, up to a time in milliseconds since the Unix epoch.
        case snoozesEnded(owner: String, ids: [String], until: Int64)
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
}

extension StateStore.PopupChange {
    var statements: [RedoLog.Statement] {
        switch self {
        case .arrived(let arrivals): return [Self.statement(.addArrival, arrivals.owner, arrivals.created)]
        case .delivered(let owner, let deliveries):
            let shown = deliveries.shown.isEmpty ? [] : [Self.statement(.addDelivery, owner, deliveries.shown)]
            guard let watermark = deliveries.watermark else { return shown }
            let rows: [[Database.Value]] = [[.text(owner), .integer(watermark)]]
            return shown + [
                .init(kind: .setWatermark, rows: rows),
                .init(kind: .removeCoveredDeliveries, rows: rows),
                .init(kind: .removeCoveredArrivals, rows: rows),
            ]
        case .snoozesEnded(let owner, let ids, let until):
            return [.init(kind: .endSnooze, rows: ids.map { [.text(owner), .text($0), .integer(until)] })]
        case .kept(let row): return [.init(kind: .putPopup, rows: [row.values])]
        case .forgotten(let server, let ids):
            return [.init(kind: .removePopup, rows: ids.map { [.text(server), .integer(Int64($0))] })]
        case .onlyServer(let server): return [.init(kind: .removePopupsOfOthers, rows: [[.text(server)]])]
        }
    }

    private static func statement(
        _ kind: RedoLog.Statement.Kind,
        _ owner: String,
        _ created: [String: Int64]
    ) -> RedoLog.Statement {
        .init(kind: kind, rows: created.map { [.text(owner), .text($0.key), .integer($0.value)] })
    }
}
