import Inbox

/// The tables of the state.
enum Schema {
    /// A file of another version is not used.
    static let version: Int64 = 12

    private static let tables = """
        -- The user's changes that the service has not confirmed. ids, arguments: TextList.
        CREATE TABLE outbox (
            owner TEXT NOT NULL,
            number INTEGER NOT NULL,
            action TEXT NOT NULL,
            ids TEXT NOT NULL,
            made INTEGER NOT NULL,
            -- When the request that has no answer was begun; 0: there is none.
            begun INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (owner, number)
        ) WITHOUT ROWID;
        CREATE TABLE preference_outbox (
            owner TEXT NOT NULL,
            number INTEGER NOT NULL,
            method TEXT NOT NULL,
            arguments TEXT NOT NULL,
            PRIMARY KEY (owner, number)
        ) WITHOUT ROWID;
        -- The watermark and the shown notifications of DeliveryMarks.
        CREATE TABLE delivery_floors (owner TEXT PRIMARY KEY NOT NULL, moment INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE deliveries (
            owner TEXT NOT NULL,
            id TEXT NOT NULL,
            created INTEGER NOT NULL,
            PRIMARY KEY (owner, id)
        ) WITHOUT ROWID;
        -- Notifications whose arrival was signalled.
        CREATE TABLE arrivals (
            owner TEXT NOT NULL,
            id TEXT NOT NULL,
            created INTEGER NOT NULL,
            PRIMARY KEY (owner, id)
        ) WITHOUT ROWID;
        -- Notifications that pop up again at their time.
        CREATE TABLE snoozes (
            owner TEXT NOT NULL,
            id TEXT NOT NULL,
            until INTEGER NOT NULL,
            was_read INTEGER NOT NULL,
            PRIMARY KEY (owner, id)
        ) WITHOUT ROWID;
        -- The open popups.
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
            thread TEXT NOT NULL,
            mark_seen TEXT NOT NULL,
            stays_open INTEGER NOT NULL,
            icon TEXT NOT NULL,
            picture TEXT NOT NULL,
            PRIMARY KEY (server, id)
        ) WITHOUT ROWID;
        CREATE TABLE owners (owner TEXT PRIMARY KEY NOT NULL, used INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE runs (last INTEGER NOT NULL);
        INSERT INTO runs VALUES (0);
        -- The user that the last token of an account named; owner: the inbox as the account's configuration names it.
        CREATE TABLE token_users (
            owner TEXT PRIMARY KEY NOT NULL,
            name TEXT NOT NULL,
            inbox TEXT NOT NULL
        ) WITHOUT ROWID;
        -- Single values, such as the pause of popups.
        CREATE TABLE agent_values (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
        -- The registrations of accounts at their services.
        CREATE TABLE registrations (owner TEXT PRIMARY KEY NOT NULL, contents TEXT NOT NULL) WITHOUT ROWID;

        """

    /// The tables whose rows belong to an owner.
    static let ownedTables = [
        "outbox", "preference_outbox", "delivery_floors", "deliveries", "arrivals", "snoozes", "token_users", "owners",
        "registrations",
    ]

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

    /// Creates the tables in an empty database, or checks them.
    ///
    /// - Returns: The version of the database. Of another one than ``version``, nothing is checked or changed.
    /// - Throws: An error of a damaged database if its version and its tables do not match.
    static func prepare(_ database: Database) throws(StoreError) -> Int64 {
        do throws(StoreError) {
            let found = try database.prepare(tables, version: version)
            guard found == version else { return found }
            for (table, columns) in columns { try database.execute("SELECT \(columns) FROM \(table) LIMIT 0") }
            return found
        } catch {
            guard error.isStatementError else { throw error }
            throw StoreError.damage("its version and its tables do not match: \(error.reason)")
        }
    }
}
