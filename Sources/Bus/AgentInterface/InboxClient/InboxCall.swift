package import DBus

/// A request that changes something, of one account.
package struct InboxRequest: Hashable, Sendable {
    /// The account's name.
    package var account: String
    package var call: InboxCall

    package init(_ account: String, _ call: InboxCall) {
        self.account = account
        self.call = call
    }

    /// Whether this is the user's action, which is performed also if the program is closed meanwhile.
    package var isAction: Bool {
        switch call {
        case .refresh, .reconnect: false
        default: true
        }
    }
}

/// A call of an account's object, for the user.
package enum InboxCall: Hashable, Sendable {
    case open(String)
    /// Open what a button or a link of a notification opens, see ``NotificationLink``.
    case invoke(String, action: String)
    case markSeen([String])
    case markRead([String])
    case markUnread([String])
    case archive([String])
    case unarchive([String])
    case delete([String])
    /// Until a time in milliseconds since the Unix epoch.
    case snooze([String], until: Int64)
    case unsnooze([String])
    case markAllRead
    case resetBadge
    case refresh
    case reconnect

    /// Whether the call is made by looking at the inbox, so that its failure is no news.
    package var isSilent: Bool {
        switch self {
        case .markSeen, .resetBadge: true
        default: false
        }
    }

    /// The notifications that it concerns; none: others, or all.
    package var ids: [String] {
        switch self {
        case .open(let id), .invoke(let id, _): [id]
        case .markSeen(let ids), .markRead(let ids), .markUnread(let ids), .archive(let ids), .unarchive(let ids),
            .delete(let ids), .snooze(let ids, _), .unsnooze(let ids):
            ids
        case .markAllRead, .resetBadge, .refresh, .reconnect: []
        }
    }

    /// Makes the call. It starts no agent.
    ///
    /// - Parameter data: For what it opens.
    package func send(to account: Proxy, _ data: PlatformData = PlatformData()) async throws(DBusError) {
        switch self {
        case .open(let id): try await account.call(AgentInbox.open, id, data.values, autoStart: false)
        case .invoke(let id, let action):
            try await account.call(AgentInbox.invoke, id, action, data.values, autoStart: false)
        case .markSeen(let ids): try await account.call(AgentInbox.markSeen, ids, autoStart: false)
        case .markRead(let ids): try await account.call(AgentInbox.markRead, ids, autoStart: false)
        case .markUnread(let ids): try await account.call(AgentInbox.markUnread, ids, autoStart: false)
        case .archive(let ids): try await account.call(AgentInbox.archive, ids, autoStart: false)
        case .unarchive(let ids): try await account.call(AgentInbox.unarchive, ids, autoStart: false)
        case .delete(let ids): try await account.call(AgentInbox.delete, ids, autoStart: false)
        case .snooze(let ids, let until): try await account.call(AgentInbox.snooze, ids, until, autoStart: false)
        case .unsnooze(let ids): try await account.call(AgentInbox.unsnooze, ids, autoStart: false)
        case .markAllRead: try await account.call(AgentInbox.markAllRead, autoStart: false)
        case .resetBadge: try await account.call(AgentInbox.resetBadge, autoStart: false)
        case .refresh: try await account.call(AgentInbox.refresh, autoStart: false)
        case .reconnect: try await account.call(AgentAccount.reconnect, autoStart: false)
        }
    }
}
