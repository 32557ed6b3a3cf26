/// Signals of the server.
extension Popups {
    /// A signal and the name of the connection that emitted it.
    struct SentSignal: Equatable {
        enum Content: Equatable {
            case token(String)
            case action(String)
            case closed(UInt32)
        }
        var server: String
        var id: UInt32
        var content: Content
    }

    /// - Parameter server: The name of the connection that emitted it.
    mutating func signal(_ event: Event, of server: String, id: UInt32) -> [Effect] {
        guard server == self.server || server == alias else {
            // The server's capabilities are not known yet; its popups may be those of the previous run.
            if self.server == nil, restored.values.contains(where: { $0[id] != nil }) { keepForLater(event) }
            return []
        }
        guard !isSecondCopy(event) else { return [] }
        guard shown[id] != nil else {
            if !inFlight.isEmpty { keepForLater(event) }
            return []
        }
        let effects = signal(event, id: id)
        // The server may accept popups again.
        return room == .none ? effects + [.wait(.full, .zero)] : effects
    }

    private mutating func keepForLater(_ event: Event) {
        if pendingSignals.count < Self.pendingSignalLimit { pendingSignals.append(event) }
    }

    /// Whether the same signal was already received from the server's other connection.
    private mutating func isSecondCopy(_ event: Event) -> Bool {
        guard alias != nil, let signal = SentSignal(event) else { return false }
        let first = unpaired.firstIndex {
            $0.server != signal.server && $0.id == signal.id && $0.content == signal.content
        }
        if let first {
            unpaired.remove(at: first)
            return true
        }
        if unpaired.count == Self.pendingSignalLimit { unpaired.removeFirst() }
        unpaired.append(signal)
        return false
    }

    private mutating func signal(_ event: Event, id: UInt32) -> [Effect] {
        guard let popup = shown[id] else { return [] }
        switch event {
        case .activationToken(_, _, let token):
            shown[id]?.token = token.isEmpty ? nil : token
            return []
        case .actionInvoked(_, _, let key):
            // Some servers emit `default` although it was not offered.
            let button = popup.buttons.first { $0.key == key }
            guard button != nil || key == Popup.defaultKey else { return [] }
            let clicked: [Effect] =
                popup.isSummary
                ? [.seen(popup.references)]
                : popup.references.map { .activated($0, button?.url, token: popup.token) }
            return clicked + forget([id]) + [.close(id: id)]
        case .closed(_, _, let reason):
            let isSeen = reason == Self.dismissedByUser && policy.markSeen == .dismissed
            return (isSeen ? [.seen(popup.references)] : []) + forget([id])
        default:
            return []
        }
    }

    /// Handles signals that arrived before the reply of `Notify` with their popup's id.
    mutating func replayEarlySignals(_ id: UInt32) -> [Effect] {
        let signals = pendingSignals.filter { Self.id(of: $0) == id }
        let isLast = inFlight.isEmpty
        pendingSignals.removeAll { isLast || Self.id(of: $0) == id }
        return signals.flatMap { signal($0, id: id) }
    }

    private static func id(of event: Event) -> UInt32? { SentSignal(event)?.id }
}

extension Popups.SentSignal {
    /// Nil if the event is not a signal.
    fileprivate init?(_ event: Popups.Event) {
        switch event {
        case .activationToken(let server, let id, let token): self.init(server: server, id: id, content: .token(token))
        case .actionInvoked(let server, let id, let key): self.init(server: server, id: id, content: .action(key))
        case .closed(let server, let id, let reason): self.init(server: server, id: id, content: .closed(reason))
        default: return nil
        }
    }
}
