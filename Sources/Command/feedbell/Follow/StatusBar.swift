import AgentInterface
import Basics
import DBus
import VisibleText

/// The content of a status bar's module.
struct StatusBar: Equatable {
    /// The limits of a tooltip: titles, and columns of a line.
    fileprivate static let (maximumTitles, maximumColumns) = (10, 80)

    /// nil: unknown.
    var unread: Int?
    /// The states that apply, in the order of ``orderedClasses``; or `none`.
    var classes: [String]
    /// Lines of plain text.
    var tooltip: [String]

    static let orderedClasses = [
        "attention", "offline", "starting", "paused", "quiet", "do-not-disturb", "locked", "server-full",
        "unread",
    ]

    /// A line of waybar's module `custom` with `return-type` `json`. The tooltip is Pango markup.
    var waybar: JSONText {
        let tooltip = tooltip.map(\.escapedForXMLAttribute).joined(separator: "\n")
        return .object([
            "text": .string(unread.map { "\($0)" } ?? ""), "alt": .string(classes[0]),
            "class": .array(classes.map(JSONText.string)), "tooltip": .string(tooltip),
        ])
    }

    /// A line of plain text for polybar's `custom/script` with `tail = true`; empty: no state applies.
    var polybar: String {
        let words = classes.filter { !["unread", "none"].contains($0) }
        let number = unread ?? 0
        return ((number > 0 ? ["\(number)"] : []) + words).joined(separator: " ")
    }
}

extension FollowedAgent {
    /// - Parameter now: Milliseconds since the Unix epoch.
    func statusBar(now: Int64) -> StatusBar {
        guard owner != nil else {
            return StatusBar(
                unread: nil,
                classes: ["offline"],
                tooltip: [translated("The Feedbell agent is not running.")]
            )
        }
        let accounts = accounts.values.sorted { $0.name < $1.name }
        let unread = accounts.reduce(0) { $0 + $1.unread }
        let isKnown = !accounts.isEmpty && accounts.allSatisfy(\.isCounted)
        let disconnected = accounts.filter { $0.connection != "online" }
        let reasons = heldBack
        var holding: Set = Set(reasons)
        if accounts.contains(where: \.needsAttention) { holding.insert("attention") }
        if accounts.contains(where: \.isStarting) { holding.insert("starting") }
        if disconnected.contains(where: { !$0.needsAttention && !$0.isStarting }) || accounts.isEmpty {
            holding.insert("offline")
        }
        if unread > 0 { holding.insert("unread") }
        let classes = StatusBar.orderedClasses.filter(holding.contains)

        var lines =
            [StatusBar.heading(unread: unread, isKnown: isKnown)] + reasons.compactMap { sentence($0, now: now) }
        if accounts.isEmpty { lines.append(translated("No account is configured")) }
        for account in disconnected {
            let facts = [account.name, AccountText.state(account.connection), account.error]
            lines.append(facts.filter { !$0.isEmpty }.joined(separator: ": "))
        }
        lines += StatusBar.titles(accounts.flatMap(\.notifications.values), unread: unread)
        return StatusBar(
            unread: isKnown || unread > 0 ? unread : nil,
            classes: classes.isEmpty ? ["none"] : classes,
            tooltip: lines.map { $0.onOneLine.cut(toColumns: StatusBar.maximumColumns) }
        )
    }
}

extension FollowedAgent {
    /// Why popups are held back, as classes.
    private var heldBack: [String] {
        guard let reasons = properties[AgentRoot.heldBack] else {
            return properties[AgentRoot.paused] == true ? ["paused"] : []
        }
        let names = reasons.map { $0 == "pause" ? "paused" : $0 }
        return StatusBar.orderedClasses.filter(names.contains)
    }

    private func sentence(_ reason: String, now: Int64) -> String? {
        switch reason {
        case "paused":
            let until = properties[AgentRoot.pausedUntil] ?? 0
            guard until != 0 else { return translated("Popups are paused") }
            return translated("Popups are paused until {time}", ["time": LocalTime(until).text(now: now)])
        case "quiet": return translated("Popups are held back: quiet hours")
        case "do-not-disturb": return translated("Popups are held back: do not disturb")
        case "locked": return translated("Popups are held back: the screen is locked")
        case "server-full": return translated("Popups are held back: the notification server rejects more")
        default: return nil
        }
    }
}

extension StatusBar {
    fileprivate static func heading(unread: Int, isKnown: Bool) -> String {
        guard unread > 0 else { return isKnown ? translated("Nothing unread") : translated("Unread: unknown") }
        return StatusReport.words(unread: UInt32(clamping: unread), isComplete: isKnown)
    }

    /// The titles of the newest unread notifications. Limited to `unread`, because the count changes after the list.
    fileprivate static func titles(_ notifications: [NotificationRecord], unread: Int) -> [String] {
        let titles = notifications.filter { $0.read == 0 && !$0.isArchived }
            .map { (created: $0.created, id: $0.id, notification: $0) }
            .sorted { ($0.created, $0.id) > ($1.created, $1.id) }
            .prefix(min(maximumTitles, unread))
            .map { "• " + ($0.notification.title.isEmpty ? $0.notification.body : $0.notification.title) }
        guard unread > titles.count, !titles.isEmpty else { return titles }
        // Translators: The number of further notifications, below the titles of some.
        return titles + [translated("… and {count} more", plural: "… and {count} more", count: unread - titles.count)]
    }
}

extension FollowedAccount {
    fileprivate var unread: Int { inbox.shownUnread }

    /// Whether this is the first attempt to connect, without an error yet.
    fileprivate var isStarting: Bool { !isCounted && connection == "connecting" && error.isEmpty }

    fileprivate var connection: String { account[AgentAccount.state] ?? "" }

    fileprivate var needsAttention: Bool { account[AgentAccount.attentionNeeded] ?? false }

    fileprivate var error: String { account[AgentAccount.lastError]?.elements.1 ?? "" }
}
