import Basics

/// `Notify` calls: popups wait in a queue, and the next one is sent when the server has answered the one before. A
/// stopped server shows a popup when it reads again, possibly minutes later, so a call is in flight until its reply, or
/// until its server has ended; then the next server gets it. Nothing but further popups waits for that.
extension Popups {
    /// A popup to show.
    struct Call: Equatable {
        /// Empty if a popup is shown again in its place: as it may be shown now, or so that its signals reach this
        /// connection.
        var waiting: [Waiting]
        var kept: SavedPopup
        /// The id of the popup that it replaces; 0 for none.
        var replaces: UInt32
        /// The popups that it represents, too, and that are closed when it is shown.
        var merges: [UInt32] = []
        var picture = AwaitedPicture.none
        /// Whether the call only completes the popup that it replaces, or puts it back.
        var isUpdate = false
        /// Whether the call repeats one that failed.
        var isRepeated = false
        /// Whether the popup that it replaces is closed to make room for it on a full server.
        var makesRoom = false
        /// nil: it is queued.
        var request: Request?
        var isSent = false
        /// Whether the call was sent and there will be no reply: the popup may be shown later, under an unknown id.
        var isUnanswered = false

        var isInFlight: Bool { isSent && !isUnanswered }
        var isWithdrawn: Bool { kept.open.references.isEmpty }

        /// The notifications to show again if the call failed.
        var undelivered: [Waiting] {
            let references = Set(kept.open.references)
            return waiting.filter { references.contains($0.reference) }
        }
    }

    /// Whether a call is still to be sent: it is not if its notifications were withdrawn, or its popup is made again.
    package func needs(_ request: Request) -> Bool { index(of: request) != nil }

    /// Whether the popup that a call replaces has to be closed for it: the server would not show another in its place.
    package func closesReplaced(_ request: Request) -> Bool {
        let quirks = features.quirks
        guard let call = calls.first(where: { $0.request == request }) else { return false }
        if call.makesRoom { return true }
        guard !call.isUpdate, let replaced = shown[call.replaces] else { return quirks.replacesByClosing }
        let isChanged = replaced.content?.urgency != call.kept.popup.urgency
        return quirks.replacesByClosing || quirks.listsLowUrgency && isChanged
            || quirks.dropsQueued && !shown.isOldest(call.replaces)
    }

    func index(of request: Request) -> Int? { calls.firstIndex { $0.request == request } }

    /// Ends a call.
    mutating func take(_ request: Request) -> Call? { index(of: request).map { calls.remove(at: $0) } }

    /// Replaces a popup by the same with other contents, or by itself.
    mutating func update(_ kept: SavedPopup, id: UInt32, isRepeated: Bool = false) {
        calls.append(Call(waiting: [], kept: kept, replaces: id, isUpdate: true, isRepeated: isRepeated))
    }

    /// Makes the next call if none is in flight. Here, and only here, texts are hidden.
    mutating func callNext() -> [Effect] {
        calls = calls.filter { $0.isSent || !$0.isWithdrawn && !isOutdated($0) }
        guard !calls.contains(where: { $0.request != nil && !$0.isUnanswered }),
            let index = calls.firstIndex(where: { $0.request == nil && $0.picture.heldSince == nil })
        else { return [] }
        lastRequest += 1
        let request = Request(number: lastRequest)
        calls[index].request = request
        calls[index].kept = hidingText(calls[index].kept)
        return [.notify(request, calls[index].kept.popup, replacing: calls[index].replaces)]
    }

    /// Makes the popups that are not sent again, for what is now known of the server.
    mutating func takeBack() {
        let isUnsent = { (call: Call) in !call.isSent && !call.waiting.isEmpty }
        waiting.insert(contentsOf: calls.filter(isUnsent).flatMap(\.undelivered), at: 0)
        calls.removeAll(where: isUnsent)
    }

    /// Whether the popup that the call updates was closed meanwhile. Then the server may have shown it again.
    private func isOutdated(_ call: Call) -> Bool {
        call.isUpdate && shown[call.replaces].map { $0.standing == .closed } ?? true
    }

    /// Handles the reply to `Notify`. notify-osd and dunst return id 0 for a popup that they do not keep; then there is
    /// nothing to track.
    mutating func register(_ request: Request, id: UInt32, now: Timestamp) -> [Effect] {
        guard let call = take(request), let server else { return [] }
        if isRefused(call, id: id) {
            _ = signals.takePending(of: id)
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
        effects += signals.takePending(of: id).flatMap { handle($0) }
        completePicture(of: call, id: id)
        return effects + adapt([id])
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
    mutating func retry(_ request: Request) -> [Effect] {
        guard let call = take(request) else { return [] }
        var back = call.undelivered
        for index in back.indices { back[index].refusals += 1 }
        waiting.insert(contentsOf: back.filter { $0.refusals < 2 }, at: 0)
        let isFirst = burst.add(policy.groupAbove, call.kept.open.urgency)
        return (isFirst ? [.wait(.burst, RateWindow.window)] : []) + keepForRevival(call)
    }

    // MARK: Missing replies

    /// Handles a call without a reply. It is not repeated: its server shows it when it reads again.
    mutating func missReply(_ request: Request, now: Timestamp) -> [Effect] {
        guard let index = index(of: request) else { return [] }
        calls[index].isUnanswered = true
        return settleUnanswered(except: Self.unansweredLimit, now: now)
    }

    /// A server shows popups in the order of the calls: when it has answered one, those before it were shown.
    ///
    /// - Parameter count: The number of calls, the newest ones, of which it is not known.
    mutating func settleUnanswered(except count: Int = 0, now: Timestamp) -> [Effect] {
        calls.filter(\.isUnanswered).compactMap(\.request).dropLast(count).flatMap { register($0, id: 0, now: now) }
    }

    /// At the end of the agent, saves the notifications of the calls that were sent and not answered: if the same
    /// server still runs in the next run, it shows their popups itself. They are saved as one popup with the id 0,
    /// which no popup has.
    package func keepUnconfirmed() -> [Effect] {
        let references = calls.filter(\.isSent).flatMap { $0.waiting.map(\.reference) }
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
