import Basics
import Inbox

/// The state of an inbox as a whole.
struct InboxRecord: Equatable {
    /// When the list was last known to be what the service has; nil: it is, or nothing is known.
    var asOf: Timestamp?
    /// When the last event arrived.
    var lastEvent: Timestamp?
    /// Whether the service has more notifications than the newest part.
    var hasMore = true
    var counts = Counts()

    static let table = """
        CREATE TABLE inboxes (
            number INTEGER PRIMARY KEY,
            owner TEXT NOT NULL UNIQUE,
            as_of INTEGER NOT NULL DEFAULT 0,
            last_event INTEGER NOT NULL DEFAULT 0,
            has_more INTEGER NOT NULL DEFAULT 1,
            counts TEXT NOT NULL DEFAULT ''
        );

        """
    static let columns = "as_of, last_event, has_more, counts"

    init() {}

    /// The values of ``columns``.
    var row: [Database.Value] {
        [
            .integer(asOf?.milliseconds ?? 0), .integer(lastEvent?.milliseconds ?? 0), .integer(hasMore ? 1 : 0),
            .text(counts.list),
        ]
    }

    /// A row of ``columns``.
    init(_ row: [Database.Value]) {
        (asOf, lastEvent) = (Timestamp(known: row[0].integer), Timestamp(known: row[1].integer))
        (hasMore, counts) = (row[2].integer > 0, Counts(list: row[3].text))
    }
}

extension Counts {
    /// A ``TextList`` of names and numbers, in the order of the names. The name of a tab is its id after "tab ".
    fileprivate var list: String {
        var named = tabs.reduce(into: [:]) { $0["tab " + $1.key] = $1.value }
        named["unread"] = unread
        named["unseen"] = unseen
        named["badge"] = badge
        named["total"] = total
        return TextList.encode(named.sorted { $0.key < $1.key }.flatMap { [$0.key, String($0.value)] })
    }

    fileprivate init(list: String) {
        self.init()
        let texts = TextList.decode(list)
        for index in stride(from: 0, to: texts.count - 1, by: 2) {
            let (name, count) = (texts[index], Int(texts[index + 1]) ?? 0)
            switch name {
            case "unread": unread = count
            case "unseen": unseen = count
            case "badge": badge = count
            case "total": total = count
            // Not by characters: the id may begin with a combining one.
            case _ where name.utf8.starts(with: "tab ".utf8): tabs[String(Substring(name.utf8.dropFirst(4)))] = count
            default: break
            }
        }
    }
}
