package import FoundationEssentials

/// How far a client is in following an inbox: its connection for events, and the requests that load the rows.
package struct FollowStatus<Failure: LibraryError>: Sendable, Equatable {
    package struct Problem: Sendable, Equatable {
        package var error: Failure
        /// nil: the connection tries again only when the user has changed something.
        package var nextAttempt: Date?

        package init(error: Failure, nextAttempt: Date?) {
            self.error = error
            self.nextAttempt = nextAttempt
        }
    }

    /// The connection for events.
    package enum Link: Sendable, Equatable {
        case idle
        case connecting
        case joined(since: Date)
        case lost(Problem)
    }

    /// Of both together.
    package enum State: Sendable, Equatable {
        case idle
        case connecting
        case online(since: Date)
        case offline(Problem)
        /// The service does not let the user in.
        case unauthorized(Failure)
    }

    package var link = Link.idle
    /// Why the rows could not be loaded; nil: they were, or it was not tried.
    package var loading: Problem?

    package init() {}

    /// The connection is tried again. A refusal stays the state until the attempt ends, because it most likely fails in
    /// the same way.
    package mutating func beginConnecting() {
        if case .lost(let problem) = link, problem.error.isRefusal { return }
        link = .connecting
    }

    package var isJoined: Bool { if case .joined = link { true } else { false } }

    package var state: State {
        switch (link, loading) {
        case (.idle, _): .idle
        case (.lost(let problem), _) where problem.error.isRefusal: .unauthorized(problem.error)
        case (_, let problem?) where problem.error.isRefusal: .unauthorized(problem.error)
        // Without requests, an event is an id without a row: equivalent to offline.
        case (.lost(let problem), _), (.joined, let problem?): .offline(problem)
        case (.connecting, _): .connecting
        case (.joined(let since), nil): .online(since: since)
        }
    }
}
