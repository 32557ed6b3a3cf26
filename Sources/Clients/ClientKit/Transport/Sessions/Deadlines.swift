/// The deadlines of a session's timers, for one sleeping task.
///
/// The task is not woken for each deadline that moves: a busy connection, whose every frame starts a timer again, needs
/// no further task, and an idle one is not woken between two heartbeats. Moments are times since the connection.
struct Deadlines<Timer: Hashable> {
    /// A sleep that ends earlier than the next deadline by at most this is not replaced.
    private static var slack: Duration { .seconds(10) }

    private var deadlines: [Timer: Duration] = [:]
    private var sleepEnd: Duration?

    init() {}

    /// Starts a timer.
    mutating func set(_ timer: Timer, at deadline: Duration) { deadlines[timer] = deadline }

    /// The end of the sleep to start in place of the present one; nil: the present one stays, or none is needed.
    mutating func nextSleep() -> Duration? {
        guard let next = deadlines.values.min() else { return nil }
        if let sleepEnd, sleepEnd <= next, next - sleepEnd <= Self.slack { return nil }
        sleepEnd = next
        return next
    }

    /// The sleep until this moment is over.
    mutating func woke(at end: Duration) {
        if sleepEnd == end { sleepEnd = nil }
    }

    /// Removes the timer with the earliest deadline that has passed.
    mutating func takeDue(now: Duration) -> Timer? {
        guard let first = deadlines.min(by: { $0.value < $1.value }), first.value <= now else { return nil }
        deadlines[first.key] = nil
        return first.key
    }
}
