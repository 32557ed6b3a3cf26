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
    /// The state after an update.
    func after(_ update: RealtimeUpdate) -> ConnectionState {
        switch (update, self) {
        // A refusal stays the state until the attempt ends, because it most likely fails in the same way.
        case (.connecting, .unauthorized), (.event, _): self
        case (.connecting, _): .connecting
        case (.connected, _): .online
        case (.lost(let error, _), _) where error.isRefusal: .unauthorized(error)
        case (.lost(let error, let nextAttempt), _): .offline(error, nextAttempt: nextAttempt)
        }
    }
}
