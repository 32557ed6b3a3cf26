import AgentInterface
import VisibleText

/// The user's actions that the agent takes back.
extension InboxScreen {
    /// The maximum number of actions that are remembered.
    private static let undoLimit = 100

    /// Archives notifications. Accounts whose service cannot do it are left out.
    mutating func archive(_ records: [NotificationRecord]) -> [Effect] {
        remove(records.filter { !$0.isArchived }, .archive, needs: .archive) { .archive($0) }
    }

    mutating func delete(_ records: [NotificationRecord]) -> [Effect] {
        remove(records, .delete, needs: .delete) { .delete($0) }
    }

    /// Opens a notification, which the agent may archive then.
    ///
    /// - Parameter link: What of it; nil: its own link.
    mutating func open(_ record: NotificationRecord, link: String? = nil) -> [Effect] {
        let call = link.map { InboxCall.invoke(record.id, action: $0) } ?? .open(record.id)
        guard inbox.isArchived(byOpening: link, of: RowID(record)) else { return requests(call, for: record) }
        hide([record])
        return submitUndoable([record], notice: .removed(.archive, count: 1)) { _ in call }
    }

    private mutating func remove(
        _ records: [NotificationRecord],
        _ kind: Notice.Removal,
        needs capability: AccountState.Capability,
        _ request: ([String]) -> InboxCall
    ) -> [Effect] {
        let removed = records.filter { inbox.has(RowID($0), capability) }
        guard !removed.isEmpty else {
            if !records.isEmpty { notice = .failed(translated("The account's service does not support this.")) }
            return []
        }
        hide(removed)
        return submitUndoable(removed, notice: .removed(kind, count: removed.count), request)
    }

    private mutating func hide(_ records: [NotificationRecord]) {
        let rows = records.map { RowID($0) }
        inbox.lists.hide(rows)
        countedHidden.formUnion(rows)
    }

    /// Marks everything of the chosen accounts as read. It is asked for twice where the agent cannot take it back.
    mutating func readAll() -> [Effect] {
        let accounts = shownAccounts
        guard !accounts.isEmpty else { return [] }
        let isUndoable = inbox.canUndoReadAll(of: accounts)
        guard isUndoable || isReadAllConfirmed else {
            notice = .confirmsReadAll
            return []
        }
        readAccounts.formUnion(accounts.map(\.name))
        return submit(inbox.readAll(of: accounts, now: now), notice: .allRead(isUndoable: isUndoable))
    }

    /// An action on notifications that the agent can take back.
    mutating func submitUndoable(
        _ records: [NotificationRecord],
        notice: Notice,
        _ request: ([String]) -> InboxCall
    ) -> [Effect] {
        submit(inbox.requests(for: records.map { RowID($0) }, request), notice: notice)
    }

    private mutating func submit(_ requests: [InboxRequest], notice: Notice) -> [Effect] {
        if notice.isUndoable { undoable.append(requests) }
        if undoable.count > Self.undoLimit { undoable.removeFirst() }
        self.notice = notice
        return requests.map(Effect.send)
    }

    /// The agent takes back the last action; without one of this program, the last one of any.
    mutating func undo() -> [Effect] {
        let action = undoable.popLast()
        undoReport = UndoReport(of: action.map { Set($0.flatMap(\.call.ids)) })
        notice = nil
        let accounts = action?.reversed().map(\.account) ?? [query.account ?? ""]
        return accounts.map { .send(.undo, account: $0) }
    }

    mutating func tookBack(_ result: Undone) {
        undoReport.add(result, amongSeveral: accounts.count > 1)
        let back = result.ids.map { RowID(account: result.account, id: $0) }
        inbox.lists.unhide(back)
        countedHidden.subtract(back)
        readAccounts.remove(result.account)
        wanted = back.first
        showUndoReport()
    }

    mutating func undoFailed(of account: String, _ reason: String) {
        undoReport.addFailure(reason, of: account, amongSeveral: accounts.count > 1)
        showUndoReport()
    }

    private mutating func showUndoReport() {
        let text = undoReport.isAsShown ? translated("Taken back") : undoReport.text
        notice = undoReport.hasFailed ? .failed(text) : .undone(text)
    }

    /// Selects what came back whenever it is listed, as the next list may be one of before.
    mutating func selectWanted() {
        guard mode == .list, let wanted, lists.rows.contains(wanted) else { return }
        select(wanted)
    }

    /// A request has ended: its notifications are shown as the agent lists them from now on.
    mutating func finished(_ request: Request, of account: String, hasFailed: Bool) {
        guard case .inbox(let call) = request else { return }
        let rows = call.ids.map { RowID(account: account, id: $0) }
        if call == .markAllRead { endedAccounts.insert(account) }
        countedHidden.subtract(rows)
        guard hasFailed else { return inbox.lists.refresh(rows) }
        inbox.lists.unhide(rows)
        if call == .markAllRead {
            readAccounts.remove(account)
            let listed = lists.rows.filter { $0.account == account }
            inbox.lists.invalidate(listed.map(\.id), of: account)
        }
        for index in undoable.indices { undoable[index].removeAll { $0 == InboxRequest(account, call) } }
        undoable.removeAll(where: \.isEmpty)
    }
}
