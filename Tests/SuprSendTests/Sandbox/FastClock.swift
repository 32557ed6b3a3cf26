import Basics
import ClientKit
import SuprSend

/// A clock that runs faster than the real one by a factor and starts on a day in 2025.
struct FastClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    let factor: Int
    private let start = ContinuousClock.now

    init(factor: Int) { self.factor = factor }

    var now: Instant { Instant(offset: start.duration(to: .now) * factor) }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await ContinuousClock().sleep(until: start + deadline.offset / factor)
    }

    /// Milliseconds since the Unix epoch.
    var wall: Int64 { base.milliseconds + Int64(now.offset / .milliseconds(1)) }
}
