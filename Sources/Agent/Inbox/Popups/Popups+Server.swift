import Basics

/// Events of the server: it appears, vanishes, rejects popups beyond its limit, and emits signals.
extension Popups {
    mutating func appear(
        _ server: String,
        _ features: ServerFeatures,
        _ closed: Set<UInt32>?,
        _ alias: String?,
        now: Timestamp
    ) -> [Effect] {
        let early = self.server == nil ? signals.pending : []
        var effects = server == self.server ? [] : discardServer()
        let isNew = self.server == nil
        self.server = server
        self.features = features
        self.alias = alias
        guard isNew else {
            takeBack()
            return showWaiting(now: now)
        }
        effects.append(.forgetServers(except: server))
        var kept = restored.removeValue(forKey: server) ?? [:]
        restored = [:]
        let sent = kept.removeValue(forKey: 0)?.open.references ?? []
        unconfirmed = features.quirks.closesWithSender ? [] : Set(sent)
        let confirmed = removeUnconfirmed(from: &waiting)
        if !confirmed.isEmpty { effects += deliver(confirmed, now: now) }
        shown = OpenPopups(kept.mapValues(restoring))
        for signal in early { effects += receive(signal) }
        effects += discard(closed ?? []) + expire(now: now)
        if features.quirks.closesWithSender {
            for id in shown.ids { if let kept = kept[id] { list(kept, as: id) } }
        } else if closed != nil {
            calls += shown.ids.compactMap { id in kept[id].map { Call(waiting: [], kept: $0, replaces: id) } }
        } else if features.quirks.forgetsSender {
            for id in shown.ids.suffix(Self.revivalLimit) { if let kept = kept[id] { revive(kept, id: id) } }
        }
        return effects + showWaiting(now: now)
    }

    /// Puts a popup of the previous run back into the server's list, which has closed it with the connection of that
    /// run. It gets no banner: the user has seen that.
    ///
    /// - Parameter id: Its id in the previous run.
    private mutating func list(_ kept: SavedPopup, as id: UInt32) {
        var kept = kept
        kept.open = shown[id] ?? kept.open
        kept.open.standing = .listed
        kept.open.isRestored = false
        kept.popup.urgency = Popup.low
        update(kept, id: id)
    }

    /// Replaces a popup of the previous run by itself, silently, so that clicks on it reach this connection. An open
    /// one stays where it is, and one in the server's list stays there.
    private mutating func revive(_ kept: SavedPopup, id: UInt32) {
        var kept = kept
        kept.popup.sound = .silent
        update(kept, id: id)
    }

    /// Keeps a popup whose replacement by itself failed, for one more attempt.
    mutating func keepForRevival(_ call: Call) -> [Effect] {
        guard features.quirks.forgetsSender, call.isUpdate, !call.isRepeated, shown[call.replaces]?.isRestored == true
        else { return [] }
        unrevived[call.replaces] = call.kept
        return [.wait(.revival, Self.revivalDelay)]
    }

    mutating func reviveAgain() {
        for id in shown.ids { if let kept = unrevived[id] { update(kept, id: id, isRepeated: true) } }
        unrevived = [:]
    }

    /// A popup of the previous run on the same server.
    private func restoring(_ kept: SavedPopup) -> OpenPopup {
        var popup = kept.open
        popup.content = kept.popup
        popup.isRestored = true
        if features.quirks.replacesOnlyOwn || features.quirks.closesWithSender { popup.standing = .foreign }
        // Budgie's last for seconds.
        if features.quirks.restoresClosed || features.quirks.replacesByClosing { popup.standing = .closed }
        return popup
    }

    mutating func loseServer() -> [Effect] {
        let effects = discardServer()
        return effects
            + (hasReady(now: now) ? [.needServer] : [])
    }

    private mutating func discardServer() -> [Effect] {
        let effects = acceptAgain()
        server = nil
        alias = nil
        confirmed = nil
        signals = ServerSignals()
        shown = OpenPopups()
        unconfirmed = []
        unrevived = [:]
        waiting.insert(contentsOf: calls.flatMap(\.undelivered), at: 0)
        calls = []
        return effects
    }

    // MARK: The limit of popups

    /// Retries a rejected popup in the place of the oldest one. If it is rejected again, it is retried later.
    mutating func makeRoom(for request: Request) -> [Effect] {
        guard var call = take(request), !call.undelivered.isEmpty else { return [] }
        let replaced = Set(calls.map(\.replaces))
        if capacity != .full, !call.makesRoom, let oldest = shown.ids.first(where: { !replaced.contains($0) }) {
            (call.request, call.isSent, call.makesRoom, call.replaces) = (nil, false, true, oldest)
            calls.insert(call, at: 0)
            return discard([oldest])
        }
        waiting.insert(contentsOf: call.undelivered, at: 0)
        guard capacity != .full else { return [] }
        let effects: [Effect] = capacity.isReportedAsFull ? [] : [.respond(.serverIsFull(true))]
        capacity = .full
        return effects + [.wait(.full, Self.fullInterval)]
    }

    /// Retries waiting popups; if one is rejected again, another popup is closed for it.
    mutating func retryFullServer(now: Timestamp) -> [Effect] {
        guard capacity.isExhausted else { return [] }
        capacity = .retrying
        return (waiting.isEmpty && calls.isEmpty ? acceptAgain() : []) + showWaiting(now: now)
    }

    /// The server has accepted a popup, or has no popup to reject.
    ///
    /// - Parameter urgency: That of the popup.
    mutating func acceptAgain(_ urgency: UInt8 = Popup.low) -> [Effect] {
        if case .taken(let limit) = capacity, urgency > limit { return [] }
        defer { capacity = .available }
        return capacity.isReportedAsFull ? [.respond(.serverIsFull(false))] : []
    }

    // MARK: Signals

    mutating func receive(_ signal: ServerSignal) -> [Effect] {
        guard signal.server == server || signal.server == alias else {
            // The server's capabilities are not known yet; its popups may be those of the previous run.
            if server == nil, restored.values.contains(where: { $0[signal.id] != nil }) { signals.keep(signal) }
            return []
        }
        guard alias == nil || !signals.isSecondCopy(signal) else { return [] }
        guard shown[signal.id] != nil else {
            if calls.contains(where: \.isInFlight) { signals.keep(signal) }
            return []
        }
        let effects = handle(signal)
        // The server may accept popups again.
        return capacity == .full ? effects + [.wait(.full, .zero)] : effects
    }

    mutating func handle(_ signal: ServerSignal) -> [Effect] {
        guard let popup = shown[signal.id] else { return [] }
        switch signal.content {
        case .token(let token):
            shown.setToken(token, of: signal.id)
            return []
        case .action(let key):
            // Some servers emit `default` although it was not offered.
            let button = popup.buttons.first { $0.key == key }
            guard button != nil || key == Popup.defaultKey else { return [] }
            let effects =
                popup.isSummary
                ? [.respond(.seen(popup.references)), openInbox(popup)] : clicked(key, button, of: popup)
            guard !popup.isResident else {
                shown.setToken("", of: signal.id)
                return effects
            }
            return effects + leave(signal.id) + [.close(id: signal.id)]
        case .closed(let reason):
            guard popup.standing != .putAway else { return [] }
            // It ended with the connection that showed it, and is being listed again.
            guard popup.standing != .foreign || !features.quirks.closesWithSender else { return [] }
            if reason == Self.expired, let effects = merge(signal.id, popup) ?? refuse(signal.id, popup) {
                return effects
            }
            let isSeen =
                isDismissal(reason, of: popup) && !isEviction(signal.id)
                && (popup.markSeen ?? policy.markSeen) == .dismissed
            return (isSeen ? [.respond(.seen(popup.references))] : []) + leave(signal.id)
        }
    }

    /// A click on the popup of one notification, or of several that look the same. The button is that of the newest.
    private func clicked(_ key: String, _ button: Popup.Button?, of popup: OpenPopup) -> [Effect] {
        if let action = PopupAction(key: key) { return popup.references.map { .respond(.chosen(action, $0)) } }
        guard let newest = popup.references.last else { return [] }
        let others = popup.references.dropLast()
        return (others.isEmpty ? [] : [.respond(.seen(Array(others)))])
            + [.respond(.activated(newest, button?.url, key: key, token: popup.token))]
    }

    private func openInbox(_ summary: OpenPopup) -> Effect {
        .respond(.openInbox(accounts: summary.accounts, newest: summary.references.last, token: summary.token))
    }

    /// The time in milliseconds by which an expiry may be reported before the end of the timeout.
    private static let timeoutTolerance: Int64 = 250

    private func isDismissal(_ reason: UInt32, of popup: OpenPopup) -> Bool {
        // A popup that was shown again is closed for the second time.
        guard popup.standing != .closed else { return false }
        if reason == Self.expired, let end = popup.timesOut, let now {
            return now < end.advanced(milliseconds: -Self.timeoutTolerance)
        }
        return features.quirks.dismissalReasons.contains(reason)
    }

    /// Whether the server closes this popup to make room for another, which some servers report as a dismissal: it is
    /// the oldest one that is known to be open, and a new one is just being shown, or there are more than the server
    /// keeps. A user who dismisses it in that moment leaves its notification unseen, which is the lesser mistake.
    private func isEviction(_ id: UInt32) -> Bool {
        guard shown.isOldest(id) else { return false }
        if let limit = features.quirks.keptPopups, shown.openCount > limit { return true }
        return isBesideReply && shown.ids.last != id
            || calls.contains { $0.isInFlight && $0.replaces == 0 }
    }

    /// Handles the end of a popup.
    mutating func leave(_ id: UInt32) -> [Effect] {
        guard features.quirks.restoresClosed else { return discard([id]) }
        shown.setClosed(id)
        return discard(shown.excessClosed(limit: Self.closedLimit))
    }
}
