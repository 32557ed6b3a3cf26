import AgentInterface
import DBus

/// What `feedbell status` says.
struct StatusReport: Equatable {
    struct Account: Equatable {
        var name: String
        var provider: String
        var user: String
        var state: String
        var since: Int64
        var nextAttempt: Int64
        var error: String
        var unread: UInt32
        var pending: UInt32
    }

    var version: String
    var unread: UInt32
    var needsAttention: Bool
    var isPaused: Bool
    var pausedUntil: Int64
    var accounts: [Account]
}

extension StatusReport {
    /// Reads what the agent and its object manager answer.
    init(root: PropertyValues<AgentRoot>, objects: [ObjectPath: [String: [String: Value]]]) throws(DBusError) {
        version = try root.value(AgentRoot.version) ?? ""
        unread = try root.value(AgentRoot.unreadCount) ?? 0
        needsAttention = try root.value(AgentRoot.attentionNeeded) ?? false
        isPaused = try root.value(AgentRoot.paused) ?? false
        pausedUntil = try root.value(AgentRoot.pausedUntil) ?? 0
        accounts = []
        for path in try root.value(AgentRoot.accounts) ?? [] {
            guard let interfaces = objects[path] else { continue }
            let account = PropertyValues<AgentAccount>(interfaces[AgentAccount.name.text] ?? [:])
            let inbox = PropertyValues<AgentInbox>(interfaces[AgentInbox.name.text] ?? [:])
            accounts.append(
                Account(
                    name: try account.value(AgentAccount.accountName) ?? "",
                    provider: try account.value(AgentAccount.provider) ?? "",
                    user: try account.value(AgentAccount.user) ?? "",
                    state: try account.value(AgentAccount.state) ?? "",
                    since: try account.value(AgentAccount.stateSince) ?? 0,
                    nextAttempt: try account.value(AgentAccount.nextAttempt) ?? 0,
                    error: try account.value(AgentAccount.lastError)?.elements.1 ?? "",
                    unread: try inbox.value(AgentInbox.unreadCount) ?? 0,
                    pending: try account.value(AgentAccount.pendingActions) ?? 0
                )
            )
        }
    }

    /// The report as a JSON object.
    var json: String {
        let accounts = accounts.map { account in
            Value(
                [
                    "name": .string(account.name), "provider": .string(account.provider), "user": .string(account.user),
                    "state": .string(account.state), "since": .int64(account.since),
                    "next_attempt": .int64(account.nextAttempt), "error": .string(account.error),
                    "unread": .uint32(account.unread), "pending": .uint32(account.pending),
                ] as [String: Value]
            )
        }
        return [
            "version": Value.string(version), "unread": .uint32(unread), "attention_needed": .bool(needsAttention),
            "paused": .bool(isPaused), "paused_until": .int64(pausedUntil), "accounts": Value(accounts),
        ].json
    }

    /// The report, a line for the agent and one for each account.
    ///
    /// - Parameter now: Milliseconds since the Unix epoch.
    func text(now: Int64) -> String {
        var lines = [
            "Feedbell \(version): \(accounts.isEmpty ? "no accounts are configured" : "\(unread) unread")\(pause(now))"
        ]
        lines += accounts.map { line($0, now) }
        return lines.map { $0.printable + "\n" }.joined()
    }

    private func pause(_ now: Int64) -> String {
        guard isPaused else { return "" }
        return pausedUntil == 0
            ? ", popups are paused" : ", popups are paused until \(LocalTime(pausedUntil).text(now: now))"
    }

    private func line(_ account: Account, _ now: Int64) -> String {
        var line = "\(account.name) (\(account.provider), \(account.user)): \(account.state)"
        if account.since > 0 { line += " since \(LocalTime(account.since).text(now: now))" }
        line += ", \(account.unread) unread"
        if account.pending > 0 { line += ", \(account.pending) to be confirmed by the service" }
        if account.nextAttempt > now { line += ", next attempt in \((account.nextAttempt - now + 999) / 1000) s" }
        return account.error.isEmpty ? line : line + "\n    \(account.error)"
    }
}

extension String {
    /// The text without what could steer a terminal. Line ends stay.
    var printable: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { scalar in
                    scalar != "\n" && (scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value))
                        ? "\u{FFFD}" : scalar
                }
            )
        )
    }
}
