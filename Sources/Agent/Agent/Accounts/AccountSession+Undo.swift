import AgentInterface
import Basics
import DBus
import Inbox

/// Taking the user's last action back.
extension AccountSession {
    /// How long an action is held that the service cannot reverse: ten seconds, in which programs offer Undo, and the
    /// time of the call.
    static let holdTime = Duration.seconds(11)
    /// The longest wait for the service's answers to what was held, when the account ends.
    private static let releaseTimeout = Duration.seconds(1)

    /// The last step; nil: there is none. Snoozes that have ended are no longer steps.
    var lastStep: UndoHistory.Step? {
        while let step = history.last {
            guard case .snooze(let snoozings) = step.action, present(snoozings).isEmpty else { return step }
            history.removeLast()
        }
        return nil
    }

    /// Of snoozed notifications those whose snooze has neither ended nor changed.
    private func present(_ snoozings: [UndoHistory.Snoozing]) -> [UndoHistory.Snoozing] {
        snoozings.filter { inbox.snoozes[$0.id]?.until == $0.new.until }
    }

    /// Takes the last step back: what waits is not sent, and what the service can reverse is reversed.
    ///
    /// - Returns: The name of the action, and the notifications that are back.
    func undo() async throws(DBusError) -> (action: String, ids: [String]) {
        try await untilRestored()
        guard let step = lastStep else { throw Self.nothingToUndo }
        let canUnarchive = service.capabilities.contains(.unarchive)
        var reversal = history.reversal(waiting: outbox.waiting, canUnarchive: canUnarchive)
        history.removeLast()
        switch step.action {
        case .snooze(let snoozings):
            let snoozings = present(snoozings)
            await restore(snoozings)
            return (AgentInbox.snooze.name.text, snoozings.map(\.id.rawValue))
        case .removal(let changes):
            let action = changes[0].name
            guard reversal.lost.count < changes.count else {
                throw Self.notSupported("\(action) was sent, and \(identity.provider) cannot reverse it.")
            }
            try await takeBack(reversal)
            return (action, (reversal.withdrawn + reversal.submitted).flatMap(\.ids).map(\.rawValue))
        case .allRead(let ids):
            let action = Change.allRead.name
            guard reversal.lost.isEmpty else {
                let limit = UndoHistory.unreadLimit
                throw Self.notSupported("\(action) was sent. It can be undone if all are loaded, and at most \(limit).")
            }
            // Others have left the inbox since.
            reversal.submitted.removeAll { $0.ids.allSatisfy { inbox[$0] == nil } }
            let back = (ids ?? []).filter { inbox[$0] != nil }
            try await takeBack(reversal)
            await endedByReading(back)
            return (action, back.map(\.rawValue))
        }
    }

    private func takeBack(_ reversal: UndoHistory.Reversal) async throws(DBusError) {
        if !reversal.withdrawn.isEmpty { await process(.withdrawn(reversal.withdrawn)) }
        if !reversal.submitted.isEmpty { try await submit(reversal.submitted, isChecked: false) }
    }

    static let nothingToUndo = DBusError(AgentErrors.notFound, "There is nothing to take back.")

    private static func notSupported(_ sentence: String) -> DBusError { DBusError(AgentErrors.notSupported, sentence) }

    /// Sends what is held, and waits for the answers, but not long: the account ends. What is not confirmed then is
    /// sent by the next run.
    func sendHeld() async {
        guard outbox.count > outbox.dueCount else { return }
        await process(.released)
        guard connection.state == .online else { return }
        await withTimeLimit(Self.releaseTimeout, clock: environment.clock) {
            await self.untilNothingIsInFlight()
        }
    }

    private func untilNothingIsInFlight() async {
        while outbox.inFlight != nil, !Task.isCancelled { await answerWaiters.add().wait() }
    }
}

extension Agent {
    /// Takes the last step back.
    ///
    /// - Parameter name: The account; empty: any.
    func undo(_ name: String) async throws(DBusError) -> (account: String, action: String, ids: [String]) {
        let sessions = accounts.map(\.session).filter { name.isEmpty || $0.identity.name == name }
        if sessions.isEmpty, !name.isEmpty {
            throw DBusError(AgentErrors.notFound, "There is no account \"\(name)\".")
        }
        var newest: (session: AccountSession, step: UndoHistory.Step)?
        for session in sessions {
            guard let step = await session.lastStep else { continue }
            if newest.map({ $0.step.time <= step.time }) ?? true { newest = (session, step) }
        }
        guard let session = newest?.session else { throw AccountSession.nothingToUndo }
        let (action, ids) = try await session.undo()
        return (session.identity.name, action, ids)
    }

    /// Sends the actions that are held for Undo: the agent ends, or the computer is suspended.
    func sendHeld() async {
        let sessions = accounts.map(\.session)
        await withDiscardingTaskGroup { group in
            for session in sessions { group.addTask { await session.sendHeld() } }
        }
    }
}
