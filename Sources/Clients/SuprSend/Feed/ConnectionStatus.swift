import FoundationEssentials

/// The state of socket and REST, and the ``ConnectionState`` of both.
struct ConnectionStatus: Sendable, Equatable {
    struct Problem: Sendable, Equatable {
        var error: SuprSendError
        var nextAttempt: Date?
    }

    enum Socket: Sendable, Equatable {
        case idle
        case connecting
        case joined(since: Date)
        case lost(Problem)
    }

    var socket = Socket.idle
    /// Why the list could not be loaded; nil: it was loaded, or not tried.
    var loading: Problem?

    var isJoined: Bool { if case .joined = socket { true } else { false } }

    var state: ConnectionState {
        switch (socket, loading) {
        case (.idle, _): .offline(nil, nextAttempt: nil)
        case (.lost(let problem), _) where problem.error.isRefusal: .unauthorized(problem.error)
        case (_, let problem?) where problem.error.isRefusal: .unauthorized(problem.error)
        case (.lost(let problem), _): .offline(problem.error, nextAttempt: problem.nextAttempt)
        case (.connecting, _): .connecting
        // Without REST, an event is an id without a notification: equivalent to offline.
        case (.joined, let problem?): .offline(problem.error, nextAttempt: problem.nextAttempt)
        case (.joined(let since), nil): .online(since: since)
        }
    }
}
