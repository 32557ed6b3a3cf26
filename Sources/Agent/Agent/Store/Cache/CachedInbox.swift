package import Basics
package import Inbox

/// The state of an inbox as a whole.
package struct CachedInbox: Equatable, Sendable {
    /// When the copy was last known to be what the service has; nil: it is now.
    package var asOf: Timestamp?
    /// When the last event arrived.
    package var lastEvent: Timestamp?
    /// Whether the service has more notifications than the copy.
    package var hasMore: Bool
    package var counts: Counts

    package init(asOf: Timestamp?, lastEvent: Timestamp?, hasMore: Bool, counts: Counts) {
        self.asOf = asOf
        self.lastEvent = lastEvent
        self.hasMore = hasMore
        self.counts = counts
    }
}

extension CachedInbox {
    static let columns = "as_of, last_event, has_more, counts"

    /// The values of ``columns``.
    var row: [Database.Value] {
        [
            .integer(asOf?.milliseconds ?? 0), .integer(lastEvent?.milliseconds ?? 0), .integer(hasMore ? 1 : 0),
            .text(counts.list),
        ]
    }

    /// A row of ``columns``.
    init(_ row: [Database.Value]) {
        self.init(
            asOf: Timestamp(known: row[0].integer),
            lastEvent: Timestamp(known: row[1].integer),
            hasMore: row[2].integer > 0,
            counts: Counts(list: row[3].text)
        )
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
