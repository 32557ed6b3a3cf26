import AgentInterface
import VisibleText

/// The output of `feedbell list`.
struct NotificationTable {
    var notifications: [NotificationRecord]
    /// Milliseconds since the Unix epoch.
    var now: Int64
    /// All loaded notifications, if `notifications` is a different list. A prefix of an id is resolved among them, so a
    /// notification that is not among them has its complete id.
    var loaded: [NotificationRecord]?
    /// Whether they are of several accounts, which a column names.
    var hasAccounts = false

    /// One line for each notification: the unread mark, the shortest unique id, time, title and text. On a narrow
    /// terminal the id is on a separate line.
    func text(_ terminal: Terminal) -> String {
        let short = IDResolver(loaded ?? notifications).shortest
        let ids = notifications.map { (short[$0.id] ?? $0.id).onOneLine }
        let accounts = notifications.map { hasAccounts ? $0.account.onOneLine.cut(toColumns: 16) + "  " : "" }
        let accountWidth = accounts.map(\.columns).max() ?? 0
        let times = zip(notifications, accounts).map {
            $1.padded(toColumns: accountWidth) + LocalTime($0.created).text(now: now)
        }
        let idWidth = ids.map(\.columns).max() ?? 0
        let timeWidth = times.map(\.columns).max() ?? 0
        let isNarrow = terminal.columns - idWidth - timeWidth - 7 < 24
        let room = max(0, terminal.columns - timeWidth - 5 - (isNarrow ? 0 : idWidth + 2))
        return zip(notifications, zip(ids, times)).map { notification, head in
            let isUnread = notification.read == 0
            let mark = (isUnread ? terminal.text("●", .cyan) : " ") + (notification.isPinned ? "^" : " ")
            let time = terminal.text(head.1.padded(toColumns: timeWidth), .dim)
            let words = words(of: notification, isUnread, room, terminal)
            if isNarrow { return "\(mark) \(time)  \(words)\n   \(head.0)\n" }
            return "\(mark) \(head.0.padded(toColumns: idWidth))  \(time)  \(words)\n"
        }.joined()
    }

    private func words(of notification: NotificationRecord, _ isUnread: Bool, _ room: Int, _ terminal: Terminal)
        -> String
    {
        let title = notification.title.onOneLine.cut(toColumns: room)
        let body = notification.body.onOneLine
        let rest = title.isEmpty || body.isEmpty ? body : " — " + body
        return (isUnread ? terminal.text(title, .bold) : title)
            + terminal.text(rest.cut(toColumns: room - title.columns), .dim)
    }

    /// One line for each notification, for programs: id, `unread` or `read`, milliseconds since the Unix epoch, title,
    /// and of several accounts the account, separated by tabs.
    var lines: String {
        notifications.map { notification in
            let fields =
                [
                    notification.id, notification.read == 0 ? "unread" : "read", "\(notification.created)",
                    notification.title,
                ] + (hasAccounts ? [notification.account] : [])
            return fields.map(\.onOneLine).joined(separator: "\t") + "\n"
        }.joined()
    }
}
