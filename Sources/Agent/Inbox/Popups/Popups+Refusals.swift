import Basics

/// A new popup that the server has confirmed. Some servers report at once that it has expired, which means that they do
/// not show it.
struct ConfirmedPopup: Equatable, Sendable {
    var id: UInt32
    /// The notifications to show again if it is not shown.
    var waiting: [Popups.Waiting]
    var time: Timestamp

    /// Whether the popup was confirmed just now.
    func isRecent(_ now: Timestamp) -> Bool { (0...Popups.refusalTime).contains(now.milliseconds - time.milliseconds) }
}

/// What it means that a server reports a popup as expired at the moment when it or another one is shown: the server did
/// not show it, because there are too many (Budgie), or has merged it with another that looks the same (dunst).
extension Popups {
    /// Whether the server has reported the end of a new popup before it has confirmed that popup.
    func isRefused(_ call: Call, id: UInt32) -> Bool {
        call.replaces != id && canBeRefused && signals.hasPending(.closed(Self.expired), of: id)
    }

    /// A busy computer may handle the signal late, but then beside the reply.
    private func isJustShown(_ popup: ConfirmedPopup) -> Bool { isBesideReply || now.map(popup.isRecent) ?? false }

    /// A server that reports a dismissal as an expiry may mean that.
    private var canBeRefused: Bool { !features.quirks.reportsDismissalAsExpiry }

    /// Handles the end of the popup that was confirmed last, unless it is too late to mean that it was not shown.
    mutating func refuse(_ id: UInt32, _ popup: OpenPopup) -> [Effect]? {
        guard canBeRefused, let now, let confirmed, confirmed.id == id, isJustShown(confirmed) else { return nil }
        self.confirmed = nil
        let references = Set(popup.references)
        let back = confirmed.waiting.filter { references.contains($0.reference) }
        return discard([id]) + putBack(back, popup.urgency, now: now)
    }

    /// Keeps the notifications of a popup that was not shown until one of our popups is closed. If none is open, those
    /// of others or a setting may be the reason: they are tried once more, and then count as shown, because the server
    /// has them in its list.
    mutating func putBack(_ notifications: [Waiting], _ urgency: UInt8, now: Timestamp) -> [Effect] {
        var back = notifications
        let isWaitingForUs = shown.isAnyOpen
        if !isWaitingForUs {
            for index in back.indices { back[index].refusals += 1 }
        }
        let given = back.filter { $0.refusals > 1 }
        back.removeAll { $0.refusals > 1 }
        waiting.insert(contentsOf: back, at: 0)
        var effects = given.isEmpty ? [] : deliver(given, now: now)
        guard !back.isEmpty else { return effects + acceptAgain(urgency) }
        if !capacity.isReportedAsFull { effects.append(.respond(.serverIsFull(true))) }
        let highest = if case .taken(let limit) = capacity { max(limit, urgency) } else { urgency }
        capacity = .taken(highest)
        return effects + (isWaitingForUs ? [] : [.wait(.full, Self.fullInterval)])
    }

    /// Moves the notifications of a popup that has ended to one that looks the same and is just being shown.
    ///
    /// - Returns: nil: there is none.
    mutating func merge(_ id: UInt32, _ older: OpenPopup) -> [Effect]? {
        // It closes the oldest popup for a new one.
        guard features.quirks.keptPopups == nil, let content = older.content, let server else { return nil }
        if let index = calls.firstIndex(where: \.isInFlight), calls[index].replaces != id,
            calls[index].kept.popup.looksLike(content)
        {
            calls[index].kept.open.include(older)
            return leave(id)
        }
        guard let confirmed, confirmed.id != id, isJustShown(confirmed), var newer = shown[confirmed.id],
            let popup = newer.content, popup.looksLike(content)
        else { return nil }
        newer.include(older)
        shown.add(newer, id: confirmed.id)
        return leave(id) + [.keep(server: server, id: confirmed.id, SavedPopup(open: newer, popup: popup))]
    }
}
