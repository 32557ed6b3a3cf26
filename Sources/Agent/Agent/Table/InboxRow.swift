import Basics
import Inbox

/// One notification in the table of an inbox: the service's last word, and what only this computer knows.
struct InboxRow: Equatable {
    let id: NotificationID
    /// When it was created; 0: unknown.
    var created: Timestamp
    /// As the service last reported it; nil: the service does not have it.
    var reported: Notification?
    /// As the user sees it: as reported, with the pending changes and what only this computer knows. nil: deleted.
    private(set) var shown: Notification?
    /// Whether the row belongs to the newest part of the inbox, which the service keeps up to date. Not stored.
    var isFollowed = false
    var snooze: Snoozes.Snooze?
    /// Whether a rule says that it has no popup.
    var isMuted = false
    /// Whether a rule says that badges leave it out while it is unread.
    var isUncounted = false

    init(_ id: NotificationID, created: Timestamp) { (self.id, self.created) = (id, created) }

    /// Determines what the user sees. Everything else that is stored of the user's view follows from it.
    ///
    /// - Parameter changes: The pending changes that concern it, in order.
    mutating func present(_ changes: [TimestampedChange], by rules: ServiceRules) {
        shown = changes.reduce(reported) { notification, made in
            notification.flatMap { made.applied(to: $0, by: rules) }
        }
        if let shown, let snooze, snooze.isHandled(shown) { self.snooze = nil }
        shown?.snoozed = snooze?.until
        shown?.isMuted = isMuted
    }

    /// - Parameter effects: Of the rule that applies; nil: none does.
    mutating func apply(_ effects: RuleEffects?) {
        (isMuted, isUncounted) = (effects?.isMuted ?? false, effects.map { !$0.countsInBadge } ?? false)
    }

    /// Whether anything is known of it.
    var isNeeded: Bool { reported != nil || snooze != nil }

    /// Whether pending changes make a difference to what the service reported.
    var isAltered: Bool {
        guard let reported else { return false }
        guard let shown else { return true }
        return reported.isArchived != shown.isArchived || reported.read != shown.read || reported.seen != shown.seen
            || reported.interacted != shown.interacted
    }

    /// Whether badges leave it out although it is unread.
    var isHidden: Bool {
        // Reading it would have ended the snooze.
        guard let shown else { return reported == nil && snooze?.wasRead == false }
        return shown.read == nil && !shown.isArchived && (snooze != nil || isUncounted)
    }
}

// MARK: The database

extension InboxRow {
    static let table = """
        CREATE TABLE rows (
            number INTEGER PRIMARY KEY,
            inbox INTEGER NOT NULL,
            id TEXT NOT NULL,
            created INTEGER NOT NULL,
            snoozed INTEGER NOT NULL,
            was_read INTEGER NOT NULL,
            muted INTEGER NOT NULL,
            uncounted INTEGER NOT NULL,
            -- The service's word; without a content, it does not have it.
            pinned INTEGER NOT NULL,
            time INTEGER NOT NULL,
            reported_seen INTEGER NOT NULL,
            reported_read INTEGER NOT NULL,
            reported_interacted INTEGER NOT NULL,
            reported_archived INTEGER NOT NULL,
            expires INTEGER NOT NULL,
            category TEXT NOT NULL,
            topic TEXT NOT NULL,
            tags TEXT NOT NULL,
            content TEXT NOT NULL,
            -- As the user sees it; archived is 2 if it is deleted.
            top INTEGER NOT NULL,
            seen INTEGER NOT NULL,
            read INTEGER NOT NULL,
            interacted INTEGER NOT NULL,
            archived INTEGER NOT NULL,
            altered INTEGER NOT NULL,
            hidden INTEGER NOT NULL,
            -- The words in ``IndexedWords``.
            indexed INTEGER NOT NULL DEFAULT 0,
            text TEXT NOT NULL DEFAULT '',
            UNIQUE (inbox, id)
        );
        CREATE INDEX places ON rows (inbox, archived, top, time, id);
        CREATE INDEX reported_places ON rows (inbox, reported_archived, pinned, time, id) WHERE content <> '';
        CREATE INDEX snoozed_rows ON rows (inbox) WHERE snoozed > 0;
        CREATE INDEX changed_counts ON rows (inbox) WHERE altered = 1 OR hidden = 1;

        """

    static let names = [
        "id", "created", "snoozed", "was_read", "muted", "uncounted", "pinned", "time", "reported_seen",
        "reported_read", "reported_interacted", "reported_archived", "expires", "category", "topic", "tags",
        "content", "top", "seen", "read", "interacted", "archived", "altered", "hidden",
    ]
    static let columns = names.joined(separator: ", ")
    /// The indices of the columns by which the user's lists are ordered.
    static let (top, time, id) = (index(of: "top"), index(of: "time"), index(of: "id"))

    private static func index(of name: String) -> Int { names.firstIndex(of: name) ?? 0 }

    /// Adds a row, or replaces the one with its id.
    static let writing: String = {
        let values = names.map { _ in "?" }.joined(separator: ", ")
        let changes = names.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        let insertion = "INSERT INTO rows (inbox, \(columns)) VALUES (?, \(values))"
        return "\(insertion) ON CONFLICT (inbox, id) DO UPDATE SET \(changes)"
    }()

    /// The values of ``columns``.
    var values: [Database.Value] {
        func flag(_ isSet: Bool) -> Database.Value { .integer(isSet ? 1 : 0) }
        func time(_ time: Timestamp?) -> Database.Value { .integer(time?.milliseconds ?? 0) }
        let isTop = shown.map { $0.isPinned && $0.read == nil && !$0.isArchived } ?? false
        return [
            .text(id.rawValue), time(created), time(snooze?.until), flag(snooze?.wasRead ?? false), flag(isMuted),
            flag(isUncounted), flag(reported?.isPinned ?? false), time(reported?.sortTime), time(reported?.seen),
            time(reported?.read), time(reported?.interacted), flag(reported?.isArchived ?? false),
            time(reported?.expires),
            .text(reported?.category ?? ""), .text(reported?.topic ?? ""), .text(JSONList.text(reported?.tags ?? [])),
            .text(reported?.rowContent ?? ""), flag(isTop), time(shown?.seen), time(shown?.read),
            time(shown?.interacted), .integer(shown.map { $0.isArchived ? 1 : 0 } ?? 2), flag(isAltered),
            flag(isHidden),
        ]
    }

    /// A row of ``columns``.
    init(_ row: [Database.Value]) {
        var rest = row[...]
        func text() -> String { rest.popFirst()?.text ?? "" }
        func integer() -> Int64 { rest.popFirst()?.integer ?? 0 }
        func flag() -> Bool { integer() > 0 }
        func time() -> Timestamp? { Timestamp(known: integer()) }
        self.init(NotificationID(text()), created: Timestamp(milliseconds: integer()))
        let (until, wasRead) = (time(), flag())
        snooze = until.map { Snoozes.Snooze(until: $0, wasRead: wasRead) }
        (isMuted, isUncounted) = (flag(), flag())
        var notification = Notification(id: id, created: created)
        (notification.isPinned, notification.sortTime) = (flag(), Timestamp(milliseconds: integer()))
        (notification.seen, notification.read, notification.interacted) = (time(), time(), time())
        (notification.isArchived, notification.expires) = (flag(), time())
        (notification.category, notification.topic, notification.tags) = (text(), text(), JSONList.texts(text()))
        let content = text()
        guard !content.isEmpty else { return }
        notification.readRowContent(content)
        reported = notification
        // The column `top` follows from the others.
        _ = flag()
        (notification.seen, notification.read, notification.interacted) = (time(), time(), time())
        let archived = integer()
        guard archived < 2 else { return }
        notification.isArchived = archived > 0
        notification.snoozed = snooze?.until
        notification.isMuted = isMuted
        shown = notification
    }
}

extension Notification {
    /// The column `content`: what neither changes nor is searched for by conditions. Never empty.
    fileprivate var rowContent: String {
        var list = TextList()
        for text in [title, body, subtext, subtextURL, url, avatar, avatarURL, extra, isExpiryVisible ? "1" : ""] {
            list.append(text)
        }
        for action in actions {
            for text in [action.id, action.name, action.url, action.isPrimary ? "1" : ""] { list.append(text) }
        }
        return list.text
    }

    /// Reads a ``rowContent``.
    fileprivate mutating func readRowContent(_ content: String) {
        var rest = TextList.decode(content)[...]
        func next() -> String { rest.popFirst() ?? "" }
        (title, body, subtext, subtextURL) = (next(), next(), next(), next())
        (url, avatar, avatarURL, extra) = (next(), next(), next(), next())
        isExpiryVisible = !next().isEmpty
        while rest.count >= 4 {
            actions.append(Action(id: next(), name: next(), url: next(), isPrimary: !next().isEmpty))
        }
    }
}

extension Timestamp {
    /// nil for 0.
    init?(known milliseconds: Int64) {
        guard milliseconds != 0 else { return nil }
        self.init(milliseconds: milliseconds)
    }
}
