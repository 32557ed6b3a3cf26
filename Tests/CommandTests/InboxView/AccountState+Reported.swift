import AgentInterface
import DBus

extension AccountState {
    /// An account as the agent reports it.
    ///
    /// - Parameters:
    ///   - unread: Nil: the service has not reported the inbox.
    ///   - tabs: Ids, labels and numbers.
    static func reported(
        _ name: String,
        unread: Int? = nil,
        state: String = "online",
        nextAttempt: Int64 = 0,
        tabs: [(String, String, UInt32)] = [],
        asOf: Int64 = 0,
        badge: Int = 0,
        capabilities: [Capability] = [],
        total: Int? = nil
    ) -> AccountState {
        var inbox: [String: Value] = [
            "UnreadCount": .uint32(UInt32(unread ?? 0)), "BadgeCount": .uint32(UInt32(badge)), "AsOf": .int64(asOf),
            "Tabs": tabs.map { Structure($0.0, $0.1, $0.2) }.dbusValue,
        ]
        if let total { inbox["TotalCount"] = .uint32(UInt32(total)) }
        return AccountState([
            AgentAccount.name.text: [
                "Name": .string(name), "State": .string(state), "NextAttempt": .int64(nextAttempt),
                "LastEvent": .int64(unread == nil ? 0 : 1),
                "Capabilities": Value(capabilities.map(\.rawValue)),
            ],
            AgentInbox.name.text: inbox,
        ])
    }
}
