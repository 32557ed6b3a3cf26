import AgentInterface
import DBus

/// What a status bar shows of the agent.
struct StatusBar: Equatable {
    /// Titles in a tooltip, and columns of a line in it.
    fileprivate static let (maximumTitles, maximumColumns) = (10, 80)

    var unread: Int
    /// What holds, the most important first: `attention`, `offline`, `paused`, `unread`; or `none`.
    var classes: [String]
    /// Lines of plain text.
    var tooltip: [String]

    /// A line of waybar's module `custom` with `return-type` `json`. The tooltip is Pango markup.
    var waybar: String {
        let tooltip = tooltip.map(\.escapedMarkup).joined(separator: "\n")
        return [
            "text": Value.string("\(unread)"), "alt": .string(classes[0]), "class": Value(classes),
            "tooltip": .string(tooltip),
        ].json
    }

    /// A line of plain text, as polybar's `custom/script` with `tail = true` shows it; empty when there is nothing to say.
    var polybar: String {
        let words = classes.filter { !["unread", "none"].contains($0) }
        return ((unread > 0 ? ["\(unread)"] : []) + words).joined(separator: " ")
    }
}

extension FollowedAgent {
    /// - Parameter now: Milliseconds since the Unix epoch.
    func statusBar(now: Int64) -> StatusBar {
        guard owner != nil else {
            return StatusBar(unread: 0, classes: ["offline"], tooltip: ["The Feedbell agent is not running."])
        }
        let accounts = accounts.values.sorted { $0.name < $1.name }
        let unread = accounts.reduce(0) { $0 + $1.unread }
        let isPaused = properties.flag(AgentRoot.paused.name.text)
        let disconnected = accounts.filter { $0.connection != "online" }
        let holding = [
            "attention": accounts.contains(where: \.needsAttention),
            "offline": disconnected.contains { !$0.needsAttention } || accounts.isEmpty, "paused": isPaused,
            "unread": unread > 0,
        ]
        let classes = ["attention", "offline", "paused", "unread"].filter { holding[$0] == true }

        var lines = [unread > 0 ? "\(unread) unread" : "Nothing unread"]
        if isPaused {
            let until = properties.time(AgentRoot.pausedUntil.name.text)
            lines.append("Popups are paused" + (until == 0 ? "" : " until \(LocalTime(until).text(now: now))"))
        }
        if accounts.isEmpty { lines.append("No account is configured") }
        for account in disconnected {
            let facts = [account.name, account.connection, account.error]
            lines.append(facts.filter { !$0.isEmpty }.joined(separator: ": "))
        }
        lines += StatusBar.titles(accounts.flatMap(\.items.values), unread: unread)
        return StatusBar(
            unread: unread,
            classes: classes.isEmpty ? ["none"] : classes,
            tooltip: lines.map { $0.onOneLine.cut(toColumns: StatusBar.maximumColumns) }
        )
    }
}

extension StatusBar {
    /// The newest unread ones; not more than are counted, which is told a moment later.
    fileprivate static func titles(_ items: [[String: Value]], unread: Int) -> [String] {
        let newest = items.filter { $0.time("read") == 0 && !$0.flag("archived") }
            .sorted { ($0.time("created"), $0.text("id") ?? "") > ($1.time("created"), $1.text("id") ?? "") }
            .prefix(min(maximumTitles, unread))
        let titles = newest.map { item in
            "• " + ([item.text("title"), item.text("body")].compactMap(\.self).first { !$0.isEmpty } ?? "")
        }
        return titles + (unread > titles.count && !titles.isEmpty ? ["… and \(unread - titles.count) more"] : [])
    }
}

extension FollowedAccount {
    fileprivate var unread: Int {
        guard case .uint32(let count)? = properties[AgentInbox.name.text]?[AgentInbox.unreadCount.name.text] else {
            return 0
        }
        return Int(count)
    }

    fileprivate var connection: String {
        properties[AgentAccount.name.text]?.text(AgentAccount.state.name.text) ?? ""
    }

    fileprivate var needsAttention: Bool {
        properties[AgentAccount.name.text]?.flag(AgentAccount.attentionNeeded.name.text) ?? false
    }

    fileprivate var error: String {
        guard case .structure(let error)? = properties[AgentAccount.name.text]?[AgentAccount.lastError.name.text],
            error.count == 2, case .string(let sentence) = error[1]
        else { return "" }
        return sentence
    }
}

extension String {
    /// As Pango takes it for text.
    fileprivate var escapedMarkup: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&#39;"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
