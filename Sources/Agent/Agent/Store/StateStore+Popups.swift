package import Basics
package import Inbox

/// Notifications that arrived or were shown, and open popups.
extension StateStore {
    /// The shown notifications, by owner.
    package func deliveries() throws(StoreError) -> [String: DeliveryMarks] {
        guard let database else { return [:] }
        var shown: [String: [NotificationID: Timestamp]] = [:]
        for row in try database.query("SELECT owner, id, created FROM deliveries") {
            shown[row[0].text, default: [:]][NotificationID(row[1].text)] = Timestamp(milliseconds: row[2].integer)
        }
        var marks = shown.mapValues { DeliveryMarks(shown: $0) }
        for row in try database.query("SELECT owner, moment FROM delivery_floors") {
            let (owner, watermark) = (row[0].text, Timestamp(milliseconds: row[1].integer))
            marks[owner] = DeliveryMarks(watermark: watermark, shown: shown[owner] ?? [:])
        }
        return marks
    }

    /// The shown notifications of one owner.
    package func deliveries(of owner: String) throws(StoreError) -> DeliveryMarks {
        try deliveries()[owner] ?? DeliveryMarks()
    }

    /// The last known popups, by server and id, without those with a URL that must not be opened.
    package func popups() throws(StoreError) -> [String: [UInt32: SavedPopup]] {
        var popups: [String: [UInt32: SavedPopup]] = [:]
        for row in try database?.query("SELECT \(SavedPopup.columns) FROM popups") ?? [] {
            popups[row[0].text, default: [:]][UInt32(clamping: row[1].integer)] = SavedPopup(row)
        }
        return popups
    }

    /// The notifications of one owner whose arrival is recorded, with their times of creation.
    package func arrivals(of owner: String) throws(StoreError) -> [NotificationID: Timestamp] {
        var arrivals: [NotificationID: Timestamp] = [:]
        let query = "SELECT id, created FROM arrivals WHERE owner = ?"
        for row in try database?.query(query, .text(owner)) ?? [] {
            arrivals[NotificationID(row[0].text)] = Timestamp(milliseconds: row[1].integer)
        }
        return arrivals
    }
}

extension Popups.Effect {
    /// What stores it; empty: nothing of it is stored.
    var statements: [RedoLog.Statement] {
        switch self {
        case .delivered(let owner, let created, let watermark):
            let shown = created.isEmpty ? [] : [RedoLog.Statement(.addDelivery, owner, created)]
            guard let watermark else { return shown }
            let rows: [[Database.Value]] = [[.text(owner), .integer(watermark.milliseconds)]]
            return shown + [
                .init(kind: .setWatermark, rows: rows),
                .init(kind: .removeCoveredDeliveries, rows: rows),
                .init(kind: .removeCoveredArrivals, rows: rows),
            ]
        case .snoozesShown(let owner, let ids, let now):
            let rows: [[Database.Value]] = ids.map { [.text(owner), .text($0.rawValue), .integer(now.milliseconds)] }
            return [.init(kind: .endSnooze, rows: rows)]
        case .keep(let server, let id, let popup):
            return [.init(kind: .putPopup, rows: [popup.row(server: server, id: id)])]
        case .forget(let server, let ids):
            return [.init(kind: .removePopup, rows: ids.map { [.text(server), .integer(Int64($0))] })]
        case .forgetServers(let server): return [.init(kind: .removePopupsOfOthers, rows: [[.text(server)]])]
        case .notify, .close, .loadPicture, .needServer, .wait, .respond: return []
        }
    }
}

extension RedoLog.Statement {
    /// Adds notifications of an owner with their times of creation.
    init(_ kind: Kind, _ owner: String, _ created: [NotificationID: Timestamp]) {
        self.init(
            kind: kind,
            rows: created.map { [.text(owner), .text($0.key.rawValue), .integer($0.value.milliseconds)] }
        )
    }
}
