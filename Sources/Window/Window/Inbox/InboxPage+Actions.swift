package import AgentInterface
import VisibleText

/// The user's actions on notifications.
extension InboxPage {
    /// The selected rows in the order of the list.
    package var selectedRows: [RowID] { selection.count < 2 ? Array(selection) : rows.filter(selection.contains) }

    /// The selected row, if it is the only one.
    package var onlySelected: RowID? { selection.count == 1 ? selection.first : nil }

    /// Whether the page offers an action.
    ///
    /// - Parameter selected: As of ``selectedRows``.
    package func offers(_ action: InboxAction, _ selected: [RowID]) -> Bool {
        switch action {
        case .selectAll: return !rows.isEmpty
        case .headings: return true
        case .markAllRead: return shownAccounts.contains { $0.unread > 0 }
        case .archiveRead: return canArchiveRead
        case .refresh: return agent == .running
        case .open, .testRules: return selected.count == 1
        case .copy: return !selected.isEmpty
        case .openPictureLink: return selected.count == 1 && lists[selected[0]]?.avatarURL.isEmpty == false
        case .expand: return selected.count == 1 && row(selected[0])?.isLong == true
        case .read: return selected.contains { lists[$0]?.read == 0 }
        case .unread: return selected.contains { lists[$0].map { $0.read != 0 } ?? false }
        case .archive: return selected.contains { lists[$0]?.isArchived == false && inbox.has($0, .archive) }
        case .unarchive: return selected.contains { lists[$0]?.isArchived == true && inbox.has($0, .unarchive) }
        case .delete: return selected.contains { inbox.has($0, .delete) }
        case .snooze, .snoozeUntil: return selected.contains { lists[$0]?.isArchived == false }
        case .unsnooze: return selected.contains { lists[$0].map { $0.snoozed != 0 } ?? false }
        case .mute(let subject, _):
            guard let notification = only(selected) else { return false }
            return !notification.isMuted && !subject.value(of: notification).isEmpty
        case .unmute: return only(selected)?.isMuted == true
        case .categoryPreferences:
            return only(selected)?.category.isEmpty == false && inbox.has(selected[0], .preferences)
        case .leaveTopic: return only(selected)?.topic.isEmpty == false && inbox.has(selected[0], .topics)
        }
    }

    /// The category or topic of the only selected notification, for a menu; nil: it has none.
    package func muteValue(_ subject: MuteSubject, _ selected: [RowID]) -> String? {
        only(selected).map { subject.value(of: $0).nameLine }.flatMap { $0.isEmpty ? nil : $0 }
    }

    private func only(_ selected: [RowID]) -> NotificationRecord? { selected.count == 1 ? lists[selected[0]] : nil }

    mutating func click(_ row: RowID) -> [Effect] {
        guard isSelecting else { return open(row) }
        if selection.remove(row) == nil { selection.insert(row) }
        return []
    }

    /// Something that was opened.
    struct Opened: Equatable, Sendable {
        var row: RowID
        /// What the row has it by; nil: it is its own link.
        var link: String?
        /// Milliseconds since the Unix epoch.
        var time: Int64
    }

    /// In milliseconds: a double click opens something once.
    private static let doubleClick: Int64 = 1_000

    /// Whether something is opened that was not opened a moment ago.
    private mutating func opens(_ row: RowID, link: String? = nil) -> Bool {
        let last = lastOpened
        lastOpened = Opened(row: row, link: link, time: now)
        guard let last, last.row == row, last.link == link else { return true }
        return !(last.time..<last.time + Self.doubleClick).contains(now)
    }

    mutating func press(_ link: String, of row: RowID) -> [Effect] {
        guard opens(row, link: link) else { return [] }
        let request = InboxRequest(row.account, .invoke(row.id, action: link))
        return inbox.isArchived(byOpening: link, of: row) ? remove([row], [request]) : [.send(request)]
    }

    private mutating func open(_ row: RowID) -> [Effect] {
        guard let notification = lists[row], opens(row) else { return [] }
        inbox.lists.change([row]) { if $0.read == 0 { $0.read = now } }
        if notification.url.isEmpty {
            // Nothing to open: its text is what there is to see.
            expanded[row] = max(expanded[row] ?? 0, 1)
            let effects = notification.read == 0 ? [Effect.send(InboxRequest(row.account, .markRead([row.id])))] : []
            return effects + [announcement(ofTextOf: row)].compactMap(\.self)
        }
        let request = InboxRequest(row.account, .open(row.id))
        if inbox.isArchived(byOpening: nil, of: row) { return remove([row], [request]) }
        return [.send(request), .announce(translated("Opening its link"))]
    }

    /// Shows the next part of a row's text.
    ///
    /// - Returns: Whether there was one.
    @discardableResult mutating func showMore(_ row: RowID) -> Bool {
        let shown = expanded[row] ?? 0
        guard shown == 0 || self.row(row)?.hasMore == true else { return false }
        expanded[row] = shown + 1
        return true
    }

    mutating func act(_ action: InboxAction) -> [Effect] {
        switch action {
        case .selectAll:
            (isSelecting, selection) = (true, Set(rows))
            return []
        case .markAllRead: return offers(.markAllRead, []) ? markAllRead() : []
        case .archiveRead: return archiveRead()
        case .headings:
            hasHeadings.toggle()
            return []
        case .refresh: return shownAccounts.map { .send(InboxRequest($0.name, .refresh)) }
        case .expand:
            for row in selection { if !showMore(row) { expanded[row] = nil } }
            return [onlySelected.flatMap(announcement(ofTextOf:))].compactMap(\.self)
        case .copy: return copySelected()
        case .openPictureLink: return onlySelected.map { press(NotificationLink.picture, of: $0) } ?? []
        case .testRules: return selection.count == 1 ? selection.map(Effect.testRules) : []
        case .mute, .unmute, .categoryPreferences, .leaveTopic:
            return onlySelected.map { act(action, onThoseLike: $0) } ?? []
        default: break
        }
        let selected = selectedRows
        return isAskedBefore(action, on: selected) ? [.ask(.act(action, selected))] : act(action, on: selected)
    }

    /// Performs an action on rows, with which a selection of several ends.
    mutating func act(_ action: InboxAction, on selected: [RowID]) -> [Effect] {
        guard !selected.isEmpty else { return [] }
        defer { if isSelecting { (isSelecting, selection) = (false, []) } }
        switch action {
        case .open: return selected.count == 1 ? open(selected[0]) : []
        case .read:
            inbox.lists.change(selected) { if $0.read == 0 { $0.read = now } }
            return requests(selected) { .markRead($0) } + [announcement(marked: selected.count, asRead: true)]
        case .unread:
            inbox.lists.change(selected) { $0.read = 0 }
            return requests(selected) { .markUnread($0) } + [announcement(marked: selected.count, asRead: false)]
        case .archive: return remove(selected, .archive, deletes: false) { .archive($0) }
        case .delete: return remove(selected, .delete, deletes: true) { .delete($0) }
        case .unarchive:
            let back = selected.filter { inbox.has($0, .unarchive) }
            guard !back.isEmpty else { return [] }
            let text = translated(
                "{count} notification unarchived",
                plural: "{count} notifications unarchived",
                count: back.count
            )
            return requests(back) { .unarchive($0) } + [.announce(text)]
        case .snooze(let choice): return snooze(selected, until: choice.until(now: now))
        case .snoozeUntil: return [.askSnoozeTime(selected)]
        case .unsnooze: return requests(selected) { .unsnooze($0) } + [.announce(translated("Snooze ended"))]
        case .selectAll, .markAllRead, .archiveRead, .refresh, .expand, .copy, .openPictureLink, .testRules, .mute,
            .unmute, .categoryPreferences, .leaveTopic, .headings:
            return []
        }
    }

    /// Performs what concerns others like the notification.
    private func act(_ action: InboxAction, onThoseLike row: RowID) -> [Effect] {
        guard let notification = lists[row], offers(action, [row]) else { return [] }
        switch action {
        case .mute(let subject, let choice):
            let value = subject.value(of: notification)
            return [.mute(Mute(account: row.account, subject: subject, value: value, until: choice.until(now: now)))]
        case .unmute: return [.unmute(row)]
        case .categoryPreferences: return [.showCategory(account: row.account, notification.category)]
        case .leaveTopic: return [.leaveTopic(account: row.account, notification.topic)]
        default: return []
        }
    }

    private mutating func copySelected() -> [Effect] {
        let copied = selectedRows.compactMap { lists[$0] }
        if copied.isEmpty { return [] }
        let texts = copied.map { [$0.title, $0.body].filter { !$0.isEmpty }.joined(separator: "\n") }
        return [.copy(texts.joined(separator: "\n\n")), toast(translated("Text copied."))]
    }

    private func requests(_ rows: [RowID], _ call: ([String]) -> InboxCall) -> [Effect] {
        inbox.requests(for: rows, call).map(Effect.send)
    }

    private mutating func remove(
        _ rows: [RowID],
        _ capability: AccountState.Capability,
        deletes: Bool,
        _ call: ([String]) -> InboxCall
    ) -> [Effect] {
        let removed = rows.filter { inbox.has($0, capability) && (deletes || lists[$0]?.isArchived == false) }
        guard !removed.isEmpty else { return [toast(translated("The account's service does not support this."))] }
        return remove(removed, inbox.requests(for: removed, call), deletes: deletes)
    }

    /// Removes rows from the list with requests that the agent can take back.
    mutating func remove(_ rows: [RowID], _ requests: [InboxRequest], deletes: Bool = false) -> [Effect] {
        inbox.lists.hide(rows)
        let count = rows.count
        let text =
            deletes
            ? translated("{count} notification deleted", plural: "{count} notifications deleted", count: count)
            : translated("{count} notification archived", plural: "{count} notifications archived", count: count)
        return submitUndoable(requests, text)
    }

    // MARK: Results

    /// The limit of sentences in a dialogue.
    private static let sentenceLimit = 100

    mutating func finished(_ request: InboxRequest, _ failure: String?) -> [Effect] {
        // Shows what it is now: the change, or what it was before.
        let rows = request.call.ids.map { RowID(account: request.account, id: $0) }
        if failure == nil { inbox.lists.refresh(rows) } else { inbox.lists.unhide(rows) }
        work.end(request)
        var effects = answered(request, hasFailed: failure != nil)
        if failure != nil, request.call == .markAllRead {
            effects += inbox.lists.reload(request.account).map(Effect.list)
        }
        guard let failure, !request.call.isSilent else { return effects }
        return effects + [toast(failure)]
    }

    mutating func tested(_ row: RowID, _ result: RuleTest) -> [Effect] {
        switch result {
        case .checks(let checks):
            // A notification that has gone meanwhile is explained, too.
            let title = lists[row]?.title.nameLine ?? ""
            let sentences = RuleCheckRecord.sentences(checks).prefix(Self.sentenceLimit)
            return [.explain(title: title, sentences.map(\.sentenceLine))]
        case .failed(let reason): return [toast(reason)]
        }
    }

    mutating func muted(_ mute: Mute, _ reply: MuteReply) -> [Effect] {
        let rule: String
        switch reply {
        case .muted(let id): rule = id
        case .failed(let reason): return [toast(reason)]
        }
        let values = ["name": mute.value.nameLine, "time": LocalTime(mute.until).shown(now: now)]
        let text =
            mute.until == 0
            ? translated("\"{name}\" is muted.", values) : translated("\"{name}\" is muted until {time}.", values)
        return offerUndo(Undoable(rule: rule), text.sentenceLine)
    }

    mutating func toast(_ text: String) -> Effect {
        lastToast += 1
        return .show(Toast(number: lastToast, text: text.sentenceLine))
    }

    // MARK: Keys

    mutating func press(_ key: PageKey) -> [Effect] {
        switch key {
        case .character("r"): return act(.read)
        case .character("u"): return act(.unread)
        case .character("e"): return act(query.view == .archive ? .unarchive : .archive)
        case .character("d"), .delete: return act(.delete)
        case .character("z"): return act(.snooze(.hour))
        case .character("Z"): return act(.snoozeUntil)
        case .character("x"): return act(.expand)
        case .character("A"): return act(.markAllRead)
        case .control("a"): return act(.selectAll)
        case .control("c"): return act(.copy)
        case .control("z"): return undoable.map { undo($0.toast) } ?? []
        case .character("/"), .control("f"): return [.focusSearch]
        case .control("r"), .function(5): return act(.refresh)
        case .character("?"), .function(1): return [.showKeys]
        case .control(","): return [.showPreferences]
        case .control("w"), .control("q"): return [.quit]
        case .escape: return escape()
        default: return []
        }
    }

    private mutating func escape() -> [Effect] {
        if isSelecting { return selectSeveral(false) }
        var all = query
        (all.search, all.isUnreadOnly, all.category) = ("", false, nil)
        if all == query { all.view = .inbox }
        if all != query { return go(to: all) }
        selection = []
        return []
    }
}
