import ClientKit

/// Makes the connections of a ``RealtimeFeed``, one after the other.
protocol RealtimeConnector: Sendable {
    /// A run of the feed begins: what was learned about the user's configuration is loaded again.
    func startOver() async

    /// Runs one connection to its end, and reports what it receives. Returns at once when the task is cancelled.
    func connect(_ report: @escaping @Sendable (RealtimeUpdate) async -> Void) async -> ConnectionEnd
}

/// Why a connection was not made, or has ended.
struct ConnectionEnd: Sendable, Equatable {
    var error: MagicBellError
    var cause: ReconnectPolicy.Cause
    /// Other credentials may help: the next attempt, which has them, needs no delay, unless the previous one was such
    /// an attempt already.
    var isRetriedAtOnce = false

    init(_ error: MagicBellError, _ cause: ReconnectPolicy.Cause, isRetriedAtOnce: Bool = false) {
        self.error = error
        self.cause = cause
        self.isRetriedAtOnce = isRetriedAtOnce
    }

    /// A request to the service that the connection needs has failed.
    init(_ error: MagicBellError) {
        switch error.kind {
        case .rateLimited, .serverFailure, .unreachable, .unexpectedAnswer, .cancelled: self.init(error, .failed)
        case .invalidArgument, .invalidState, .unsupported, .unauthorized, .forbidden, .notFound, .rejected:
            self.init(error, .refused)
        }
    }

    static let cancelled = ConnectionEnd(.cancelled, .failed)
}
