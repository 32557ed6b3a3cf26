import AgentInterface
import DBus
import VisibleText

/// The output of `feedbell status`.
struct StatusReport: Equatable {
    struct Account: Equatable {
        var name: String
        var provider: String
        var user: String
        var state: String
        /// Milliseconds since the Unix epoch, 0 for none; likewise ``nextAttempt``.
        var since: Int64 = 0
        var nextAttempt: Int64 = 0
        /// The sentence of the last error; empty for none.
        var error = ""
        /// Whether the user has removed its token.
        var isSignedOut = false
        var needsAttention = false
        /// nil: unknown, because the service has never reported it.
        var unread: UInt32?
        /// When the inbox was last known to be what the service has, in milliseconds since the Unix epoch; 0: it is.
        var asOf: Int64 = 0
        var pending: UInt32 = 0
        /// The error of the oldest failed pending action; empty for none.
        var pendingError = ""
        /// nil: it does not sign in with the browser, or this was not tried yet.
        var signIn: SignInRecord?
    }

    /// The number of the form of the command's JSON, which `dbus/output.schema.json` describes.
    static let jsonFormat = 1

    var version = ""
    /// The sum of the known counts.
    var unread: UInt32 = 0
    var needsAttention = false
    var isPaused = false
    var pausedUntil: Int64 = 0
    /// Why popups are held back: the values of the D-Bus property `HeldBack`.
    var heldBack: [String] = []
    /// Why the configuration file is not used; empty: it is.
    var configurationError = ""
    var accounts: [Account] = []
}

extension StatusReport {
    /// Reads the properties of the agent and its accounts.
    init(root: PropertyValues<AgentRoot>, objects: [ObjectPath: [String: [String: Value]]]) throws(DBusError) {
        version = try root.value(AgentRoot.version) ?? ""
        unread = try root.value(AgentRoot.unreadCount) ?? 0
        needsAttention = try root.value(AgentRoot.attentionNeeded) ?? false
        isPaused = try root.value(AgentRoot.paused) ?? false
        pausedUntil = try root.value(AgentRoot.pausedUntil) ?? 0
        heldBack = try root.value(AgentRoot.heldBack) ?? []
        configurationError = try root.value(AgentRoot.configurationError) ?? ""
        accounts = []
        for path in try root.value(AgentRoot.accounts) ?? [] {
            guard let interfaces = objects[path] else { continue }
            let account = PropertyValues<AgentAccount>(in: interfaces)
            let inbox = PropertyValues<AgentInbox>(in: interfaces)
            accounts.append(
                Account(
                    name: try account.value(AgentAccount.accountName) ?? "",
                    provider: try account.value(AgentAccount.provider) ?? "",
                    user: try account.value(AgentAccount.user) ?? "",
                    state: try account.value(AgentAccount.state) ?? "",
                    since: try account.value(AgentAccount.stateSince) ?? 0,
                    nextAttempt: try account.value(AgentAccount.nextAttempt) ?? 0,
                    error: try account.value(AgentAccount.lastError)?.elements.1 ?? "",
                    isSignedOut: account.missingToken == .signedOut,
                    needsAttention: try account.value(AgentAccount.attentionNeeded) ?? false,
                    unread: account.isCounted ? try inbox.value(AgentInbox.unreadCount) : nil,
                    asOf: try inbox.value(AgentInbox.asOf) ?? 0,
                    pending: try account.value(AgentAccount.pendingActions) ?? 0,
                    pendingError: try account.value(AgentAccount.pendingError)?.elements.1 ?? "",
                    signIn: try account.value(AgentAccount.signInStatus).flatMap(SignInRecord.init)
                )
            )
        }
    }

    /// Whether an account is online.
    var isOnline: Bool { accounts.contains { $0.state == "online" } }

    /// Whether the count of every account is known.
    private var isCounted: Bool { accounts.allSatisfy { $0.unread != nil } }

    private var unreadWords: String {
        isCounted || unread > 0 ? Self.words(unread: unread, isComplete: isCounted) : Self.unknownCount
    }

    /// The report as a JSON object. Unknown counts are null.
    var json: JSONText {
        let accounts = accounts.map { account in
            JSONText.object([
                "name": .string(account.name), "provider": .string(account.provider), "user": .string(account.user),
                "state": .string(account.state), "since": .number(account.since),
                "next_attempt": .number(account.nextAttempt), "error": .string(account.error),
                "attention_needed": .bool(account.needsAttention),
                "unread": account.unread.map(JSONText.number) ?? .null, "as_of": .number(account.asOf),
                "pending": .number(account.pending), "pending_error": .string(account.pendingError),
                "sign_in": account.signIn?.json ?? .null,
            ])
        }
        return .object([
            "format": .number(Self.jsonFormat), "version": .string(version),
            "unread": isCounted || unread > 0 ? .number(unread) : .null,
            "attention_needed": .bool(needsAttention), "paused": .bool(isPaused), "paused_until": .number(pausedUntil),
            "held_back": .array(heldBack.map(JSONText.string)), "configuration_error": .string(configurationError),
            "accounts": .array(accounts),
        ])
    }

    /// The report: a line for the agent and one for each account.
    ///
    /// - Parameter now: Milliseconds since the Unix epoch.
    func text(now: Int64, _ terminal: Terminal?) -> String {
        func styled(_ text: String, _ style: Terminal.Style) -> String { terminal?.text(text, style) ?? text }
        var facts = [
            accounts.isEmpty ? translated("no accounts are configured") : styled(unreadWords, unread > 0 ? .bold : .dim)
        ]
        if isPaused { facts.append(styled(pauseWords(now: now), .yellow)) }
        facts += heldBack.compactMap(Self.words(heldBack:)).map { styled($0, .yellow) }
        var lines = ["Feedbell \(version.onOneLine): " + translatedList(facts)]
        if !configurationError.isEmpty {
            let problem = translated(
                "Not all of the configuration is used: {reason}",
                ["reason": configurationError.onOneLine]
            )
            lines.append("    " + styled(problem, .red))
        } else if accounts.isEmpty {
            lines.append("    " + translated("Add an account with: feedbell accounts add"))
        }
        for account in accounts {
            let style = Self.style(state: account.state)
            let state = styled(AccountText.state(account.state), style)
            let facts = [AccountText.state(state, since: account.since, now: now)] + account.facts(now: now)
            lines.append(account.identity.isolated(in: .leftToRight) + ": " + translatedList(facts))
            if !account.pendingError.isEmpty, account.pendingError != account.error {
                let problem = translated(
                    "An action is being retried: {reason}",
                    ["reason": account.pendingError.onOneLine]
                )
                lines.append("    " + styled(problem, .yellow))
            }
            if !account.error.isEmpty { lines.append("    " + styled(account.error.onOneLine, style)) }
        }
        return lines.map { line in (terminal.map { line.wrapped(toColumns: $0.columns) } ?? line) + "\n" }.joined()
    }
}

extension SignInRecord {
    fileprivate var json: JSONText {
        .object([
            "since": .number(since), "refreshed": .number(refreshed), "attempted": .number(attempted),
            "error": .string(error), "message": .string(message),
        ])
    }
}
