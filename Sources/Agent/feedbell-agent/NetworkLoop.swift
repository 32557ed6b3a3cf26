import DBus
import Glibc
import NIOCore
import NIOPosix
import ProgramLoop
import Synchronization

/// The one loop of the agent: SwiftNIO's event loop on the main thread.
///
/// SwiftNIO watches only its own channels. Other descriptors (the buses, a timer, changed files) are watched by one
/// parked thread, which only passes their readiness on. The loop reads and writes them itself.
final class NetworkLoop: ProgramLoop {
    private struct State {
        /// nil until ``run()`` has made it.
        var eventLoop: (any EventLoop)?
        var work: [LoopWork] = []
        /// What runs at the end of ``turn()``.
        var endOfTurn: [@Sendable () -> Void] = []
        /// Whether ``turn()`` runs or will run.
        var isScheduled = false
    }

    private let state = Mutex(State())
    /// The thread of ``run()``; 0: none yet.
    private let thread = Atomic<pthread_t>(0)
    private let descriptors = PollLoop(name: "descriptors")

    /// The event loop, for channels. There is one as soon as a task runs on this loop.
    var eventLoop: any EventLoop {
        guard let eventLoop = state.withLock(\.eventLoop) else { fatalError("The program's loop does not run yet.") }
        return eventLoop
    }

    func run() {
        thread.store(pthread_self(), ordering: .relaxed)
        MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { eventLoop in
            self.state.withLock { state in
                state.eventLoop = eventLoop
                state.isScheduled = true
            }
            eventLoop.execute(self.turn)
        }
    }

    // MARK: Work

    func enqueue(_ work: LoopWork) { add { $0.work.append(work) } }

    func executeBeforeWaiting(_ body: @escaping @Sendable () -> Void) { add { $0.endOfTurn.append(body) } }

    private func add(_ change: (inout State) -> Void) {
        let eventLoop = state.withLock { state -> (any EventLoop)? in
            change(&state)
            guard !state.isScheduled else { return nil }
            state.isScheduled = state.eventLoop != nil
            return state.eventLoop
        }
        eventLoop?.execute(turn)
    }

    /// A delay of at most 30 years: a sum with the current time cannot overflow.
    static func limited(_ delay: Duration) -> Duration { min(delay, .seconds(1_000_000_000)) }

    func enqueue(_ work: LoopWork, after delay: Duration) {
        guard delay > .zero else { return enqueue(work) }
        guard let eventLoop = state.withLock(\.eventLoop) else {
            return execute { self.enqueue(work, after: delay) }
        }
        _ = eventLoop.scheduleTask(in: TimeAmount(Self.limited(delay))) { work.run() }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        enqueue(.job(UnownedJob(job), asUnownedSerialExecutor()))
    }

    private static let rounds = 256
    /// A round with more work, as in a flood, does not keep its memory for the next.
    private static let keptCapacity = 256
    /// SwiftNIO looks at its channels only when no task is due.
    private static let pauseForChannels = TimeAmount.microseconds(10)

    /// Runs the work until there is none, at most ``rounds`` times.
    @Sendable private func turn() {
        var batch: [LoopWork] = []
        for _ in 0..<Self.rounds {
            state.withLock { state in
                swap(&state.work, &batch)
                state.isScheduled = !batch.isEmpty
            }
            if batch.isEmpty { return endTurn() }
            for work in batch { work.run() }
            if batch.capacity > Self.keptCapacity { batch = [] } else { batch.removeAll(keepingCapacity: true) }
        }
        endTurn()
        _ = eventLoop.scheduleTask(in: Self.pauseForChannels, turn)
    }

    private func endTurn() {
        let bodies = state.withLock { state in
            defer { state.endOfTurn = [] }
            return state.endOfTurn
        }
        for body in bodies { body() }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    func checkIsolated() { precondition(isIsolatingCurrentContext() == true, "not on the thread of the loop") }

    func isIsolatingCurrentContext() -> Bool? { thread.load(ordering: .relaxed) == pthread_self() }

    // MARK: Descriptors

    func watch(
        _ descriptor: Int32,
        _ handler: @escaping @Sendable () -> Void
    ) throws(DBusError) -> any DescriptorWatch {
        descriptors.start()
        return try descriptors.watch(descriptor) { self.execute(handler) }
    }
}
