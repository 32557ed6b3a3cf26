public import FoundationEssentials

/// What a feed tells its listeners.
public enum FeedEvent: Sendable, Equatable {
    /// The list or a number changed. A listener that is behind gets the latest one only.
    case storeUpdate(FeedData)
    /// A notification arrived: once per id. `catchUp`: it came while the feed was not connected, possibly with others.
    case newNotification(FeedNotification, catchUp: Bool)
    /// The service says that a notification changed, whether it is in the list or not. This is what it is now.
    case notificationUpdate(FeedNotification)
    /// The service says that all notifications were marked as read, here or elsewhere.
    case allRead
    /// The connection changed. A listener that is behind gets the latest one only.
    case connection(ConnectionState)
}

/// How a feed stands with the service: socket and REST together, the worse of the two.
public enum ConnectionState: Sendable, Equatable {
    /// Not connected; `error` says why (nil: never tried), `nextAttempt` when it is tried again by itself.
    case offline(SuprSendError?, nextAttempt: Date?)
    /// Connecting.
    case connecting
    /// Connected, and the list could be loaded.
    case online(since: Date)
    /// The service refuses the credentials. They are tried again now and then.
    case unauthorized(SuprSendError)
}
