import Basics

/// `Notify` calls, from the effect to the reply. A stopped server shows a popup when it reads again, possibly minutes
/// later, so a call is in flight until its reply, or until its server has ended; then the next server gets it.
extension Popups {
    /// How far a call is.
    enum Stage: Equatable {
        /// It waits for the calls before it, or for its picture.
        case queued
        /// It was sent and not answered yet.
        case sent
        /// It was sent, and there will be no reply: the popup may be shown later, under an unknown id.
        case unanswered
    }

    /// Whether a call is still needed. Of a withdrawn notification only a popup that was already sent is shown, and
    /// closed then.
    package func needs(_ request: Request) -> Bool { inFlight[request].map { !$0.isWithdrawn } ?? false }

    /// Whether the popup that a call replaces has to be closed for it: the server would not show another in its place.
    package func closesReplaced(_ request: Request) -> Bool {
        let quirks = features.quirks
        guard let call = inFlight[request], !call.isUpdate, let replaced = shown[call.replaces] else {
            return quirks.replacesByClosing
        }
        let isChanged = replaced.content?.urgency != call.kept.popup.urgency
        return quirks.replacesByClosing || quirks.listsLowUrgency && isChanged
            || quirks.dropsQueued && !shown.isOldest(call.replaces)
    }

    /// The number of calls that are in flight and may be answered.
    var callCount: Int { inFlight.values.count { $0.stage != .unanswered } }

    mutating func notify(
        _ waiting: [Waiting],
        _ kept: SavedPopup,
        replacing id: UInt32,
        merging merged: [UInt32] = []
    ) -> Effect {
        notify(InFlight(waiting: waiting, kept: kept, replaces: id, merges: merged))
    }

    mutating func notify(_ call: InFlight) -> Effect {
        let request = nextRequest()
        inFlight[request] = call
        return notify(request, call)
    }

    /// Makes a call. Here, and only here, texts are hidden.
    mutating func notify(_ request: Request, _ call: InFlight) -> Effect {
        var call = call
        call.kept = hidingText(call.kept)
        inFlight[request] = call
        return .notify(request, call.kept.popup, replacing: call.replaces)
    }

    /// Replaces a popup by the same with other contents, or by itself.
    mutating func update(_ kept: SavedPopup, id: UInt32, isRepeated: Bool = false) -> Effect {
        notify(InFlight(waiting: [], kept: kept, replaces: id, isUpdate: true, isRepeated: isRepeated))
    }

    /// Whether the popup that the call updates was closed meanwhile. Then the server may have shown it again.
    private func isOutdated(_ call: InFlight) -> Bool {
        call.isUpdate && shown[call.replaces].map { $0.standing == .closed } ?? true
    }

    /// Handles the reply to `Notify`. notify-osd and dunst return id 0 for a popup that they do not keep; then there is
    /// nothing to track.
    mutating func register(_ request: Request, id: UInt32, now: Timestamp) -> [Effect] {
        guard let call = inFlight.removeValue(forKey: request), let server else { return [] }
        if isRefused(call, id: id) {
            _ = signals.takePending(of: id)
            if callCount == 0 { signals.discardPending() }
            return putBack(call.undelivered, call.kept.open.urgency, now: now)
        }
        var effects = deliver(call.waiting, now: now) + acceptAgain(call.kept.open.urgency)
        if (call.kept.open.markSeen ?? policy.markSeen) == .shown, !call.waiting.isEmpty {
            effects.append(.respond(.seen(call.waiting.map(\.reference))))
        }
        let isOutdated = isOutdated(call)
        if call.replaces != 0, call.replaces != id { effects += discard([call.replaces]) }
        let merged = call.merges.filter { shown[$0] != nil }
        effects += discard(merged) + merged.map { .close(id: $0) }
        guard id != 0 else { return effects }
        guard !call.isWithdrawn, !isOutdated else { return effects + [.close(id: id)] }
        effects += discard(shown.excess(adding: id, limit: Self.shownLimit))
        shown.add(opened(call.kept, now: now), id: id)
        effects.append(.keep(server: server, id: id, call.kept))
        if call.replaces != id { confirmed = ConfirmedPopup(id: id, waiting: call.waiting, time: now) }
        if call.kept.open.expires != nil { effects += expire(now: now) }
        return effects + handlePendingSignals(of: id) + completePicture(of: call, id: id) + adapt([id])
    }

    /// A popup that is open since now.
    private func opened(_ kept: SavedPopup, now: Timestamp) -> OpenPopup {
        var popup = kept.open
        popup.content = kept.popup
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
        return (isFirst ? [.wait(.burst, RateWindow.window)] : []) + keepForRevival(call)
    }

    // MARK: Missing replies

    /// Handles a call without a reply. It is not repeated: its server shows it when it reads again.
    mutating func missReply(_ request: Request, now: Timestamp) -> [Effect] {
        inFlight[request]?.stage = .unanswered
        let unanswered = unansweredRequests
        return unanswered.prefix(max(0, unanswered.count - Self.inFlightLimit)).flatMap {
            register($0, id: 0, now: now)
        }
    }

    /// A server shows popups in the order of the calls: when it has answered one, those before it were shown.
    mutating func settleUnanswered(now: Timestamp) -> [Effect] {
        unansweredRequests.flatMap { register($0, id: 0, now: now) }
    }

    /// The oldest first.
    private var unansweredRequests: [Request] {
        inFlight.filter { $0.value.stage == .unanswered }.keys.sorted { $0.number < $1.number }
    }

    /// Saves the notifications of the calls that were sent and not answered: if the same server still runs in the next
    /// run of the agent, it shows their popups itself. They are saved as one popup with the id 0, which no popup has.
    func keepUnconfirmed() -> [Effect] {
        let sent = inFlight.filter { $0.value.stage != .queued }.sorted { $0.key.number < $1.key.number }
        let references = sent.flatMap { $0.value.waiting.map(\.reference) }
        guard let server, !references.isEmpty else { return [] }
        let open = OpenPopup(
            references: references.suffix(Self.summaryLimit),
            count: references.count,
            buttons: [],
            urgency: 1,
            titles: [],
            isSummary: true
        )
        return [.keep(server: server, id: 0, SavedPopup(open: open, popup: Popup(summary: "", body: "")))]
    }

    /// Removes the notifications whose popups the previous run has sent to this server, and returns them.
    func removeUnconfirmed(from waiting: inout [Waiting]) -> [Waiting] {
        guard !unconfirmed.isEmpty else { return [] }
        let confirmed = waiting.filter { unconfirmed.contains($0.reference) }
        waiting.removeAll { unconfirmed.contains($0.reference) }
        return confirmed
    }
}
