import Basics
import FoundationEssentials
import Inbox
import MagicBell
import ServiceKit

/// The state of events and requests, and the connection's state of both.
struct FollowerStatus: Sendable, Equatable {
    struct Problem: Sendable, Equatable {
        var error: MagicBellError
        var nextAttempt: Date?
    }

    enum Events: Sendable, Equatable {
        case idle
        case connecting
        case received(since: Timestamp)
        case lost(Problem)
    }

    var events = Events.idle
    /// Why the inbox could not be loaded; nil: it was loaded, or not tried.
    var loading: Problem?

    var isReceiving: Bool { if case .received = events { true } else { false } }

    /// Why the service does not let the user in; nil: it does, or was not asked.
    var refusal: MagicBellError? {
        if case .lost(let problem) = events, problem.error.isRefusal { return problem.error }
        return loading.flatMap { $0.error.isRefusal ? $0.error : nil }
    }

    func connection(now: Timestamp) -> Connection {
        switch (events, loading) {
        case (.lost(let problem), _) where problem.error.isRefusal, (_, let problem?) where problem.error.isRefusal:
            Connection(state: .unauthorized, since: now, failure: ServiceFailure(problem.error))
        // Without requests, an event is an id without a notification: equivalent to offline.
        case (.lost(let problem), _), (.received, let problem?):
            Connection(
                state: .offline,
                since: now,
                nextAttempt: problem.nextAttempt.map { Timestamp($0) },
                failure: ServiceFailure(problem.error)
            )
        case (.idle, _), (.connecting, _): Connection(state: .connecting, since: now)
        case (.received(let since), nil): Connection(state: .online, since: since)
        }
    }
}
