import AgentInterface
import DBus
import Inbox

/// What takes property values: an object before it is exported, and the changes of one that is.
protocol PropertySink {
    mutating func set<I: Interface, Content>(_ property: InterfaceProperty<I, Content>, _ value: Content)
}

extension ExportedObject: PropertySink {}
extension PropertyChanges: PropertySink {}

extension PropertySink {
    /// The properties that follow from the link to the service.
    mutating func set(_ connection: Connection) {
        set(AgentAccount.state, connection.state.rawValue)
        set(AgentAccount.stateSince, connection.since.milliseconds)
        set(AgentAccount.nextAttempt, connection.nextAttempt?.milliseconds ?? 0)
        set(
            AgentAccount.lastError,
            connection.failure.map { Structure($0.errorName.text, $0.sentence) } ?? Structure("", "")
        )
        set(AgentAccount.attentionNeeded, connection.needsAttention)
    }

    /// The properties that follow from what the inbox holds.
    mutating func set(_ contents: InboxContents) {
        set(AgentInbox.unreadCount, UInt32(clamping: contents.unreadCount))
        set(AgentInbox.unseenCount, UInt32(clamping: contents.unseenCount))
        set(AgentInbox.badgeCount, UInt32(clamping: contents.badgeCount))
        set(AgentInbox.totalCount, UInt32(clamping: contents.totalCount))
        set(AgentInbox.hasMore, contents.hasMore)
        set(AgentInbox.stores, contents.stores.map { Structure($0.id, $0.label, UInt32(clamping: $0.count)) })
        set(AgentInbox.activeStore, contents.activeStore)
    }
}

extension Connection {
    /// Only the user can end this state.
    var needsAttention: Bool { state == .unauthorized }
}

extension ProviderFailure {
    /// The failure's name on the bus (design.md §3).
    var errorName: ErrorName {
        switch kind {
        case .transient: AgentErrors.offline
        case .rejected: AgentErrors.rejected
        case .notFound: AgentErrors.notFound
        case .unauthorized: AgentErrors.unauthorized
        case .unsupported: AgentErrors.notSupported
        case .notEditable: AgentErrors.notEditable
        }
    }

    /// The failure as the answer to a method call.
    var busError: DBusError { DBusError(errorName, sentence) }
}
