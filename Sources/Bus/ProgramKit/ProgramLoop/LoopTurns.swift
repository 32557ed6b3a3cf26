package import DBus
import Glibc
import Synchronization

/// The work of a loop that runs within another library's main loop: it is run in turns, each of which the owner
/// schedules there.
package final class LoopTurns: Sendable {
    private struct State {
        var work: [LoopWork] = []
        /// Functions that run once, at the end of the turn.
        var endOfTurn: [@Sendable () -> Void] = []
        /// Whether a turn runs or will run.
        var isScheduled: Bool
    }

    /// A round with more work, as in a flood, does not keep its memory for the next.
    private static let keptCapacity = 256

    private let state: Mutex<State>
    /// The thread of the loop; 0: none yet.
    private let thread = Atomic<pthread_t>(0)
    private let rounds: Int

    /// - Parameters:
    ///   - isScheduled: Whether the owner schedules the first turn without being asked.
    ///   - rounds: The maximum number of rounds of a turn, each of which runs what the one before has added.
    package init(isScheduled: Bool, rounds: Int) {
        state = Mutex(State(isScheduled: isScheduled))
        self.rounds = rounds
    }

    /// Adds work. Returns whether a turn has to be scheduled for it.
    package func add(_ work: LoopWork) -> Bool { change { $0.work.append(work) } }

    /// Adds a function that runs once, at the end of the turn. Returns whether a turn has to be scheduled for it.
    package func addToEnd(_ body: @escaping @Sendable () -> Void) -> Bool { change { $0.endOfTurn.append(body) } }

    private func change(_ body: (inout State) -> Void) -> Bool {
        state.withLock { state in
            body(&state)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
    }

    /// Runs the work until there is none, or until the maximum number of rounds. Returns whether the next turn has to
    /// be scheduled.
    package func run() -> Bool {
        var batch: [LoopWork] = []
        for _ in 0..<rounds {
            state.withLock { state in
                swap(&state.work, &batch)
                state.isScheduled = !batch.isEmpty
            }
            if batch.isEmpty {
                end()
                return false
            }
            for work in batch { work.run() }
            if batch.capacity > Self.keptCapacity { batch = [] } else { batch.removeAll(keepingCapacity: true) }
        }
        end()
        return true
    }

    private func end() {
        let bodies = state.withLock { state in
            defer { state.endOfTurn = [] }
            return state.endOfTurn
        }
        for body in bodies { body() }
    }

    /// The loop runs on this thread.
    package func useThisThread() { thread.store(pthread_self(), ordering: .relaxed) }

    /// Whether this is the thread of the loop.
    package var isOnThread: Bool { thread.load(ordering: .relaxed) == pthread_self() }
}
