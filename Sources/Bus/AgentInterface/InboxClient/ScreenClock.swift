/// The timer for the next time at which something on the screen changes by itself, such as a countdown. A new one
/// replaces the previous one, whose end is ignored.
struct ScreenClock: Equatable, Sendable {
    private(set) var number = 0
    /// In milliseconds since the Unix epoch; nil: it does not run.
    private var time: Int64?

    init() {}

    /// Something on the screen changes after this time.
    ///
    /// - Parameters:
    ///   - next: In milliseconds; nil: nothing changes.
    ///   - now: In milliseconds since the Unix epoch.
    /// - Returns: The timer to start; nil: none.
    mutating func run(_ next: Int64?, now: Int64) -> (number: Int, milliseconds: Int64)? {
        guard let next else {
            time = nil
            return nil
        }
        // A time that is set already is kept, so that events between do not delay it.
        if let time, time > now, time <= now + next { return nil }
        (number, time) = (number + 1, now + next)
        return (number, next)
    }

    /// A timer has ended.
    ///
    /// - Returns: Whether it is the last one that was started, and still needed.
    mutating func passed(_ number: Int) -> Bool {
        guard number == self.number, time != nil else { return false }
        time = nil
        return true
    }
}
