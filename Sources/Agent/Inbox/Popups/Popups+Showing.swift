import Basics

/// Showing, replacing and closing popups.
extension Popups {
    /// - Parameter wasSnoozed: Whether they are shown also if they were before.
    mutating func add(
        _ notifications: [Notification],
        of account: String,
        isCatchUp: Bool,
        wasSnoozed: Bool = false,
        now: Timestamp
    ) -> [Effect] {
        var new = notifications.map {
            Waiting(account: account, notification: $0, arrived: now, wasSnoozed: wasSnoozed)
        }
        new.removeAll { wasSnoozed ? isBeingShown($0.reference) : isKnown($0.reference) }
        let unconfirmed = removeUnconfirmed(from: &new)
        let (muted, reports) = applyRules(to: &new)
        let done = unconfirmed + muted
        let effects = reports + (done.isEmpty ? [] : deliver(done, now: now))
        waiting += new
        dropExcess()
        guard isCatchUp, !new.isEmpty, (catchUpExtensions ?? 0) < Self.catchUpExtensionLimit else {
            return effects + showWaiting(now: now)
        }
        catchUpExtensions = (catchUpExtensions ?? 0) + 1
        return effects + [.wait(.catchUp, Self.catchUpDelay)]
    }

    private func isKnown(_ reference: NotificationReference) -> Bool {
        marks[reference.account]?.contains(reference.id) ?? false || isBeingShown(reference)
    }

    private func isBeingShown(_ reference: NotificationReference) -> Bool {
        waiting.contains { $0.reference == reference }
            || calls.contains { $0.waiting.contains { $0.reference == reference } }
    }

    private mutating func dropExcess() {
        guard waiting.count > Self.waitingLimit else { return }
        let excess = waiting.prefix(waiting.count - Self.waitingLimit)
        for dropped in excess { omitted[urgency(of: dropped), default: 0] += 1 }
        waiting.removeFirst(excess.count)
    }

    /// Shows waiting notifications. Each urgency has its own popups and its own summary.
    ///
    /// - Parameter ended: The window that has just ended. If more came in it than are shown one by one, a summary takes
    ///   the place of its popups.
    mutating func showWaiting(now: Timestamp, after ended: RateWindow = RateWindow()) -> [Effect] {
        waiting.removeAll { $0.notification.isExpired(at: now) }
        guard catchUpExtensions == nil, capacity != .full, !waiting.isEmpty, server == nil || !mayDiscard,
            calls.count(where: { $0.request == nil }) < Self.queueLimit
        else { return [] }
        let digests = digests
        var effects = startDigestTimer(digests, now: now)
        let ready = waiting.filter { !isHeld($0) && !isCollected($0, digests, now) }
        for urgency in Set(ready.map { urgency(of: $0) }).sorted(by: >) where !capacity.excludes(urgency) {
            guard server != nil else { return effects + [.needServer] }
            effects += show(digests, urgency, now: now) + show(urgency, now: now, after: ended)
        }
        return effects
    }

    private mutating func show(_ urgency: UInt8, now: Timestamp, after ended: RateWindow) -> [Effect] {
        let updates = updateThreads(urgency, now: now)
        let open = openThreads
        let group = waiting.filter { self.urgency(of: $0) == urgency && !isApart($0, open) && !isHeld($0) }
        guard !group.isEmpty else { return updates }
        let count = group.count + omitted[urgency, default: 0]
        let singles = shown.singles(of: ended.singles, urgency: urgency)
        let placement = placement(of: count, urgency, merging: singles)
        guard !placement.waitsForReply else { return updates }
        let isSummary = placement.isSummary || together.contains(urgency) && count > 1
        // Within a window in which a popup was shown, a summary waits for the end of the window.
        guard !isSummary || burst.count(urgency) == 0 else { return updates }
        together.remove(urgency)
        let references = Set(group.map(\.reference))
        waiting.removeAll { references.contains($0.reference) }
        if isSummary {
            summarize(group, urgency, count: count, replacing: placement.replaced, merging: singles)
            return updates + countShown(policy.groupAbove, urgency)
        }
        return updates + group.flatMap { single($0, urgency, now: now) }
            + countShown(count, urgency, singles: group.map(\.reference))
    }

    /// Counts popups of the rate limit.
    ///
    /// - Parameter singles: The notifications that are shown one by one.
    mutating func countShown(_ count: Int, _ urgency: UInt8, singles: [NotificationReference] = []) -> [Effect] {
        burst.add(count, urgency, singles: singles) ? [.wait(.burst, RateWindow.window)] : []
    }

    /// How waiting notifications are shown.
    struct Placement {
        /// Whether they are shown together.
        var isSummary: Bool
        /// The open popup that their summary replaces.
        var replaced: UInt32?
        /// Whether they would not be shown, and can be part of a popup that is being sent.
        var waitsForReply = false
    }

    /// - Parameter singles: Open popups that a summary represents, too.
    func placement(of count: Int, _ urgency: UInt8, merging singles: [UInt32] = []) -> Placement {
        let isBurst = count + singles.count > policy.groupAbove - burst.count(urgency)
        let single = features.quirks.dropsQueued ? singles.first : singles.last
        let summary = shown.newest(urgency: urgency, isSummary: true) ?? single
        guard let limit = features.quirks.keptPopups else { return Placement(isSummary: isBurst, replaced: summary) }
        // The server would close the oldest popups: the newest one becomes a summary.
        let free = limit - shown.openCount - calls.count { $0.replaces == 0 }
        let replaced = summary ?? (free <= 0 ? shown.newest(urgency: urgency, isSummary: false) : nil)
        let isTooMany = count > free && (count > 1 || replaced != nil)
        let isBeingSent = calls.contains { $0.replaces == 0 && $0.kept.open.urgency == urgency }
        return Placement(
            isSummary: isBurst || isTooMany,
            replaced: replaced,
            waitsForReply: features.quirks.replacesByClosing && free <= 0 && replaced == nil && isBeingSent
        )
    }

    /// - Parameter id: The popup that it replaces; 0 for none.
    mutating func single(_ waiting: Waiting, _ urgency: UInt8, replacing id: UInt32 = 0, now: Timestamp) -> [Effect] {
        let effects = effects(of: waiting)
        let popup = policy.popup(
            for: waiting.notification,
            of: waiting.account,
            effects: effects,
            features: features,
            now: now
        )
        var open = OpenPopup(
            references: [waiting.reference],
            count: 1,
            buttons: popup.buttons,
            urgency: urgency,
            expires: waiting.notification.expires,
            // A later summary may replace it.
            titles: [popup.summary],
            isSummary: false
        )
        if let effects {
            open.thread = waiting.thread
            open.markSeen = effects.markSeen
            open.isResident = effects.isResident
        }
        let kept = SavedPopup(open: open, popup: popup)
        let earlier = open.thread.map(shown.listed) ?? []
        let call = Call(waiting: [waiting], kept: kept, replaces: id, merges: earlier)
        let picture = picture(of: waiting.notification, waiting.account)
        if let picture { return hold(call, for: picture, since: now) }
        calls.append(call)
        return []
    }

    /// Shows a summary, which includes the popup that it replaces and those that it merges.
    mutating func summarize(
        _ group: [Waiting],
        _ urgency: UInt8,
        count: Int,
        replacing replaced: UInt32?,
        merging merged: [UInt32] = []
    ) {
        let merged = merged.filter { $0 != replaced }
        // Oldest first.
        let before = ((replaced.map { [$0] } ?? []) + merged).sorted().compactMap { shown[$0] }
        if !group.isEmpty { omitted[urgency] = nil }
        let titles = group.suffix(PopupPolicy.summaryTitles).reversed().map { policy.title(of: $0.notification) }
        let total = count + before.reduce(0) { $0 + $1.count }
        let named = Array((titles + before.reversed().flatMap(\.titles)).prefix(PopupPolicy.summaryTitles))
        let common = commonEffects(of: group)
        let popup = policy.summary(
            of: total,
            titles: named,
            urgency: urgency,
            effects: common,
            features: features
        )
        var open = OpenPopup(
            references: (before.flatMap(\.references) + group.map(\.reference)).suffix(Self.summaryLimit),
            count: total,
            buttons: popup.buttons,
            urgency: urgency,
            titles: named,
            isSummary: true
        )
        open.markSeen = common?.markSeen
        let kept = SavedPopup(open: open, popup: popup)
        calls.append(Call(waiting: group, kept: kept, replaces: replaced ?? 0, merges: merged))
    }

    // MARK: Expiry and withdrawal

    /// Closes popups of expired notifications, and starts the timer for the next expiry.
    mutating func expire(now: Timestamp) -> [Effect] {
        let expired = shown.expired(at: now)
        let effects = discard(expired) + expired.map { .close(id: $0) }
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
        for index in calls.indices where !isKept(calls[index].kept.open) {
            _ = calls[index].kept.open.withdraw(isWithdrawn)
        }
        let emptied = shown.withdraw(except: isKept, isWithdrawn)
        return discard(emptied) + emptied.map { .close(id: $0) }
    }

    /// Stops tracking these popups.
    mutating func discard(_ ids: some Sequence<UInt32>) -> [Effect] {
        let known = shown.remove(ids)
        guard !known.isEmpty, let server else { return [] }
        let hasRoom = if case .taken = capacity { true } else { false }
        return [.forget(server: server, ids: known)] + (hasRoom ? [.wait(.full, Self.closingTime)] : [])
    }
}
