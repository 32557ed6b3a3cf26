import AgentInterface
import DBus
import Sandbox
import Subprocess
import TestSupport
import Testing

/// The simulated services with an account of "anna", for tests that are the same for each of them.
enum TestedService: String, CaseIterable, Sendable {
    case suprSend
    /// The REST API, and Ably.
    case magicBell
    /// A user token, the user API, and MagicBell's own socket.
    case magicBellToken

    static let user = "anna"

    var options: SandboxOptions {
        switch self {
        case .suprSend: SandboxOptions(users: [Self.user])
        case .magicBell, .magicBellToken: .magicBell(MagicBellOptions(users: [Self.user]))
        }
    }

    /// The table of the account; other tables may follow.
    ///
    /// - Parameter url: Of the sandbox, which may not run yet.
    func account(_ name: String = "work", at url: String) -> String {
        switch self {
        case .suprSend: return AgentConfiguration.account(name, user: Self.user, url: url)
        case .magicBell: return AgentConfiguration.magicBell(name, .user(Self.user), realtime: "ably", url: url)
        case .magicBellToken:
            let token = MagicBellOptions().userToken(of: Self.user, expiresAt: 4_102_444_800)
            return AgentConfiguration.magicBell(name, .token(token), url: url)
        }
    }

    /// The table of the account `work`, whose user signs in with the browser.
    func browserAccount(at url: String) -> String {
        self == .suprSend
            ? AgentConfiguration.account(url: url, hasToken: false) + BrowserSignInCommandTests.signIn(at: url)
            : AgentConfiguration.magicBell("work", .browser, url: url)
                + BrowserSignInCommandTests.signIn(at: url, tokenKey: "user_token_url")
    }

    /// A tab of the account with the notifications that have this label, see ``fields(_:label:more:)``.
    func tab(_ id: String, of account: String = "work") -> String {
        "[[accounts.\(account).stores]]\nid = \"\(id)\"\nlabel = \"\(id)\"\n\(labelKey) = [\"\(id)\"]\n"
    }

    private var labelKey: String { self == .suprSend ? "tags" : "categories" }

    /// A notification as the service's API has it.
    ///
    /// - Parameters:
    ///   - label: The property by which tabs select notifications.
    ///   - created: The time of creation, in the unit of the service or in any other one.
    func fields(_ title: String, label: String? = nil, created: JSON? = nil) -> JSON {
        var fields: [String: JSON]
        if self == .suprSend {
            fields = ["header": .string(title), "text": "x"]
            if let label { fields["tags"] = .array([.string(label)]) }
        } else {
            fields = ["title": .string(title), "content": "x"]
            if let label { fields["category"] = .string(label) }
        }
        if let created { fields[self == .suprSend ? "created_on" : "sent_at"] = created }
        return .object(fields)
    }

    /// A notification that was read on another device.
    func readElsewhere(_ title: String) -> JSON {
        guard case .object(var fields) = fields(title) else { return .null }
        for key in self == .suprSend ? ["seen_on", "read_on"] : ["seen_at", "read_at"] { fields[key] = 1 }
        return .object(fields)
    }

    /// The name of a notification's id in commands of the sandbox.
    var idKey: String { self == .suprSend ? "n_id" : "id" }

    // MARK: Requests

    /// The beginning of the paths of all requests for notifications and preferences.
    var apiPath: String {
        switch self {
        case .suprSend: "/v"
        case .magicBell: "/notification"
        case .magicBellToken: "/v2/"
        }
    }

    /// The path of the list of notifications, and of single ones after a slash.
    var listPath: String {
        switch self {
        case .suprSend: "/v1/feed/notifications"
        case .magicBell: "/notifications"
        case .magicBellToken: "/v2/notifications"
        }
    }

    /// The method of requests that change a notification.
    var method: String { self == .suprSend ? "PATCH" : "POST" }

    /// Whether a request changes preferences.
    func changesPreferences(_ request: LoggedRequest) -> Bool {
        switch self {
        case .suprSend: request.method == "PATCH" && request.path.hasPrefix("/v2/subscriber/")
        case .magicBell: request.method == "PUT" && request.path.hasPrefix("/notification_preferences")
        case .magicBellToken: request.method == "PUT" && request.path.hasPrefix("/v2/channels/user_preferences")
        }
    }

    /// Refuses requests with the service's own error.
    func refusal(
        _ status: Int,
        retryAfter: Int? = nil,
        path: String,
        times: Int = 1
    ) -> RequestFault {
        guard self == .suprSend else {
            return .magicBell(status, code: "forced", retryAfter: retryAfter, path: path, times: times)
        }
        var response = ServiceResponse.error(status, "FORCED", "forced by the sandbox")
        if let retryAfter { response.headers["Retry-After"] = String(retryAfter) }
        return RequestFault(.respond(response), path: path, times: times)
    }

    // MARK: Preferences

    /// The switches that every user has: a category, or a channel of it where categories have no switch.
    var switches: [String] { self == .suprSend ? ["refund-news", "builds"] : ["ci", "mentions"] }

    private static let channel = "email"

    func set(_ name: String, _ preference: String, of account: Proxy) async throws {
        if self == .suprSend {
            try await account.call(AgentPreferences.setCategory, name, preference)
        } else {
            try await account.call(AgentPreferences.setCategoryChannel, name, Self.channel, preference)
        }
    }

    func preference(_ name: String, in state: SandboxState) -> String? {
        guard self == .suprSend else {
            let isOn = state.magicBellInbox(Self.user).preferences.isEnabled(Self.channel, of: name)
            return isOn.map { $0 ? "opt_in" : "opt_out" }
        }
        return state.service[InboxKey(user: Self.user)].preferences.category(name)?["preference"]?.string
    }

    // MARK: State

    /// A notification as the service has it.
    struct Row: Sendable {
        var id: String
        var title: String
        var isSeen: Bool
        var isRead: Bool
        /// Where the service does not record clicks: whether it is read.
        var isClicked: Bool
        var isArchived: Bool
    }

    func rows(in state: SandboxState) -> [Row] {
        guard self == .suprSend else {
            return state.magicBellInbox(Self.user).notifications.map { row in
                let isRead = row.readAt != nil
                return Row(
                    id: row.id,
                    title: row.title,
                    isSeen: row.seenAt != nil,
                    isRead: isRead,
                    isClicked: isRead,
                    isArchived: row.archivedAt != nil
                )
            }
        }
        return state.service[InboxKey(user: Self.user)].rows.map { row in
            Row(
                id: row.id,
                title: row.json["header"]?.string ?? "",
                isSeen: row.json["seen_on"]?.integer != nil,
                isRead: row.isRead,
                isClicked: row.json["interacted_on"]?.integer != nil,
                isArchived: row.isArchived
            )
        }
    }

    func row(_ id: String, in state: SandboxState) -> Row? { rows(in: state).first { $0.id == id } }

    // MARK: Agents

    /// Runs `body` beside a sandbox and an agent that is online.
    func withAgent(
        configuration: String = "",
        environment: [Environment.Key: String?] = BuiltAgent.shortWaits,
        _ body: (Sandbox, BuiltAgent) async throws -> Void
    ) async throws {
        try await Sandbox.with(options) { sandbox in
            let text = account(at: sandbox.baseURL) + configuration
            try await BuiltAgent.with(text, sandbox: sandbox, environment: environment) { agent in
                try await body(sandbox, agent)
            }
        }
    }
}

extension SandboxState {
    /// The inbox of a user of MagicBell, by its external id or e-mail address.
    fileprivate func magicBellInbox(_ user: String) -> SimulatedInbox {
        magicBell.service.users.named(user).map { magicBell.service[$0.id] } ?? SimulatedInbox()
    }
}
