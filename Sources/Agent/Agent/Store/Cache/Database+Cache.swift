import Basics
import Inbox

/// The statements of the copies.
extension Database {
    /// The number of the inbox of an owner, which is added if it is missing.
    func inbox(of owner: String) throws(StoreError) -> Int64 {
        let number = "SELECT number FROM inboxes WHERE owner = ?"
        if let row = try query(number, .text(owner)).first { return row[0].integer }
        return try query("INSERT INTO inboxes (owner) VALUES (?) RETURNING number", .text(owner)).first?[0].integer ?? 0
    }

    /// - Returns: How many notifications were added.
    func apply(_ change: CacheChange, to inbox: Int64) throws(StoreError) -> Int {
        switch change {
        case .put(let notifications): return try put(notifications, in: inbox)
        case .remove(let ids): try remove(ids, from: inbox)
        case .mark(let mark, let ids, let time):
            for id in ids {
                let update = "UPDATE notifications SET \(mark.assignment) WHERE inbox = ?2 AND id = ?3"
                try run(update, .integer(time.milliseconds), .integer(inbox), .text(id.rawValue))
            }
        case .markAll(let mark, let time):
            let update =
                "UPDATE notifications SET \(mark.assignment) WHERE inbox = ?2 AND created <= ?1 AND \(mark.condition)"
            try run(update, .integer(time.milliseconds), .integer(inbox))
        case .list(let notifications, let range):
            let listed = Set(notifications.map(\.notification.id))
            try remove(try ids(in: range, of: inbox).filter { !listed.contains($0) }, from: inbox)
            return try put(notifications, in: inbox)
        }
        return 0
    }

    func set(_ inbox: CachedInbox, of number: Int64) throws(StoreError) {
        let update = "UPDATE inboxes SET (\(CachedInbox.columns)) = (?, ?, ?, ?) WHERE number = ?"
        try run(update, inbox.row + [.integer(number)])
    }

    private func put(_ notifications: [CachedNotification], in inbox: Int64) throws(StoreError) -> Int {
        let columns = CachedNotification.columns
        var added = 0
        for notification in notifications {
            let id = notification.notification.id
            let row = try notification.row(notification.isPart ? content(of: id, in: inbox) : nil)
            let known = try query(
                "SELECT number, time FROM notifications WHERE inbox = ? AND id = ?",
                .integer(inbox),
                .text(id.rawValue)
            ).first
            if let known, known[1].integer == notification.notification.sortTime.milliseconds {
                let update = "UPDATE notifications SET (\(columns)) = (\(CachedNotification.places))"
                try run("\(update) WHERE number = ?", row + [known[0]])
                continue
            }
            if let known { try run("DELETE FROM notifications WHERE number = ?", known[0]) } else { added += 1 }
            try run(
                """
                INSERT INTO notifications (number, inbox, \(columns)) VALUES (
                (SELECT coalesce(max(number) + 1, ?1) FROM notifications WHERE number BETWEEN ?1 AND ?1 + 1048574),
                ?2, \(CachedNotification.places))
                """,
                [.integer(notification.firstNumber), .integer(inbox)] + row
            )
        }
        return added
    }

    private func content(
        of id: NotificationID,
        in inbox: Int64
    ) throws(StoreError) -> (content: String, text: String)? {
        let query = "SELECT content, text FROM notifications WHERE inbox = ? AND id = ?"
        return try self.query(query, .integer(inbox), .text(id.rawValue)).first.map { ($0[0].text, $0[1].text) }
    }

    private func remove(_ ids: [NotificationID], from inbox: Int64) throws(StoreError) {
        for id in ids {
            try run("DELETE FROM notifications WHERE inbox = ? AND id = ?", .integer(inbox), .text(id.rawValue))
        }
    }

    /// The notifications between the ends of a part of the list.
    private func ids(in range: CacheChange.Range, of inbox: Int64) throws(StoreError) -> [NotificationID] {
        let (first, last) = (range.first, range.last)
        return try query(
            """
            SELECT id FROM notifications WHERE inbox = ? AND archived = ?
            AND (pinned, time, id) < (?, ?, ?) AND (pinned, time, id) > (?, ?, ?)
            """,
            .integer(inbox),
            .integer(range.isArchived ? 1 : 0),
            .integer(first.map { $0.isPinned ? 1 : 0 } ?? 2),
            .integer(first?.time.milliseconds ?? 0),
            .text(first?.id.rawValue ?? ""),
            .integer(last.map { $0.isPinned ? 1 : 0 } ?? -1),
            .integer(last?.time.milliseconds ?? 0),
            .text(last?.id.rawValue ?? "")
        ).map { NotificationID($0[0].text) }
    }

    /// Removes the notifications beyond the limits, unless they are pinned.
    ///
    /// - Parameter now: In milliseconds since the Unix epoch.
    func trim(_ inbox: Int64, to limits: InboxCache.Limits, now: Int64) throws(StoreError) {
        let asOf = try query("SELECT as_of FROM inboxes WHERE number = ?", .integer(inbox)).first?.first?.integer ?? 0
        if let oldest = limits.oldest(now: now, asOf: asOf) {
            let old = "DELETE FROM notifications WHERE inbox = ? AND pinned = 0 AND time < ?"
            try run(old, .integer(inbox), .integer(oldest))
        }
        try run(
            """
            DELETE FROM notifications WHERE number IN (SELECT number FROM notifications WHERE inbox = ?
            ORDER BY pinned DESC, time DESC LIMIT -1 OFFSET ?)
            """,
            .integer(inbox),
            .integer(Int64(limits.count))
        )
    }

    /// The size of the texts that are added to the index of words at once, in bytes.
    private static let indexedAtOnce: Int64 = 64 << 10
    private static let rowsIndexedAtOnce: Int64 = 100

    /// Adds the newest notifications that are not there to the index of words.
    ///
    /// - Returns: Whether there may be more of them.
    func indexWords() throws(StoreError) -> Bool {
        let unindexed = try query(
            """
            SELECT number, length(CAST(text AS BLOB)) FROM notifications WHERE indexed = 0
            ORDER BY number DESC LIMIT ?
            """,
            .integer(Self.rowsIndexedAtOnce)
        )
        guard var last = unindexed.first?[0] else { return false }
        var (size, count): (Int64, Int64) = (0, 0)
        for row in unindexed {
            size += row[1].integer
            if size > Self.indexedAtOnce, count > 0 { break }
            (last, count) = (row[0], count + 1)
        }
        try transaction { () throws(StoreError) in
            let range = "indexed = 0 AND number >= ?"
            try run("INSERT INTO words (rowid, text) SELECT number, text FROM notifications WHERE \(range)", last)
            try run("UPDATE notifications SET indexed = 1 WHERE \(range)", last)
        }
        return count < unindexed.count || count == Self.rowsIndexedAtOnce
    }

    /// Leaves nothing of what was deleted in the file: not in free pages, the index of words or the write-ahead log.
    /// The words of what is left have to be indexed again.
    func erase() throws(StoreError) {
        try execute(
            """
            UPDATE notifications SET indexed = 0 WHERE indexed = 1;
            INSERT INTO words (words) VALUES ('delete-all');
            """
        )
        try vacuum()
    }

    /// The rows of the notifications of an owner with these ids; unknown ones are left out.
    func notifications(of owner: String, ids: [NotificationID]) throws(StoreError) -> [[Value]] {
        var found: [[Value]] = []
        for id in ids {
            found += try notifications(
                "WHERE inbox = (SELECT number FROM inboxes WHERE owner = ?) AND id = ?",
                .text(owner),
                .text(id.rawValue)
            )
        }
        return found
    }

    /// The ids of an owner that begin with a text, in order.
    func ids(of owner: String, prefix: String, limit: Int) throws(StoreError) -> [NotificationID] {
        try query(
            """
            SELECT id FROM notifications WHERE inbox = (SELECT number FROM inboxes WHERE owner = ?1)
            AND id >= ?2 AND id < ?2 || char(0x10FFFF) ORDER BY id LIMIT ?3
            """,
            .text(owner),
            .text(prefix),
            .integer(Int64(limit))
        ).map { NotificationID($0[0].text) }
    }

    /// Rows of ``Notification/columns(_:)``.
    ///
    /// - Parameter clauses: What follows the columns and the table in a SELECT statement.
    func notifications(_ clauses: String, _ values: Value...) throws(StoreError) -> [[Value]] {
        try rows("SELECT \(Notification.columns()) FROM notifications \(clauses)", values)
    }
}
