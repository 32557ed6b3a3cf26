import Inbox

/// The tables, version by version.
enum Schema {
    /// Each element migrates from the version of its index to the next one. Never change a released element; only
    /// append.
    static let migrations = [
        """
        CREATE TABLE outbox (
            account TEXT NOT NULL,
            number INTEGER NOT NULL,
            action TEXT NOT NULL,
            ids TEXT NOT NULL,
            made INTEGER NOT NULL,
            PRIMARY KEY (account, number)
        ) WITHOUT ROWID;
        """,
        """
        CREATE TABLE preference_outbox (
            account TEXT NOT NULL,
            person TEXT NOT NULL,
            number INTEGER NOT NULL,
            method TEXT NOT NULL,
            arguments TEXT NOT NULL,
            PRIMARY KEY (account, person, number)
        ) WITHOUT ROWID;
        """,
        """
        CREATE TABLE delivery_floors (account TEXT PRIMARY KEY NOT NULL, moment INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE deliveries (
            account TEXT NOT NULL,
            id TEXT NOT NULL,
            created INTEGER NOT NULL,
            PRIMARY KEY (account, id)
        ) WITHOUT ROWID;
        CREATE TABLE popups (
            server TEXT NOT NULL,
            id INTEGER NOT NULL,
            record TEXT NOT NULL,
            PRIMARY KEY (server, id)
        ) WITHOUT ROWID;
        """,
        // Earlier rows belonged to the name of an account, which does not identify the user and the service. They
        // cannot be assigned to an owner, so they are dropped.
        """
        DROP TABLE outbox;
        CREATE TABLE outbox (
            owner TEXT NOT NULL,
            number INTEGER NOT NULL,
            action TEXT NOT NULL,
            ids TEXT NOT NULL,
            made INTEGER NOT NULL,
            PRIMARY KEY (owner, number)
        ) WITHOUT ROWID;
        DROP TABLE preference_outbox;
        CREATE TABLE preference_outbox (
            owner TEXT NOT NULL,
            number INTEGER NOT NULL,
            method TEXT NOT NULL,
            arguments TEXT NOT NULL,
            PRIMARY KEY (owner, number)
        ) WITHOUT ROWID;
        DROP TABLE delivery_floors;
        CREATE TABLE delivery_floors (owner TEXT PRIMARY KEY NOT NULL, moment INTEGER NOT NULL) WITHOUT ROWID;
        DROP TABLE deliveries;
        CREATE TABLE deliveries (
            owner TEXT NOT NULL,
            id TEXT NOT NULL,
            created INTEGER NOT NULL,
            PRIMARY KEY (owner, id)
        ) WITHOUT ROWID;
        DELETE FROM popups;
        CREATE TABLE arrivals (
            owner TEXT NOT NULL,
            id TEXT NOT NULL,
            created INTEGER NOT NULL,
            PRIMARY KEY (owner, id)
        ) WITHOUT ROWID;
        CREATE TABLE owners (owner TEXT PRIMARY KEY NOT NULL, used INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE runs (last INTEGER NOT NULL);
        INSERT INTO runs VALUES (0);
        """,
        // Earlier records and lists were JSON. Lists have the form of `TextList` now.
        """
        ALTER TABLE popups RENAME TO json_popups;
        CREATE TABLE popups (
            server TEXT NOT NULL,
            id INTEGER NOT NULL,
            summary TEXT NOT NULL,
            body TEXT NOT NULL,
            buttons TEXT NOT NULL,
            category TEXT NOT NULL,
            urgency INTEGER NOT NULL,
            resident INTEGER NOT NULL,
            timeout INTEGER NOT NULL,
            notifications TEXT NOT NULL,
            count INTEGER NOT NULL,
            titles TEXT NOT NULL,
            is_summary INTEGER NOT NULL,
            expires INTEGER NOT NULL,
            PRIMARY KEY (server, id)
        ) WITHOUT ROWID;
        INSERT OR IGNORE INTO popups SELECT
            server,
            id,
            record ->> '$.popup.summary',
            record ->> '$.popup.body',
            (
                SELECT coalesce(group_concat(
                    length(CAST(value ->> 'key' AS BLOB)) || ':' || (value ->> 'key')
                    || length(CAST(value ->> 'label' AS BLOB)) || ':' || (value ->> 'label')
                    || length(CAST(coalesce(value ->> 'url', '') AS BLOB)) || ':' || coalesce(value ->> 'url', ''),
                    ''
                ), '')
                FROM json_each(record, '$.open.buttons')
            ),
            record ->> '$.popup.category',
            record ->> '$.open.urgency',
            record ->> '$.popup.isResident',
            record ->> '$.popup.timeout',
            (
                SELECT coalesce(group_concat(
                    length(CAST(value ->> 'account' AS BLOB)) || ':' || (value ->> 'account')
                    || length(CAST(value ->> '$.id.rawValue' AS BLOB)) || ':' || (value ->> '$.id.rawValue'),
                    ''
                ), '')
                FROM json_each(record, '$.open.references')
            ),
            record ->> '$.open.count',
            (
                SELECT coalesce(group_concat(length(CAST(value AS BLOB)) || ':' || value, ''), '')
                FROM json_each(record, '$.open.titles')
            ),
            record ->> '$.open.isSummary',
            coalesce(record ->> '$.open.expires.milliseconds', 0)
        FROM json_popups WHERE json_valid(record);
        DROP TABLE json_popups;
        UPDATE outbox SET ids = (
            SELECT coalesce(group_concat(length(CAST(value AS BLOB)) || ':' || value, ''), '') FROM json_each(ids)
        ) WHERE json_valid(ids);
        UPDATE preference_outbox SET arguments = (
            SELECT coalesce(group_concat(length(CAST(value AS BLOB)) || ':' || value, ''), '') FROM json_each(arguments)
        ) WHERE json_valid(arguments);
        """,
        // The user that the last token of an account named; `owner`: the inbox as the account's configuration names it.
        """
        CREATE TABLE token_users (
            owner TEXT PRIMARY KEY NOT NULL,
            name TEXT NOT NULL,
            inbox TEXT NOT NULL
        ) WITHOUT ROWID;
        """,
        // The settings of a popup that come from rules of the configuration.
        """
        ALTER TABLE popups ADD COLUMN thread TEXT NOT NULL DEFAULT '';
        ALTER TABLE popups ADD COLUMN mark_seen TEXT NOT NULL DEFAULT '';
        ALTER TABLE popups ADD COLUMN stays_open INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE popups ADD COLUMN icon TEXT NOT NULL DEFAULT '';
        """,
        // For servers that lose their popups' pictures with the connection that showed them.
        """
        ALTER TABLE popups ADD COLUMN picture TEXT NOT NULL DEFAULT '';
        """,
        // Single values, such as the pause of popups.
        """
        CREATE TABLE agent_values (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
        """,
        // The registrations of accounts at their services.
        """
        CREATE TABLE registrations (owner TEXT PRIMARY KEY NOT NULL, contents TEXT NOT NULL) WITHOUT ROWID;
        """,
        // Notifications that pop up again at their time.
        """
        CREATE TABLE snoozes (
            owner TEXT NOT NULL,
            id TEXT NOT NULL,
            until INTEGER NOT NULL,
            was_read INTEGER NOT NULL,
            PRIMARY KEY (owner, id)
        ) WITHOUT ROWID;
        """,
        // When the request that has no answer was begun; 0: there is none.
        """
        ALTER TABLE outbox ADD COLUMN begun INTEGER NOT NULL DEFAULT 0;
        """,
    ]

    /// The tables whose rows belong to an owner.
    static let ownedTables = [
        "outbox", "preference_outbox", "delivery_floors", "deliveries", "arrivals", "snoozes", "token_users", "owners",
        "registrations",
    ]

    static var version: Int64 { Int64(migrations.count) }

    /// The columns of each table.
    static let columns = [
        "agent_values": "name, value",
        "arrivals": "owner, id, created",
        "deliveries": "owner, id, created",
        "delivery_floors": "owner, moment",
        "outbox": "owner, number, action, ids, made, begun",
        "owners": "owner, used",
        "popups": SavedPopup.columns,
        "preference_outbox": "owner, number, method, arguments",
        "registrations": "owner, contents",
        "runs": "last",
        "snoozes": "owner, id, until, was_read",
        "token_users": "owner, name, inbox",
    ]

    /// Migrates a database to this version, durably: what it takes over from elsewhere may be removed there.
    ///
    /// - Parameter migrated: Runs in the transaction of a migration, with the version before it.
    /// - Returns: `false` if a later version of Feedbell wrote it; then it is left unchanged.
    /// - Throws: An error of a damaged database if its version and its tables do not match.
    static func migrate(
        _ database: Database,
        migrated: (_ before: Int64) throws(StoreError) -> Void = { _ in }
    ) throws(StoreError) -> Bool {
        do throws(StoreError) {
            guard try found(in: database) <= version else { return false }
            if try found(in: database) < version {
                try database.write(durably: true) { (database) throws(StoreError) in
                    // Another process may have migrated it meanwhile.
                    let before = try found(in: database)
                    guard before < version else { return }
                    guard before >= 0 else { throw StoreError.damage("there is no version \(before)") }
                    for migration in migrations.dropFirst(Int(before)) { try database.execute(migration) }
                    try database.execute("PRAGMA user_version = \(version)")
                    try migrated(before)
                }
            }
            for (table, columns) in columns { try database.execute("SELECT \(columns) FROM \(table) LIMIT 0") }
            return try found(in: database) == version
        } catch {
            guard error.isStatementError else { throw error }
            throw StoreError.damage("its version and its tables do not match: \(error.reason)")
        }
    }

    /// The version that a database states; any number, if it is damaged.
    static func found(in database: Database) throws(StoreError) -> Int64 {
        try database.query("PRAGMA user_version").first?.first?.integer ?? 0
    }
}
