import Inbox

/// The last changes that were signalled, so that one action is one signal: the user's own change has the time of this
/// computer, its confirmation that of the service, and the event about it may have a third one.
struct SignalledChanges {
    private static let limit = 64

    private var last: [NotificationID: Notification] = [:]

    /// Whether a change is more than another time of a state that was signalled.
    mutating func isNew(_ notification: Notification) -> Bool {
        if let last = last[notification.id], notification.withTimes(of: last) == last { return false }
        if last.count >= Self.limit { last = [:] }
        last[notification.id] = notification
        return true
    }

    mutating func remove(_ id: NotificationID) { last[id] = nil }
}

extension Notification {
    /// The notification as if it were in its states since the same times as `other`.
    fileprivate func withTimes(of other: Notification) -> Notification {
        var notification = self
        if seen != nil, let time = other.seen { notification.seen = time }
        if read != nil, let time = other.read { notification.read = time }
        if interacted != nil, let time = other.interacted { notification.interacted = time }
        return notification
    }
}
