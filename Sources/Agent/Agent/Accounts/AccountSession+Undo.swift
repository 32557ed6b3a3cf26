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

    /// The steps that can be taken back now.
    var undoable: UndoHistory {
        history.forgetLastSnoozes(except: isPresent)
        return history
    }

    /// Whether a snooze has neither ended nor changed.
    private func isPresent(_ snoozing: UndoHistory.Snoozing) -> Bool {
        snoozes[snoozing.id]?.until == snoozing.new.until
    }

    /// Takes steps back, newest first.
    ///
    /// - Returns: The name of the action, and the notifications that are back.
    /// - Throws: The error of the last one, if none can be taken back.
    func undo(_ steps: [UndoHistory.Step]) async throws(DBusError) -> (action: String, ids: [String]) {
        var (action, ids, failure) = ("", [String](), Self.nothingToUndo)
        for step in steps {
            // Nothing else has come in the meantime.
            guard let last = undoable.last, last.time == step.time, last.caller == step.caller else { break }
            do throws(DBusError) {
                let back = try await undo()
                action = back.action
                ids += back.ids
            } catch {
                failure = error
            }
        }
        guard !action.isEmpty else { throw failure }
        return (action, ids)
    }

    /// Takes the last step back: what waits is not sent, and what the service can reverse is reversed.
    ///
    /// - Returns: The name of the action, and the notifications that are back.
    func undo() async throws(DBusError) -> (action: String, ids: [String]) {
        try await untilRestored()
        guard let step = undoable.last else { throw Self.nothingToUndo }
        let canUnarchive = service.capabilities.contains(.unarchive)
        var reversal = history.reversal(waiting: outbox.waiting, canUnarchive: canUnarchive)
        history.removeLast()
        switch step.action {
        case .snooze(let snoozings):
            let snoozings = snoozings.filter(isPresent)
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
    /// Marks everything of all accounts as read, as one act: the desktop's menus have no name on the bus.
    func markAllRead() async throws(DBusError) {
        for account in accounts { try await account.session.submit([.allRead], by: "menu") }
    }

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
            guard let step = await session.undoable.last else { continue }
            if newest.map({ $0.step.time <= step.time }) ?? true { newest = (session, step) }
        }
        guard let session = newest?.session else { throw AccountSession.nothingToUndo }
        let (action, ids) = try await session.undo()
        return (session.identity.name, action, ids)
    }

    /// Takes the newest act back, in all accounts that it concerned.
    ///
    /// - Returns: Account, action and ids; the action is empty where nothing can be taken back.
    func undoAll() async throws(DBusError) -> [Structure<String, String, [String]>] {
        let sessions = accounts.map(\.session)
        var histories: [UndoHistory] = []
        for session in sessions { histories.append(await session.undoable) }
        var (undone, failure) = ([Structure<String, String, [String]>](), AccountSession.nothingToUndo)
        for (session, steps) in zip(sessions, UndoHistory.newestAct(of: histories)) where !steps.isEmpty {
            do throws(DBusError) {
                let (action, ids) = try await session.undo(steps)
                undone.append(Structure(session.identity.name, action, ids))
            } catch {
                failure = error
                undone.append(Structure(session.identity.name, "", []))
            }
        }
        guard undone.contains(where: { !$0.elements.1.isEmpty }) else { throw failure }
        return undone
    }

    /// Sends the actions that are held for Undo: the agent ends, or the computer is suspended.
    func sendHeld() async {
        let sessions = accounts.map(\.session)
        await withDiscardingTaskGroup { group in
            for session in sessions { group.addTask { await session.sendHeld() } }
        }
    }
}
