import Basics
import Inbox
import Store

/// Notifications in the copy of the inbox.
extension CachedNotification {
    /// In bytes; longer texts are truncated, longer data of the sender is left out.
    private static let (longestText, longestExtra) = (16_384, 65_536)

    /// - Parameter text: The notification's texts without markup.
    init(_ notification: Notification, _ text: PlainText) {
        let expires = notification.expires?.milliseconds ?? 0
        var content = [
            notification.title, notification.body, notification.subtext, notification.url, notification.category,
            notification.topic, notification.avatar,
        ].map { $0.utf8.count <= Self.longestText ? $0 : $0.truncated(to: Self.longestText) }
        content += [
            notification.extra.utf8.count <= Self.longestExtra ? notification.extra : "",
            String(expires), notification.isExpiryVisible ? "1" : "", notification.subtextURL, notification.avatarURL,
            String(notification.tags.count),
        ]
        content += notification.tags
        for action in notification.actions {
            content += [action.id, action.name, action.url, action.isPrimary ? "1" : ""]
        }
        let words = [text.title, text.body, text.subtext, notification.category].joined(separator: "\n")
        self.init(
            id: notification.id.rawValue,
            isPinned: notification.isPinned,
            time: notification.sortTime.milliseconds,
            created: notification.created.milliseconds,
            seen: notification.seen?.milliseconds ?? 0,
            read: notification.read?.milliseconds ?? 0,
            interacted: notification.interacted?.milliseconds ?? 0,
            isArchived: notification.isArchived,
            content: content,
            text: CacheSearch.indexed(words.truncated(to: Self.longestText)).indexedPart
        )
        isPart = notification.extraOnDisk != nil
    }

    /// nil: it has another form.
    ///
    /// - Parameter now: One that has expired is archived.
    func notification(now: Timestamp) -> Notification? {
        guard content.count >= 13, let tagCount = Int(content[12]), 0...content.count - 13 ~= tagCount else {
            return nil
        }
        let rest = content[(13 + tagCount)...]
        var notification = Notification(
            id: NotificationID(id),
            title: content[0],
            body: content[1],
            subtext: content[2],
            subtextURL: content[10],
            url: content[3],
            category: content[4],
            topic: content[5],
            tags: Array(content[13..<(13 + tagCount)]),
            created: Timestamp(milliseconds: created),
            sortTime: Timestamp(milliseconds: time),
            seen: Timestamp(known: seen),
            read: Timestamp(known: read),
            interacted: Timestamp(known: interacted),
            expires: Timestamp(known: Int64(content[8]) ?? 0),
            isExpiryVisible: !content[9].isEmpty,
            isArchived: isArchived,
            isPinned: isPinned,
            avatar: content[6],
            avatarURL: content[11],
            actions: stride(from: rest.startIndex, to: rest.endIndex - 3, by: 4).map { index in
                .init(id: rest[index], name: rest[index + 1], url: rest[index + 2], isPrimary: !rest[index + 3].isEmpty)
            },
            extra: content[7]
        )
        if notification.isExpired(at: now) { notification.isArchived = true }
        return notification
    }
}

extension CachedNotification.Place {
    init(_ place: SortKey) {
        self.init(isPinned: place.isPinned, time: place.time.milliseconds, id: place.id.rawValue)
    }
}

extension CachedInbox {
    init(_ counts: Counts, hasMore: Bool, asOf: Timestamp?, lastEvent: Timestamp?) {
        var named = counts.tabs.reduce(into: [:]) { $0["tab " + $1.key] = $1.value }
        named["unread"] = counts.unread
        named["unseen"] = counts.unseen
        named["badge"] = counts.badge
        named["total"] = counts.total
        self.init(
            asOf: asOf?.milliseconds ?? 0,
            lastEvent: lastEvent?.milliseconds ?? 0,
            hasMore: hasMore,
            counts: named
        )
    }

    /// The counts of the service, with those of these tabs.
    func counts(of tabs: [InboxTab]) -> Counts {
        let ofTabs = tabs.compactMap { tab in counts["tab " + tab.id].map { (tab.id, $0) } }
        return Counts(
            unread: counts["unread"],
            unseen: counts["unseen"],
            badge: counts["badge"],
            total: counts["total"],
            tabs: Dictionary(ofTabs) { first, _ in first }
        )
    }
}

extension Timestamp {
    /// nil for 0.
    fileprivate init?(known milliseconds: Int64) {
        guard milliseconds != 0 else { return nil }
        self.init(milliseconds: milliseconds)
    }
}

extension String {
    /// At most this number of bytes, without a part of a character.
    fileprivate func truncated(to count: Int) -> String {
        guard utf8.count > count else { return self }
        var end = utf8.index(startIndex, offsetBy: count)
        while end > startIndex, String.Index(end, within: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
