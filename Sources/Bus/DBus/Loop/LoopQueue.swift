/// The work of a loop: what runs now, in the order of arrival, and what runs later.
struct LoopQueue: Sendable {
    private struct Timer {
        let deadline: ContinuousClock.Instant
        let work: LoopWork
    }

    private var work: [LoopWork] = []
    /// The latest deadline first; of equal deadlines, the last one set first.
    private var timers: [Timer] = []

    /// The longest delay, about 30 years: a sum with the current time cannot overflow.
    private static let longestDelay = Duration.seconds(1_000_000_000)

    init() {}

    mutating func append(_ work: LoopWork) { self.work.append(work) }

    mutating func append(_ work: LoopWork, after delay: Duration) {
        guard delay > .zero else { return append(work) }
        let deadline = ContinuousClock.now + min(delay, Self.longestDelay)
        var (low, high) = (0, timers.count)
        while low < high {
            let middle = (low + high) / 2
            if timers[middle].deadline > deadline { low = middle + 1 } else { high = middle }
        }
        timers.insert(Timer(deadline: deadline, work: work), at: low)
    }

    /// Moves the work that is due to `batch`, which is empty.
    mutating func take(into batch: inout [LoopWork]) {
        swap(&work, &batch)
        guard !timers.isEmpty else { return }
        let now = ContinuousClock.now
        while let next = timers.last, next.deadline <= now {
            batch.append(next.work)
            timers.removeLast()
        }
    }

    /// How long the loop may wait, in milliseconds; 0: not at all, -1: until there is new work.
    var timeout: Int32 {
        guard work.isEmpty else { return 0 }
        guard let next = timers.last else { return -1 }
        let (seconds, attoseconds) = ContinuousClock.now.duration(to: next.deadline).components
        if seconds < 0 || attoseconds < 0 { return 0 }
        // Rounded up: a deadline that has not passed yet would wake the loop twice.
        let milliseconds = seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return Int32(clamping: milliseconds)
    }
}
