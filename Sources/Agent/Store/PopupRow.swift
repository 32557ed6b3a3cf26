extension StateStore {
    /// An open popup: what it shows, and the meaning of a click on it.
    package struct PopupRow: Equatable, Sendable {
        package struct Button: Equatable, Sendable {
            package var key: String
            package var label: String
            /// Empty if it opens none.
            package var url: String

            package init(key: String, label: String, url: String) {
                self.key = key
                self.label = label
                self.url = url
            }
        }

        package struct Notification: Equatable, Sendable {
            package var owner: String
            package var id: String

            package init(owner: String, id: String) {
                self.owner = owner
                self.id = id
            }
        }

        /// The notification server that gave the id.
        package var server: String
        package var id: UInt32
        package var summary: String
        package var body: String
        package var buttons: [Button]
        package var category: String
        package var urgency: UInt8
        package var isResident: Bool
        /// In milliseconds; -1: the server's default, 0: never.
        package var timeout: Int32
        package var notifications: [Notification]
        /// The number of notifications it represents.
        package var count: Int
        /// The titles in a summary.
        package var titles: [String]
        package var isSummary: Bool
        /// In milliseconds since the Unix epoch; nil for never.
        package var expires: Int64?
        /// Thread key: a later notification with the same key replaces this popup; empty: none does.
        package var thread: String
        /// When it marks its notifications as seen; empty: as the configuration of all popups says.
        package var markSeen: String
        /// Whether it stays after a click.
        package var staysOpen: Bool
        /// Its icon; empty: the program's.
        package var icon: String
        /// The absolute path of its picture; empty: none. The file may be gone.
        package var picture: String

        package init(
            server: String,
            id: UInt32,
            summary: String,
            body: String,
            buttons: [Button],
            category: String,
            urgency: UInt8,
            isResident: Bool,
            timeout: Int32,
            notifications: [Notification],
            count: Int,
            titles: [String],
            isSummary: Bool,
            expires: Int64?,
            thread: String = "",
            markSeen: String = "",
            staysOpen: Bool = false,
            icon: String = "",
            picture: String = ""
        ) {
            self.server = server
            self.id = id
            self.summary = summary
            self.body = body
            self.buttons = buttons
            self.category = category
            self.urgency = urgency
            self.isResident = isResident
            self.timeout = timeout
            self.notifications = notifications
            self.count = count
            self.titles = titles
            self.isSummary = isSummary
            self.expires = expires
            self.thread = thread
            self.markSeen = markSeen
            self.staysOpen = staysOpen
            self.icon = icon
            self.picture = picture
        }
    }
}

extension StateStore.PopupRow {
    static let columns = """
        server, id, summary, body, buttons, category, urgency, resident, timeout, notifications, count, titles, \
        is_summary, expires, thread, mark_seen, stays_open, icon, picture
        """
    static var columnCount: Int { columns.split(separator: ",").count }
    static let insertion =
        "INSERT OR REPLACE INTO popups (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

    /// The values of ``columns``.
    var values: [Database.Value] {
        var (buttonTexts, notificationTexts) = (TextList(), TextList())
        for button in buttons {
            for text in [button.key, button.label, button.url] { buttonTexts.append(text) }
        }
        for notification in notifications {
            notificationTexts.append(notification.owner)
            notificationTexts.append(notification.id)
        }
        return [
            .text(server), .integer(Int64(id)), .text(summary), .text(body),
            .text(buttonTexts.text), .text(category),
            .integer(Int64(urgency)), .integer(isResident ? 1 : 0), .integer(Int64(timeout)),
            .text(notificationTexts.text), .integer(Int64(count)),
            .text(TextList.encode(titles)), .integer(isSummary ? 1 : 0), .integer(expires ?? 0),
            .text(thread), .text(markSeen), .integer(staysOpen ? 1 : 0), .text(icon), .text(picture),
        ]
    }

    /// A row of ``columns``.
    init(_ row: [Database.Value]) {
        let (buttons, notifications) = (TextList.decode(row[4].text), TextList.decode(row[9].text))
        self.init(
            server: row[0].text,
            id: UInt32(clamping: row[1].integer),
            summary: row[2].text,
            body: row[3].text,
            buttons: stride(from: 0, to: buttons.count - 2, by: 3).map {
                Button(key: buttons[$0], label: buttons[$0 + 1], url: buttons[$0 + 2])
            },
            category: row[5].text,
            urgency: UInt8(clamping: row[6].integer),
            isResident: row[7].integer != 0,
            timeout: Int32(clamping: row[8].integer),
            notifications: stride(from: 0, to: notifications.count - 1, by: 2).map {
                Notification(owner: notifications[$0], id: notifications[$0 + 1])
            },
            count: Int(clamping: row[10].integer),
            titles: TextList.decode(row[11].text),
            isSummary: row[12].integer != 0,
            expires: row[13].integer == 0 ? nil : row[13].integer,
            thread: row[14].text,
            markSeen: row[15].text,
            staysOpen: row[16].integer != 0,
            icon: row[17].text,
            picture: row[18].text
        )
    }
}
