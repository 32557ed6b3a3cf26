import ClientKit
public import FoundationEssentials

/// An event of a feed.
public enum FeedEvent: Sendable, Equatable {
    /// The list or a count changed. A slow listener receives only the latest one.
    case storeUpdate(FeedData)
    /// A notification arrived: once per id. `catchUp`: it arrived while the feed was not connected, possibly with
    /// others.
    case newNotification(FeedNotification, catchUp: Bool)
    /// The service reports a changed notification, in the list or not. This is its present state.
    case notificationUpdate(FeedNotification)
    /// The service reports that all notifications were marked as read, by this client or another.
    case allRead
    /// The connection changed. A slow listener receives only the latest state.
    case connection(ConnectionState)
}

extension FeedEvent {
    /// Nil: apps see only its effect on the list.
    init?(_ report: FeedState.Report) {
        switch report {
        case .announced(let notification, let catchUp): self = .newNotification(notification, catchUp: catchUp)
        case .changed(let notification): self = .notificationUpdate(notification)
        case .seen: return nil
        case .allRead: self = .allRead
        }
    }
}

/// The state of socket and REST together: the worse of the two.
public enum ConnectionState: Sendable, Equatable {
    /// Not connected; `error` is the reason (nil: not tried), `nextAttempt` the time of the next automatic attempt.
    case offline(SuprSendError?, nextAttempt: Date?)
    /// Connecting.
    case connecting
    /// Connected, and the list is loaded.
    case online(since: Date)
    /// The service refused the credentials. They are retried, with a backoff of 30 seconds to 5 minutes.
    case unauthorized(SuprSendError)

    init(_ state: FollowStatus<SuprSendError>.State) {
        self =
            switch state {
            case .idle: .offline(nil, nextAttempt: nil)
            case .connecting: .connecting
            case .online(let since): .online(since: since)
            case .offline(let problem): .offline(problem.error, nextAttempt: problem.nextAttempt)
            case .unauthorized(let error): .unauthorized(error)
            }
    }
}
