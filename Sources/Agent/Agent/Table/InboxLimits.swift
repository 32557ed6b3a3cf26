/// How much of an inbox is kept on disk.
package struct InboxLimits: Equatable, Sendable {
    /// The maximum number of notifications of one inbox; 0: nothing is on disk.
    package var count: Int
    /// The maximum age in days.
    package var days: Int

    package init(count: Int = 5_000, days: Int = 180) {
        self.count = count
        self.days = days
    }
}

extension InboxLimits {
    /// In milliseconds.
    private static let day: Int64 = 86_400_000
    /// The longest time after the last connection, in milliseconds, for which the clock is believed.
    private static let longestAbsence = 30 * day

    /// Notifications from before this time are too old; nil: the clock does not say. It may be years ahead at a start,
    /// and everything would be too old: the age counts only soon after the inbox was what the service had, for which
    /// the service's certificate had to be valid at the time of the clock.
    ///
    /// - Parameters:
    ///   - now: The time of the clock, in milliseconds since the Unix epoch.
    ///   - asOf: When the inbox was last known to be what the service had, in the same unit; 0: never.
    func oldest(now: Int64, asOf: Int64) -> Int64? {
        guard asOf > 0, now - asOf <= Self.longestAbsence else { return nil }
        return now - Int64(days) * Self.day
    }
}
