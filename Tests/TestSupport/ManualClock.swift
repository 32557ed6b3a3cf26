import Synchronization
package import Testing

/// A clock that stands still until the test moves it.
///
/// ```swift
/// await clock.sleepers(1)             // wait until one task sleeps
/// clock.advance(by: .seconds(45))     // then move time
/// ```
package final class ManualClock: Clock {
    package struct Instant: InstantProtocol {
        package var offset: Duration

        package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        package func duration(to other: Instant) -> Duration { other.offset - offset }
        package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Watcher {
        let isSatisfied: @Sendable ([Duration]) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var lastID = 0
        var sleepers: [Int: Sleeper] = [:]
        /// Cancelled before they slept.
        var cancelled: Set<Int> = []
        var watchers: [Int: Watcher] = [:]

        /// How long each sleeper would sleep on.
        var remaining: [Duration] { sleepers.values.map { $0.deadline.offset - now.offset } }

        mutating func takeSatisfiedWatchers() -> [Watcher] {
            let remaining = remaining
            let satisfied = watchers.filter { $0.value.isSatisfied(remaining) }
            for id in satisfied.keys { watchers[id] = nil }
            return Array(satisfied.values)
        }
    }

    private let state = Mutex(State())

    package init() {}

    package var now: Instant { state.withLock { $0.now } }
    package var minimumResolution: Duration { .zero }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (result, watchers): (Result<Void, any Error>?, [Watcher]) = state.withLock { state in
                    if state.cancelled.remove(id) != nil { return (.failure(CancellationError()), []) }
                    if deadline <= state.now { return (.success(()), []) }
                    state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
                    return (nil, state.takeSatisfiedWatchers())
                }
                for watcher in watchers { watcher.continuation.resume() }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: id)
                if sleeper == nil { state.cancelled.insert(id) }
                return sleeper
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    // The waits below also end when their task is cancelled.

    /// Returns once at least `count` tasks sleep.
    package func sleepers(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) async {
        await wait("\(count) sleeping tasks", sourceLocation) { $0.count >= count }
    }

    /// Returns once a task sleeps that would wake exactly `duration` from now.
    package func sleeper(for duration: Duration, sourceLocation: SourceLocation = #_sourceLocation) async {
        await wait("a task that sleeps \(duration)", sourceLocation) { $0.contains(duration) }
    }

    /// Returns once at least `count` tasks sleep that would wake exactly `duration` from now.
    package func sleepers(
        _ count: Int,
        for duration: Duration,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await wait("\(count) tasks that sleep \(duration)", sourceLocation) { $0.count { $0 == duration } >= count }
    }

    /// Returns once a task sleeps that would wake in such a time from now, and the time: of several, the shortest.
    /// Zero if it was cancelled.
    package func sleeper(
        within range: ClosedRange<Duration>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async -> Duration {
        while !Task.isCancelled {
            await wait("a task that sleeps \(range)", sourceLocation) { $0.contains(where: range.contains) }
            if let remaining = remaining(within: range) { return remaining }
        }
        return .zero
    }

    private func wait(
        _ what: String,
        _ sourceLocation: SourceLocation,
        until isSatisfied: @escaping @Sendable ([Duration]) -> Bool
    ) async {
        let seen = { @Sendable [self] in "tasks that sleep \(state.withLock { $0.remaining.sorted() })" }
        await waiting(for: what, seen: seen, sourceLocation: sourceLocation) { await wait(until: isSatisfied) }
    }

    private func wait(until isSatisfied: @escaping @Sendable ([Duration]) -> Bool) async {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.cancelled.remove(id) != nil || isSatisfied(state.remaining) { return true }
                    state.watchers[id] = Watcher(isSatisfied: isSatisfied, continuation: continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let watcher = state.withLock { state in
                let watcher = state.watchers.removeValue(forKey: id)
                if watcher == nil { state.cancelled.insert(id) }
                return watcher
            }
            watcher?.continuation.resume()
        }
    }

    /// How long a task sleeps that would wake in such a time from now, the shortest of several; nil: there is none.
    package func remaining(within range: ClosedRange<Duration>) -> Duration? {
        state.withLock { $0.remaining.filter(range.contains).min() }
    }

    /// How many tasks sleep.
    package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Moves time, and wakes who is due, the earliest first.
    package func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }.sorted {
                $0.value.deadline < $1.value.deadline
            }
            for (id, _) in due { state.sleepers[id] = nil }
            return due.map(\.value.continuation)
        }
        for continuation in due { continuation.resume() }
    }
}
