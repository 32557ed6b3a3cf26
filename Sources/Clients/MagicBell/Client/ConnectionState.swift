public import FoundationEssentials

/// The state of a user's realtime feed.
public enum ConnectionState: Sendable, Equatable {
    /// Not connected; `error` is the reason (nil: not tried), `nextAttempt` the time of the next automatic attempt.
    case offline(MagicBellError?, nextAttempt: Date?)
    /// Connecting.
    case connecting
    /// Connected: events are received.
    case online
    /// The service refused the credentials. They are retried, with a backoff of 30 seconds to 5 minutes.
    case unauthorized(MagicBellError)
}

extension ConnectionState {
    /// The state after an update; nil: it does not change.
    init?(_ update: RealtimeUpdate) {
        switch update {
        case .connecting: self = .connecting
        case .connected: self = .online
        case .lost(let error, _) where error.isRefusal: self = .unauthorized(error)
        case .lost(let error, let nextAttempt): self = .offline(error, nextAttempt: nextAttempt)
        case .event: return nil
        }
    }
}
