import Basics

/// Showing, replacing and closing popups.
extension Popups {
    mutating func add(_ notifications: [Notification], of account: String, isCatchUp: Bool, now: Timestamp) -> [Effect]
    {
        var new = notifications.map { Waiting(account: account, notification: $0, arrived: now) }
        new.removeAll { isKnown($0.reference) }
        let muted = applyRules(to: &new)
        let effects = muted.isEmpty ? [] : deliver(muted, now: now)
        waiting += new
        dropExcess()
        guard isCatchUp, !new.isEmpty, (catchUpExtensions ?? 0) < Self.catchUpExtensionLimit else {
            return effects + showWaiting(now: now)
        }
        catchUpExtensions = (catchUpExtensions ?? 0) + 1
        return effects + [.wait(.catchUp, Self.catchUpDelay)]
    }

    private func isKnown(_ reference: NotificationReference) -> Bool {
        marks[reference.account]?.contains(reference.id) ?? false
            || waiting.contains { $0.reference == reference }
            || inFlight.values.contains { $0.waiting.contains { $0.reference == reference } }
    }

    private mutating func dropExcess() {
        guard waiting.count > Self.waitingLimit else { return }
        let excess = waiting.prefix(waiting.count - Self.waitingLimit)
        for dropped in excess { omitted[urgency(of: dropped), default: 0] += 1 }
        waiting.removeFirst(excess.count)
    }

    /// Shows waiting notifications. Each urgency has its own popups and its own summary.
    mutating func showWaiting(now: Timestamp) -> [Effect] {
        waiting.removeAll { $0.notification.isExpired(at: now) }
        guard catchUpExtensions == nil, room != .full, !waiting.isEmpty, server == nil || !mayDiscard else { return [] }
        let digests = digests
        var effects = startDigestTimer(digests, now: now)
        let ready = digests.isEmpty ? waiting : waiting.filter { !isCollected($0, digests, now) }
        for urgency in Set(ready.map { urgency(of: $0) }).sorted(by: >) where !holds.suppresses(urgency) {
            guard server != nil else { return effects + [.needServer] }
            effects += show(digests, urgency, now: now) + show(urgency, now: now)
        }
        return effects
    }

    private mutating func show(_ urgency: UInt8, now: Timestamp) -> [Effect] {
        guard inFlight.count < Self.inFlightLimit else { return [] }
        let updates = updateThreads(urgency, now: now)
        let open = openThreads
        let group = waiting.filter { self.urgency(of: $0) == urgency && !isApart($0, open) }
        guard !group.isEmpty else { return updates }
        let count = group.count + omitted[urgency, default: 0]
        let placement = placement(of: count, urgency)
        let isSummary = placement.isSummary
        // Within a window in which a popup was shown, a summary waits for the end of the window.
        guard !isSummary || burst.count(urgency) == 0 else { return updates }
        waiting = waiting.filter { self.urgency(of: $0) != urgency || isApart($0, open) }
        let effects =
            isSummary
            ? [summarize(group, urgency, count: count, replacing: placement.replaced)]
            : group.flatMap { single($0, urgency, now: now) }
        return updates + effects + countShown(isSummary ? policy.groupAbove : count, urgency)
    }

    /// Counts popups of the rate limit.
    mutating func countShown(_ count: Int, _ urgency: UInt8) -> [Effect] {
        burst.add(count, urgency) ? [.wait(.burst, RateWindow.window)] : []
    }

    /// How waiting notifications are shown.
    struct Placement {
        /// Whether they are shown together.
        var isSummary: Bool
        /// The open popup that their summary replaces.
        var replaced: UInt32?
    }

    func placement(of count: Int, _ urgency: UInt8) -> Placement {
        let isBurst = count > policy.groupAbove - burst.count(urgency)
        let summary = shown.newest(urgency: urgency, isSummary: true)
        guard let limit = features.quirks.keptPopups else { return Placement(isSummary: isBurst, replaced: summary) }
        // The server would close the oldest popups: the newest one becomes a summary.
        let free = limit - shown.openCount - inFlight.values.reduce(0) { $0 + ($1.replaces == 0 ? 1 : 0) }
        let replaced = summary ?? (free <= 0 ? shown.newest(urgency: urgency, isSummary: false) : nil)
        let isTooMany = count > free && (count > 1 || replaced != nil)
        return Placement(isSummary: isBurst || isTooMany, replaced: replaced)
    }

    /// - Parameter id: The popup that it replaces; 0 for none.
    mutating func single(_ waiting: Waiting, _ urgency: UInt8, replacing id: UInt32 = 0, now: Timestamp) -> [Effect] {
        let effects = effects(of: waiting)
        let popup = policy.popup(
            for: waiting.notification,
            of: waiting.account,
            effects: effects,
            features: features,
            hidesText: hidesText,
            now: now
        )
        var open = OpenPopup(
            references: [waiting.reference],
            count: 1,
            buttons: popup.buttons,
            urgency: urgency,
            expires: waiting.notification.expires,
            // A later summary may replace it where the number of popups is limited.
            titles: features.quirks.keptPopups == nil ? [] : [popup.summary],
            isSummary: false
        )
        if let effects {
            open.thread = waiting.thread
            open.markSeen = effects.markSeen
            open.isResident = effects.isResident
        }
        let kept = KeptPopup(open: open, popup: popup)
        guard let picture = picture(of: waiting.notification) else { return [notify([waiting], kept, replacing: id)] }
        var call = InFlight(waiting: [waiting], kept: kept, replaces: id)
        // The call follows the end of the popup that was closed for it.
        guard waiting.hasRoom else { return hold(call, for: picture, since: now) }
        call.picture = .missing(picture)
        let request = nextRequest()
        inFlight[request] = call
        return [.notify(request, popup, replacing: id), .loadPicture(picture)]
    }

    /// Shows a summary, which includes the popup that it replaces.
    mutating func summarize(
        _ group: [Waiting],
        _ urgency: UInt8,
        count: Int,
        replacing replaced: UInt32?
    ) -> Effect {
        let before = replaced.flatMap { shown[$0] }
        omitted[urgency] = nil
        let titles = group.suffix(PopupPolicy.summaryTitles).reversed().map { policy.title(of: $0.notification) }
        let total = count + (before?.count ?? 0)
        let named = Array((titles + (before?.titles ?? [])).prefix(PopupPolicy.summaryTitles))
        var common = commonEffects(of: group)
        if hidesText { common?.icon = nil }
        let popup = policy.summary(
            of: total,
            titles: hidesText ? [] : named,
            urgency: urgency,
            effects: common,
            features: features
        )
        var open = OpenPopup(
            references: ((before?.references ?? []) + group.map(\.reference)).suffix(Self.summaryLimit),
            count: total,
            buttons: popup.buttons,
            urgency: urgency,
            titles: named,
            isSummary: true
        )
        open.markSeen = common?.markSeen
        return notify(group, KeptPopup(open: open, popup: popup), replacing: replaced ?? 0)
    }

    var hidesText: Bool { isLocked && policy.locked == .hideText }

    mutating func notify(_ waiting: [Waiting], _ kept: KeptPopup, replacing id: UInt32) -> Effect {
        let request = nextRequest()
        inFlight[request] = InFlight(waiting: waiting, kept: kept, replaces: id)
        return .notify(request, kept.popup, replacing: id)
    }

    // MARK: Replies

    /// Handles the reply to `Notify`. notify-osd and dunst return id 0 for a popup that they do not keep; then there is
    /// nothing to track.
    mutating func register(_ request: Request, id: UInt32, now: Timestamp) -> [Effect] {
        guard let call = inFlight.removeValue(forKey: request), let server else { return [] }
        var effects = deliver(call.waiting, now: now) + acceptAgain()
        if (call.kept.open.markSeen ?? policy.markSeen) == .shown, !call.waiting.isEmpty {
            effects.append(.seen(call.waiting.map(\.reference)))
        }
        if call.replaces != 0, call.replaces != id { effects += forget([call.replaces]) }
        guard id != 0 else { return effects }
        guard !call.isWithdrawn, !isOutdated(call) else { return effects + [.close(id: id)] }
        effects += forget(shown.excess(adding: id, limit: Self.shownLimit))
        shown.add(opened(call.kept, now: now), id: id)
        effects.append(.keep(server: server, id: id, call.kept))
        if call.kept.open.expires != nil { effects += expire(now: now) }
        return effects + handlePendingSignals(of: id) + completePicture(of: call, id: id)
    }

    /// A popup that is open since now.
    private func opened(_ kept: KeptPopup, now: Timestamp) -> OpenPopup {
        var popup = kept.open
        if features.quirks.reportsDismissalAsExpiry, kept.popup.timeout >= 0 {
            let timeout = Int64(kept.popup.timeout)
            popup.timesOut = timeout == 0 ? Timestamp(milliseconds: .max) : now.advanced(milliseconds: timeout)
        }
        return popup
    }

    /// Handles a failed `Notify`. A running server that rejected the popup is retried once, after a window, when a
    /// burst is over.
    mutating func requeue(_ request: Request, retry: Bool) -> [Effect] {
        guard let call = inFlight.removeValue(forKey: request) else { return [] }
        var back = call.undelivered
        guard server != nil else {
            if retry { waiting.insert(contentsOf: back, at: 0) }
            return []
        }
        for index in back.indices { back[index].rejections += 1 }
        waiting.insert(contentsOf: back.filter { $0.rejections < 2 }, at: 0)
        let isFirst = burst.add(policy.groupAbove, call.kept.open.urgency)
        return isFirst ? [.wait(.burst, RateWindow.window)] : []
    }

    // MARK: Expiry and withdrawal

    /// Closes popups of expired notifications, and starts the timer for the next expiry.
    mutating func expire(now: Timestamp) -> [Effect] {
        let expired = shown.expired(at: now)
        let effects = forget(expired) + expired.map { .close(id: $0) }
        guard let next = shown.nextExpiry else { return effects }
        return effects + [.wait(.expiry, min(now.duration(to: next), Self.longestWait))]
    }

    /// Closes popups whose notifications are all withdrawn. A summary stays while one of its notifications does.
    ///
    /// - Parameter isKept: The popups that stay as they are.
    mutating func withdraw(
        except isKept: (OpenPopup) -> Bool = { _ in false },
        _ isWithdrawn: (NotificationReference) -> Bool
    ) -> [Effect] {
        waiting.removeAll { isWithdrawn($0.reference) }
        for (request, call) in inFlight where !isKept(call.kept.open) {
            if inFlight[request]?.kept.open.withdraw(isWithdrawn) == true { inFlight[request]?.isWithdrawn = true }
        }
        let emptied = shown.withdraw(except: isKept, isWithdrawn)
        return forget(emptied) + emptied.map { .close(id: $0) }
    }

    /// Stops tracking these popups.
    mutating func forget(_ ids: some Sequence<UInt32>) -> [Effect] {
        let known = shown.remove(ids)
        guard !known.isEmpty, let server else { return [] }
        return [.forget(server: server, ids: known)]
    }
}
