import Basics
package import Inbox

/// The notifications that users have put off.
extension StateStore {
    /// The snoozed notifications of an owner.
    package func snoozes(of owner: String) throws(StoreError) -> [NotificationID: Snoozes.Snooze] {
        var snoozes: [NotificationID: Snoozes.Snooze] = [:]
        let sql = "SELECT id, until, was_read FROM snoozes WHERE owner = ?"
        for row in try database?.query(sql, .text(owner)) ?? [] {
            let until = Timestamp(milliseconds: row[1].integer)
            snoozes[NotificationID(row[0].text)] = Snoozes.Snooze(until: until, wasRead: row[2].integer > 0)
        }
        return snoozes
    }

    /// Ends the snoozes of some notifications and begins others, which are on disk when this returns.
    package func replaceSnoozes(
        _ ended: [NotificationID],
        by begun: [NotificationID: Snoozes.Snooze],
        of owner: String
    ) throws(StoreError) {
        try write(durably: true) { (database) throws(StoreError) in
            for id in ended {
                try database.run("DELETE FROM snoozes WHERE owner = ? AND id = ?", .text(owner), .text(id.rawValue))
            }
            for (id, snooze) in begun {
                try database.run(
                    "INSERT OR REPLACE INTO snoozes (owner, id, until, was_read) VALUES (?, ?, ?, ?)",
                    .text(owner),
                    .text(id.rawValue),
                    .integer(snooze.until.milliseconds),
                    .integer(snooze.wasRead ? 1 : 0)
                )
            }
        }
    }
}
