import Inbox

extension RedoLog {
    /// A statement, and the values of each of its executions.
    struct Statement: Equatable, Sendable {
        var kind: Kind
        var rows: [[Database.Value]]
    }
}

extension RedoLog.Statement {
    /// The statements that a redo log can have. Its file names them by their numbers, so that no file can make the
    /// database execute anything else. Never change what a number means; only append.
    enum Kind: Int, CaseIterable, Sendable {
        case addArrival = 1
        case addDelivery = 2
        case setWatermark = 3
        /// Removes the deliveries that the watermark covers.
        case removeCoveredDeliveries = 4
        /// Removes the arrivals that the watermark covers.
        case removeCoveredArrivals = 5
        case endSnooze = 6
        case putPopup = 7
        case removePopup = 8
        /// Removes the popups of every other server.
        case removePopupsOfOthers = 9
        case removeAction = 10
        case addAction = 11
        case removePreferenceChange = 12
        case addPreferenceChange = 13
        /// Records when the request of an action was begun.
        case beginAction = 14

        var sql: String {
            switch self {
            case .addArrival: "INSERT OR IGNORE INTO arrivals (owner, id, created) VALUES (?, ?, ?)"
            case .addDelivery: "INSERT OR REPLACE INTO deliveries (owner, id, created) VALUES (?, ?, ?)"
            case .setWatermark: "INSERT OR REPLACE INTO delivery_floors (owner, moment) VALUES (?, ?)"
            case .removeCoveredDeliveries: "DELETE FROM deliveries WHERE owner = ? AND created < ?"
            case .removeCoveredArrivals: "DELETE FROM arrivals WHERE owner = ? AND created < ?"
            case .endSnooze: "DELETE FROM snoozes WHERE owner = ? AND id = ? AND until <= ?"
            case .putPopup: SavedPopup.insertion
            case .removePopup: "DELETE FROM popups WHERE server = ? AND id = ?"
            case .removePopupsOfOthers: "DELETE FROM popups WHERE server <> ?"
            case .removeAction: "DELETE FROM outbox WHERE owner = ? AND number = ?"
            case .addAction:
                "INSERT OR REPLACE INTO outbox (owner, number, action, ids, made) VALUES (?, ?, ?, ?, ?)"
            case .removePreferenceChange: "DELETE FROM preference_outbox WHERE owner = ? AND number = ?"
            case .addPreferenceChange:
                "INSERT OR REPLACE INTO preference_outbox (owner, number, method, arguments) VALUES (?, ?, ?, ?)"
            case .beginAction: "UPDATE outbox SET begun = ? WHERE owner = ? AND number = ?"
            }
        }

        /// The number of values of one execution.
        var valueCount: Int { sql.utf8.count { $0 == UInt8(ascii: "?") } }

        /// Whether the statement changes the user's pending actions and changes.
        var isOfOutbox: Bool {
            switch self {
            case .removeAction, .addAction, .beginAction, .removePreferenceChange, .addPreferenceChange: true
            default: false
            }
        }
    }
}

/// An entry of the file is a ``TextList`` of the statement's number and, for each execution, a list of the values.
extension RedoLog.Statement {
    var entry: TextList {
        var entry = TextList(capacity: 1_024)
        entry.append(Int64(kind.rawValue))
        for row in rows {
            var values = TextList(capacity: 640)
            for value in row {
                switch value {
                case .integer(let number): values.append(number, after: "i")
                case .text(let text): values.append(text, after: "t")
                }
            }
            entry.append(values)
        }
        return entry
    }

    /// nil: this version has no such statement, or it has other values.
    init?(entry: String) {
        let texts = TextList.decode(entry)
        guard let kind = texts.first.flatMap({ Int($0) }).flatMap(Kind.init) else { return nil }
        let rows = texts.dropFirst().map { TextList.decode($0).compactMap(Database.Value.init(entry:)) }
        guard rows.allSatisfy({ $0.count == kind.valueCount }) else { return nil }
        self.init(kind: kind, rows: rows)
    }
}

extension Database.Value {
    fileprivate init?(entry: String) {
        // Not by characters: the text may begin with a combining one.
        let rest = Substring(entry.utf8.dropFirst())
        switch entry.utf8.first {
        case UInt8(ascii: "i"): self = .integer(Int64(rest) ?? 0)
        case UInt8(ascii: "t"): self = .text(String(rest))
        default: return nil
        }
    }
}
