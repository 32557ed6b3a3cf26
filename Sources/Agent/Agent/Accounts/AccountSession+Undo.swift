import AgentInterface
import DBus
import Inbox

/// Taking the last archive or delete back.
extension AccountSession {
    /// Takes back what waits to be sent, and reverses what the service can reverse.
    ///
    /// - Returns: The name of the action, and the notifications that are back.
    func undo() async throws(DBusError) -> (action: String, ids: [String]) {
        try await untilRestored()
        let canUnarchive = service.capabilities.contains(.unarchive)
        guard let last = removals.last,
            let reversal = removals.reversal(waiting: outbox.waiting, canUnarchive: canUnarchive)
        else { throw Self.nothingToUndo }
        let action = last.changes[0].name
        if reversal.withdrawn.isEmpty, reversal.submitted.isEmpty {
            removals.forget(last.changes)
            let problem = "\(action) was sent, and \(identity.provider) cannot reverse it."
            throw DBusError(AgentErrors.notSupported, problem)
        }
        if !reversal.withdrawn.isEmpty { await process(.withdrawn(reversal.withdrawn)) }
        if !reversal.submitted.isEmpty { try await submit(reversal.submitted, isChecked: false) }
        removals.forget(last.changes)
        return (action, (reversal.withdrawn + reversal.submitted).flatMap(\.ids).map(\.rawValue))
    }

    static let nothingToUndo = DBusError(AgentErrors.notFound, "There is no archive or delete to take back.")
}

extension Agent {
    /// Takes the last archive or delete back.
    ///
    /// - Parameter name: The account; empty: any.
    func undo(_ name: String) async throws(DBusError) -> (account: String, action: String, ids: [String]) {
        let sessions = accounts.map(\.session).filter { name.isEmpty || $0.identity.name == name }
        if sessions.isEmpty, !name.isEmpty {
            throw DBusError(AgentErrors.notFound, "There is no account \"\(name)\".")
        }
        var newest: (session: AccountSession, removal: RemovalHistory.Removal)?
        for session in sessions {
            guard let removal = await session.removals.last else { continue }
            if newest.map({ $0.removal.time <= removal.time }) ?? true { newest = (session, removal) }
        }
        guard let session = newest?.session else { throw AccountSession.nothingToUndo }
        let (action, ids) = try await session.undo()
        return (session.identity.name, action, ids)
    }
}
