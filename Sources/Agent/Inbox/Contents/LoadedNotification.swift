package import Basics

extension Notification {
    /// The maximum size of the sender's data that is in memory although a copy on disk has it, in bytes.
    private static let shortExtra = 1 << 10

    /// The approximate size in memory while it is loaded, with its texts as they are shown, in bytes.
    package var size: Int {
        let texts = title.utf8.count + body.utf8.count + subtext.utf8.count
        let addresses = url.utf8.count + subtextURL.utf8.count + avatar.utf8.count + avatarURL.utf8.count
        let names = id.rawValue.utf8.count + category.utf8.count + topic.utf8.count
        let buttons = actions.reduce(0) { $0 + $1.id.utf8.count + $1.name.utf8.count + $1.url.utf8.count + 64 }
        // The texts are there twice: with markup and without it.
        return 1 << 10 + 2 * texts + addresses + names + buttons + extra.utf8.count
            + tags.reduce(0) { $0 + $1.utf8.count + 32 }
    }

    /// The size with the sender's data, also if only the copy on disk has it, in bytes.
    package var completeSize: Int { size + (extraOnDisk?.size ?? 0) }

    /// The notification as it is loaded while the copy on disk has it: without long data of the sender.
    package var withoutLongExtra: Notification {
        guard extra.utf8.count > Self.shortExtra else { return self }
        var notification = self
        notification.extraOnDisk = ExtraOnDisk(extra)
        notification.extra = ""
        return notification
    }

    /// What decides about its place in a list, without its texts.
    package var withoutTexts: Notification {
        Notification(
            id: id,
            created: created,
            sortTime: sortTime,
            read: read,
            isArchived: isArchived,
            isPinned: isPinned
        )
    }
}

extension [InboxState.Difference] {
    /// The differences with the data of the sender, of those of these notifications that were reported with it.
    package func withExtra(of reported: [Notification]) -> [InboxState.Difference] {
        let long = reported.filter { $0.withoutLongExtra.extraOnDisk != nil }
        if long.isEmpty { return self }
        let extras = Dictionary(long.map { ($0.id, $0.extra) }) { $1 }
        return map { difference in
            switch difference {
            case .added(let notification): .added(notification.with(extras[notification.id]))
            case .changed(let notification): .changed(notification.with(extras[notification.id]))
            case .removed, .unloaded: difference
            }
        }
    }
}

extension Notification {
    /// The notification with the sender's data, if only the copy on disk has it; nil: unchanged.
    package func with(_ extra: String?) -> Notification {
        guard extraOnDisk != nil, let extra else { return self }
        var notification = self
        notification.extra = extra
        notification.extraOnDisk = nil
        return notification
    }
}

/// Data of a sender that only the copy on disk has.
package struct ExtraOnDisk: Hashable, Sendable {
    /// Tells it from other data.
    private let hash: Int
    /// Its size in bytes.
    package let size: Int

    fileprivate init(_ extra: String) { (hash, size) = (extra.hashValue, extra.utf8.count) }
}

/// Which notifications the copy on disk keeps.
package struct CopyLimits: Equatable, Sendable {
    /// The maximum number.
    package var count: Int
    /// The earliest time.
    package var since: Timestamp

    package init(count: Int, since: Timestamp) {
        self.count = count
        self.since = since
    }
}
