package import FoundationEssentials

/// The realtime feed of one user, whatever carries it: the service's own socket, or Ably.
package protocol RealtimeSource: Sendable {
    /// Stays connected until the task is cancelled, and reconnects after every failure, indefinitely. Returns when the
    /// connection is closed. Reports one update after the other.
    func run(_ report: @escaping @Sendable (RealtimeUpdate) async -> Void) async

    /// Ends the wait before the next attempt to connect, if there is one.
    func reconnect() async
}

/// A report of a realtime feed.
package enum RealtimeUpdate: Sendable, Equatable {
    case connecting
    /// The events from now on are received. Without continuity, some may be missing: load again.
    case connected(isContinuous: Bool)
    /// The connection ended or was not made.
    case lost(MagicBellError, nextAttempt: Date?)
    case event(InboxEvent)
}
