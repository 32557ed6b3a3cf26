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
                try run(update, .integer(time), .integer(inbox), .text(id))
            }
        case .markAll(let mark, let time):
            let update =
                "UPDATE notifications SET \(mark.assignment) WHERE inbox = ?2 AND created <= ?1 AND \(mark.condition)"
            try run(update, .integer(time), .integer(inbox))
        case .list(let notifications, let range):
            let listed = Set(notifications.map(\.id))
            try remove(try ids(in: range, of: inbox).filter { !listed.contains($0) }, from: inbox)
            return try put(notifications, in: inbox)
        }
        return 0
    }

    func set(_ inbox: CachedInbox, of number: Int64) throws(StoreError) {
        try run(
            "UPDATE inboxes SET as_of = ?, last_event = ?, has_more = ?, counts = ? WHERE number = ?",
            .integer(inbox.asOf),
            .integer(inbox.lastEvent),
            .integer(inbox.hasMore ? 1 : 0),
            .text(inbox.countsText),
            .integer(number)
        )
    }

    private func put(_ notifications: [CachedNotification], in inbox: Int64) throws(StoreError) -> Int {
        var added = 0
        for var notification in notifications {
            if notification.isPart { try complete(&notification, in: inbox) }
            let known = try query(
                "SELECT number, time FROM notifications WHERE inbox = ? AND id = ?",
                .integer(inbox),
                .text(notification.id)
            ).first
            if let known, known[1].integer == notification.time {
                let update =
                    "UPDATE notifications SET (\(CachedNotification.columns())) = (\(CachedNotification.places))"
                try run("\(update) WHERE number = ?", notification.values + [known[0]])
                continue
            }
            if let known { try run("DELETE FROM notifications WHERE number = ?", known[0]) } else { added += 1 }
            try run(
                """
                INSERT INTO notifications (number, inbox, \(CachedNotification.columns())) VALUES (
                (SELECT coalesce(max(number) + 1, ?1) FROM notifications WHERE number BETWEEN ?1 AND ?1 + 1048574),
                ?2, \(CachedNotification.places))
                """,
                [.integer(notification.firstNumber), .integer(inbox)] + notification.values
            )
        }
        return added
    }

    /// Takes what only the copy has of a notification from there.
    private func complete(_ notification: inout CachedNotification, in inbox: Int64) throws(StoreError) {
        let known = try query(
            "SELECT content, text FROM notifications WHERE inbox = ? AND id = ?",
            .integer(inbox),
            .text(notification.id)
        ).first
        if let known { (notification.content, notification.text) = (TextList.decode(known[0].text), known[1].text) }
    }

    private func remove(_ ids: [String], from inbox: Int64) throws(StoreError) {
        for id in ids {
            try run("DELETE FROM notifications WHERE inbox = ? AND id = ?", .integer(inbox), .text(id))
        }
    }

    /// The notifications between the ends of a part of the list.
    private func ids(in range: CacheChange.Range, of inbox: Int64) throws(StoreError) -> [String] {
        let (first, last) = (range.first, range.last)
        return try query(
            """
            SELECT id FROM notifications WHERE inbox = ? AND archived = ?
            AND (pinned, time, id) < (?, ?, ?) AND (pinned, time, id) > (?, ?, ?)
            """,
            .integer(inbox),
            .integer(range.isArchived ? 1 : 0),
            .integer(first.map { $0.isPinned ? 1 : 0 } ?? 2),
            .integer(first?.time ?? 0),
            .text(first?.id ?? ""),
            .integer(last.map { $0.isPinned ? 1 : 0 } ?? -1),
            .integer(last?.time ?? 0),
            .text(last?.id ?? "")
        ).map { $0[0].text }
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

    /// The notifications of an owner with these ids; unknown ones are left out.
    func notifications(of owner: String, ids: [String]) throws(StoreError) -> [CachedNotification] {
        var found: [CachedNotification] = []
        for id in ids {
            found += try notifications(
                "WHERE inbox = (SELECT number FROM inboxes WHERE owner = ?) AND id = ?",
                .text(owner),
                .text(id)
            )
        }
        return found
    }

    /// The ids of an owner that begin with a text, in order.
    func ids(of owner: String, prefix: String, limit: Int) throws(StoreError) -> [String] {
        try query(
            """
            SELECT id FROM notifications WHERE inbox = (SELECT number FROM inboxes WHERE owner = ?1)
            AND id >= ?2 AND id < ?2 || char(0x10FFFF) ORDER BY id LIMIT ?3
            """,
            .text(owner),
            .text(prefix),
            .integer(Int64(limit))
        ).map { $0[0].text }
    }

    /// - Parameter clauses: What follows the columns and the table in a SELECT statement.
    func notifications(_ clauses: String, _ values: Value...) throws(StoreError) -> [CachedNotification] {
        let statement = "SELECT \(CachedNotification.columns()) FROM notifications \(clauses)"
        return try rows(statement, values).map { CachedNotification($0[...]) }
    }
}

extension CacheChange.Mark {
    /// `?1` is the time.
    fileprivate var assignment: String {
        switch self {
        case .seen: "seen = iif(seen > 0, seen, ?1)"
        case .read: "read = iif(read > 0, read, ?1)"
        case .interacted: "interacted = ?1"
        case .archived: "archived = 1"
        case .unread: "read = 0"
        case .unarchived: "archived = 0"
        }
    }

    /// Holds for those that lack the mark.
    fileprivate var condition: String {
        switch self {
        case .seen: "seen = 0"
        case .read: "read = 0"
        case .interacted: "interacted = 0"
        case .archived: "archived = 0"
        case .unread: "read > 0"
        case .unarchived: "archived > 0"
        }
    }
}

extension CachedNotification {
    private static let names = [
        "id", "pinned", "time", "created", "seen", "read", "interacted", "archived", "content", "text",
    ]

    static func columns(_ prefix: String = "") -> String { names.map { prefix + $0 }.joined(separator: ", ") }
    static let places = names.map { _ in "?" }.joined(separator: ", ")

    /// The values of ``columns(_:)``.
    var values: [Database.Value] {
        [
            .text(id), .integer(isPinned ? 1 : 0), .integer(time), .integer(created), .integer(seen), .integer(read),
            .integer(interacted), .integer(isArchived ? 1 : 0), .text(TextList.encode(content)), .text(text),
        ]
    }

    /// A row of ``columns(_:)``.
    init(_ row: ArraySlice<Database.Value>) {
        let row = Array(row)
        self.init(
            id: row[0].text,
            isPinned: row[1].integer > 0,
            time: row[2].integer,
            created: row[3].integer,
            seen: row[4].integer,
            read: row[5].integer,
            interacted: row[6].integer,
            isArchived: row[7].integer > 0,
            content: TextList.decode(row[8].text),
            text: row[9].text
        )
    }

    /// The first of the numbers of its time.
    fileprivate var firstNumber: Int64 { min(max(time, 0), 1 << 42) << 20 }
}

extension CachedInbox {
    fileprivate var countsText: String {
        TextList.encode(counts.sorted { $0.key < $1.key }.flatMap { [$0.key, String($0.value)] })
    }

    /// A row of as_of, last_event, has_more and counts.
    init(_ row: [Database.Value]) {
        let texts = TextList.decode(row[3].text)
        let pairs = stride(from: 0, to: texts.count - 1, by: 2).map { (texts[$0], Int(texts[$0 + 1]) ?? 0) }
        self.init(
            asOf: row[0].integer,
            lastEvent: row[1].integer,
            hasMore: row[2].integer > 0,
            counts: Dictionary(pairs) { first, _ in first }
        )
    }
}
