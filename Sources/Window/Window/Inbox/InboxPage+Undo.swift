package import AgentInterface
import VisibleText

/// The agent's reply to a request to take an action back.
package enum UndoReply: Equatable, Sendable {
    case back(Undone)
    /// In a sentence.
    case failed(String)
}

/// Actions that are taken back.
extension InboxPage {
    /// The last action.
    struct Undoable: Equatable, Sendable {
        var toast = 0
        /// The agent takes back each of them as one step.
        var requests: [InboxRequest] = []
        /// The requests that have no reply yet.
        var unanswered: Set<InboxRequest> = []
        /// The rule that has muted something; nil: it was another action.
        var rule: String?
        /// Whether the action is taken back as soon as all have a reply.
        var isWanted = false
    }

    /// The replies for an action that is being taken back.
    struct Undoing: Equatable, Sendable {
        var report: UndoReport
        /// Whether the action is about certain notifications, and not all.
        var concernsRows: Bool
        /// The number of replies to come.
        var awaited: Int
    }

    /// Makes requests that the agent can take back, and shows a toast that offers it.
    mutating func submitUndoable(_ requests: [InboxRequest], _ text: String, archiveLabel: String? = nil) -> [Effect] {
        let action = Undoable(requests: requests, unanswered: Set(requests))
        let toasts = offerUndo(action, text, archiveLabel: archiveLabel)
        return toasts.dropLast() + requests.map(Effect.send) + toasts.suffix(1)
    }

    /// Shows a toast that offers to take an action back, instead of the one before.
    mutating func offerUndo(_ action: Undoable, _ text: String, archiveLabel: String? = nil) -> [Effect] {
        let previous = undoable.map { [Effect.hideToast($0.toast)] } ?? []
        lastToast += 1
        undoable = action
        undoable?.toast = lastToast
        let toast = Toast(number: lastToast, text: text, button: translated("Undo"), archiveLabel: archiveLabel)
        return previous + [.show(toast)]
    }

    /// Marks everything of the listed accounts as read. Asks before where the agent cannot take it back.
    mutating func markAllRead() -> [Effect] {
        let accounts = shownAccounts.filter { $0.unread > 0 }
        guard inbox.canUndoReadAll(of: accounts) else { return [.ask(.markAllRead)] }
        let requests = inbox.readAll(of: accounts, now: now)
        return submitUndoable(requests, translated("All marked as read"), archiveLabel: archiveReadLabel)
    }

    mutating func undo(_ number: Int) -> [Effect] {
        guard undoable?.toast == number else { return [] }
        undoable?.isWanted = true
        return [.hideToast(number)] + takeBack()
    }

    /// A request of the action has its reply.
    mutating func answered(_ request: InboxRequest, hasFailed: Bool) -> [Effect] {
        guard undoable?.unanswered.remove(request) != nil else { return [] }
        if hasFailed { undoable?.requests.removeAll { $0 == request } }
        guard let left = undoable, left.requests.isEmpty else { return takeBack() }
        undoable = nil
        return [.hideToast(left.toast)]
    }

    private mutating func takeBack() -> [Effect] {
        guard let action = undoable, action.isWanted, action.unanswered.isEmpty else { return [] }
        undoable = nil
        if let rule = action.rule { return [.removeMute(rule: rule)] }
        let ids = Set(action.requests.flatMap(\.call.ids))
        undoing = Undoing(report: UndoReport(of: ids), concernsRows: !ids.isEmpty, awaited: action.requests.count)
        return action.requests.map { .undo(account: $0.account) }
    }

    /// Selects what is back as soon as it is listed; says so if that is not what the toast said.
    mutating func tookBack(_ account: String, _ reply: UndoReply) -> [Effect] {
        guard undoing != nil else { return [] }
        undoing?.awaited -= 1
        switch reply {
        case .back(let undone):
            let back = undone.ids.map { RowID(account: account, id: $0) }
            inbox.lists.unhide(back)
            if wanted == nil { wanted = back.first { !rows.contains($0) } }
            undoing?.report.add(undone, amongSeveral: inbox.accounts.count > 1)
        case .failed(let reason):
            undoing?.report.addFailure(reason, of: account, amongSeveral: inbox.accounts.count > 1)
        }
        guard let ended = undoing, ended.awaited == 0 else { return [] }
        undoing = nil
        let isSurprising = ended.report.hasFailed || ended.concernsRows && !ended.report.isAsShown
        return [isSurprising ? toast(ended.report.text) : .announce(ended.report.text)]
    }
}
