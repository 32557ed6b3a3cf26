import NIOCore

/// The continuous clock with sleeps on the program's loop. A cancelled sleep is removed: those of the concurrency
/// runtime stay until their deadlines, and wake the process then.
struct LoopClock: Clock {
    private let eventLoop: any EventLoop

    /// - Parameter eventLoop: The program's.
    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    var now: ContinuousClock.Instant { .now }

    var minimumResolution: Duration { ContinuousClock().minimumResolution }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        let delay = NetworkLoop.limited(max(.zero, now.duration(to: deadline)))
        let timer = eventLoop.scheduleTask(in: TimeAmount(delay)) {}
        do {
            try await withTaskCancellationHandler {
                try await timer.futureResult.get()
            } onCancel: {
                timer.cancel()
            }
        } catch {
            throw CancellationError()
        }
    }
}
