import Store

/// New notifications whose arrival is not recorded yet. They are written together with what is written next, usually
/// their popup; a notification server that does not answer delays them by two intervals at most.
struct PendingArrivals: Sendable {
    struct Arrival: Sendable {
        let record: StateStore.Arrivals
        /// Called with the ids that were not recorded before.
        let isRecorded: @Sendable (Set<String>) -> Void
    }

    /// The interval of the timer.
    static let interval = Duration.milliseconds(100)

    private var all: [Arrival] = []
    /// How many of them have waited for an interval; nil: the timer is not running.
    private var overdue: Int?

    var isEmpty: Bool { all.isEmpty }

    mutating func add(_ arrival: Arrival) { all.append(arrival) }

    /// Whether the timer has to be started, because something waits.
    mutating func startTimer() -> Bool {
        guard overdue == nil, !all.isEmpty else { return false }
        overdue = 0
        return true
    }

    /// An interval is over.
    ///
    /// - Returns: Whether arrivals have to be written now, and whether the timer has to be started again.
    mutating func timerFired() -> (isDue: Bool, continues: Bool) {
        let isDue = overdue ?? 0 > 0
        overdue = all.isEmpty ? nil : all.count
        return (isDue, overdue != nil)
    }

    /// All of them, in order, to be written.
    mutating func takeAll() -> [Arrival] {
        defer { all = [] }
        if overdue != nil { overdue = 0 }
        return all
    }
}
