/// What a server says of its popups.
extension Popups {
    mutating func signal(_ event: Event, id: UInt32) -> [Effect] {
        guard let popup = shown[id] else { return [] }
        switch event {
        case .activationToken(_, _, let token):
            shown[id]?.token = token.isEmpty ? nil : token
            return []
        case .actionInvoked(_, _, let key):
            // `default` comes from some servers though it was not offered (desktop-notifications.md §1.2).
            let button = popup.buttons.first { $0.key == key }
            guard button != nil || key == Popup.defaultKey else { return [] }
            let clicked: [Effect] =
                popup.isSummary
                ? [.seen(popup.subjects)]
                : popup.subjects.map { .activated($0, button?.url, token: popup.token) }
            return clicked + forget([id]) + [.close(id: id)]
        case .closed(_, _, let reason):
            let isSeen = reason == Self.dismissedByUser && policy.markSeen == .dismissed
            return (isSeen ? [.seen(popup.subjects)] : []) + forget([id])
        default:
            return []
        }
    }

    /// Signals that came before the answer that told us the id they are about.
    mutating func replayEarlySignals(_ id: UInt32) -> [Effect] {
        let signals = early.filter { Self.id(of: $0) == id }
        let isLast = inFlight.isEmpty
        early.removeAll { isLast || Self.id(of: $0) == id }
        return signals.flatMap { signal($0, id: id) }
    }

    private static func id(of event: Event) -> UInt32? {
        switch event {
        case .activationToken(_, let id, _), .actionInvoked(_, let id, _), .closed(_, let id, _): id
        default: nil
        }
    }
}
