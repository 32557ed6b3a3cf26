import AgentInterface
import InboxPresentation
import Translation

/// The user's last actions that can be taken back: those that wait, or that the service can reverse.
///
/// An action that the service can reverse is performed at once. Another one waits for ``InboxScreen/undoTime``; until
/// then the screen shows its result, and nothing is sent.
struct UndoList: Equatable, Sendable {
    /// The maximum number of actions that are remembered.
    private static let limit = 100

    enum Action: Equatable, Sendable {
        case archive, delete, readAll
    }

    /// The part of an action that concerns one account.
    struct Part: Equatable, Sendable {
        var account: String
        var request: InboxCall
        /// The request that takes it back once it is performed; nil: none does.
        var reverse: InboxCall?
        var isPerformed = false
    }

    struct Entry: Equatable, Sendable {
        var number: Int
        var action: Action
        var parts: [Part]
    }

    /// The oldest first.
    private(set) var entries: [Entry] = []
    private var lastNumber = 0

    /// The parts that wait.
    var waiting: [Part] { entries.flatMap(\.parts).filter { !$0.isPerformed } }

    /// - Returns: What is performed now, and the number of the entry if a part of it waits.
    mutating func add(_ action: Action, _ parts: [Part]) -> (performed: [Part], waits: Int?) {
        lastNumber += 1
        let marked = parts.map { part in
            var part = part
            part.isPerformed = part.reverse != nil
            return part
        }
        entries.append(Entry(number: lastNumber, action: action, parts: marked))
        if entries.count > Self.limit, let index = entries.firstIndex(where: { $0.parts.allSatisfy(\.isPerformed) }) {
            entries.remove(at: index)
        }
        let performed = marked.filter(\.isPerformed)
        return (performed, performed.count == parts.count ? nil : lastNumber)
    }

    /// The time of an entry has passed; nil: of all.
    ///
    /// - Returns: The parts that are performed now.
    mutating func commit(_ number: Int? = nil) -> [Part] {
        var performed: [Part] = []
        for index in entries.indices where number == nil || entries[index].number == number {
            performed += entries[index].parts.filter { !$0.isPerformed }
            entries[index].parts.removeAll { !$0.isPerformed }
        }
        entries.removeAll(where: \.parts.isEmpty)
        return performed
    }

    /// Removes the last entry.
    mutating func takeLast() -> Entry? { entries.popLast() }
}

extension InboxScreen {
    /// How long an action waits that the service cannot reverse, in milliseconds.
    static let undoTime: Int64 = 10_000

    /// Archives notifications. Accounts whose service cannot do it are left out.
    mutating func archive(_ records: [NotificationRecord]) -> [Effect] {
        remove(records.filter { !$0.isArchived }, .archive, needs: .archive) { ids, account in
            .init(
                account: account.name,
                request: .archive(ids),
                reverse: account.has(.unarchive) ? .unarchive(ids) : nil
            )
        }
    }

    mutating func delete(_ records: [NotificationRecord]) -> [Effect] {
        remove(records, .delete, needs: .delete) { ids, account in .init(account: account.name, request: .delete(ids))
        }
    }

    private mutating func remove(
        _ records: [NotificationRecord],
        _ action: UndoList.Action,
        needs capability: AccountState.Capability,
        _ part: ([String], AccountState) -> UndoList.Part
    ) -> [Effect] {
        let able = accounts.filter { $0.has(capability) }
        let parts = able.flatMap { account in
            AgentInbox.portions(of: records.filter { $0.account == account.name }.map(\.id)).map { part($0, account) }
        }
        guard !parts.isEmpty else {
            if !records.isEmpty { notice = .failed(translated("The account's service does not support this.")) }
            return []
        }
        for part in parts { hidden.formUnion(part.request.ids) }
        return begin(action, parts, count: parts.reduce(0) { $0 + $1.request.ids.count })
    }

    /// Marks everything of the chosen accounts as read. Where each unread notification is known, the reverse is to mark
    /// these as unread; otherwise it waits, and also marks what arrives meanwhile.
    mutating func readAll() -> [Effect] {
        let parts = chosenAccounts.map { account in
            let ids = loaded.filter { $0.account == account.name && $0.read == 0 }.map(\.id)
            let isComplete =
                place.isWhole && account.unread == ids.count && ids.count <= AgentInbox.maximumIDs
            let reverse = isComplete && !ids.isEmpty ? InboxCall.markUnread(ids) : nil
            return UndoList.Part(account: account.name, request: .markAllRead, reverse: reverse)
        }
        guard !parts.isEmpty else { return [] }
        readAccounts.formUnion(parts.map(\.account))
        return begin(.readAll, parts, count: 0)
    }

    private mutating func begin(_ action: UndoList.Action, _ parts: [UndoList.Part], count: Int) -> [Effect] {
        let (performed, waits) = undoList.add(action, parts)
        showPending()
        notice = .done(action, count: count)
        return performed.map(\.effect)
            + (waits.map { [.startUndoTimer(number: $0, milliseconds: Self.undoTime)] } ?? [])
    }

    /// The last action is taken back.
    mutating func undo() -> [Effect] {
        guard let entry = undoList.takeLast() else {
            notice = .nothingToUndo
            return []
        }
        let ids = Set(entry.parts.flatMap(\.request.ids))
        hidden.subtract(ids)
        let waiting = Set(undoList.waiting.filter { $0.request == .markAllRead }.map(\.account))
        readAccounts.subtract(entry.parts.map(\.account).filter { entry.action == .readAll && !waiting.contains($0) })
        notice = .undone
        showPending()
        if let first = notifications.first(where: { ids.contains($0.id) }) { select(first.id) }
        return entry.parts.filter(\.isPerformed)
            .compactMap { part in part.reverse.map { .perform(.inbox($0), account: part.account) } }
    }

    mutating func undoTimePassed(_ number: Int) -> [Effect] { undoList.commit(number).map(\.effect) }

    /// Performs the actions that wait: the user quits.
    mutating func performWaiting() -> [Effect] { undoList.commit().map(\.effect) }

    /// A request has ended: its notifications are shown as the agent lists them, if it succeeded from the next list on.
    mutating func ended(_ request: Request, of account: String, hasFailed: Bool) {
        switch request {
        case .inbox(.archive(let ids)), .inbox(.delete(let ids)): endedRows.formUnion(ids)
        case .inbox(.markAllRead): endedAccounts.insert(account)
        default: return
        }
        guard hasFailed else { return }
        dropEnded()
        showPending()
    }

    /// Contents were loaded that have the results of all requests that had ended.
    mutating func dropEnded() {
        hidden.subtract(endedRows)
        readAccounts.subtract(endedAccounts)
        (endedRows, endedAccounts) = ([], [])
    }
}

extension UndoList.Part {
    fileprivate var effect: InboxScreen.Effect { .perform(.inbox(request), account: account) }
}
