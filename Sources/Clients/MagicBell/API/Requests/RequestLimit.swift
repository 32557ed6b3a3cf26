/// Keeps the requests of one kind below a limit of the service: at most ``count`` in any period of the length
/// ``interval``.
///
/// A window that slides, and not a bucket of tokens, which would let through twice the limit in its first interval.
/// Each reservation is one request, in the order of arrival.
package struct RequestLimit: Sendable, Equatable {
    /// The number of requests.
    package let count: Int
    /// The interval.
    package let interval: Duration
    /// When the requests of the last interval started and the waiting ones will, ascending.
    private var starts: [Duration] = []

    package init(_ count: Int, per interval: Duration) {
        self.count = max(1, count)
        self.interval = interval
    }

    /// The start of one request.
    package struct Reservation: Sendable, Equatable {
        /// By the clock of the calls.
        package var start: Duration
    }

    /// Reserves the earliest possible start; nil: it would be later than `longestDelay` from now.
    package mutating func reserve(at now: Duration, longestDelay: Duration) -> Reservation? {
        let start = nextStart(at: now)
        guard start - now <= longestDelay else { return nil }
        starts.removeFirst(starts.prefix { $0 + interval <= now }.count)
        starts.append(start)
        return Reservation(start: start)
    }

    /// When the next request could start.
    package func nextStart(at now: Duration) -> Duration {
        var start = now
        // In the order of arrival.
        if let last = starts.last { start = max(start, last) }
        if starts.count >= count { start = max(start, starts[starts.count - count] + interval) }
        return start
    }

    /// The request of this reservation is not made.
    package mutating func cancel(_ reservation: Reservation) {
        guard let index = starts.lastIndex(of: reservation.start) else { return }
        starts.remove(at: index)
    }
}
