import CLinux
import Glibc
import Synchronization

/// A loop on one thread that waits in epoll(7). It uses neither libdispatch nor SwiftNIO.
///
/// The thread is the one that calls ``run()``, or a thread of its own after ``start()``. Without work it waits without
/// waking up. Work is run in the order of ``enqueue(_:)``, and descriptors are looked at after at most 64 rounds of it.
public final class PollLoop: BusLoop {
    /// The loop of a program that runs it on its main thread: call ``run()`` there before anything uses ``shared``.
    public static let main = PollLoop()

    /// The loop of this process: ``main``. If the program does not run it, it starts a thread of its own.
    public static var shared: PollLoop {
        main.start()
        return main
    }

    private struct State {
        var queue = LoopQueue()
        /// Whether the thread waits and must be woken for new work. Its own work is enqueued without a system call.
        var isWaiting = false
        var isStarted = false
        var isStopped = false
        var endOfTurn: [@Sendable () -> Void] = []

        mutating func takeEndOfTurn() -> [@Sendable () -> Void] {
            defer { endOfTurn = [] }
            return endOfTurn
        }
    }

    private let state = Mutex(State())
    private let descriptors = DescriptorSet()
    private let wakeUps: Int32
    /// The thread of ``run()``; 0: none yet.
    private let thread = Atomic<pthread_t>(0)

    private static let rounds = 64

    /// The name of the thread that ``start()`` starts.
    private let name: String

    /// A loop that runs nothing yet.
    /// - Parameter name: The name of the thread that ``start()`` starts, at most 15 characters.
    public init(name: String = "bus loop") {
        self.name = name
        wakeUps = feedbell_eventfd()
        guard wakeUps >= 0, descriptors.addWakeUps(wakeUps) else { DescriptorSet.fail() }
    }

    deinit { close(wakeUps) }

    // MARK: Running

    /// Runs the loop on this thread until ``stop()``. Call it once, and not after ``start()``.
    public func run() {
        precondition(markStarted(), "a loop runs on one thread, once")
        serve()
    }

    /// Runs the loop on a thread of its own until ``stop()``. No effect if it is running already.
    public func start() {
        guard markStarted() else { return }
        var thread = pthread_t()
        let code = pthread_create(
            &thread,
            nil,
            { loop in
                let loop = Unmanaged<PollLoop>.fromOpaque(loop!).takeRetainedValue()
                feedbell_name_thread(loop.name)
                loop.serve()
                return nil
            },
            Unmanaged.passRetained(self).toOpaque()
        )
        guard code == 0 else {
            fatalError("Cannot start a thread: \(String(cString: strerror(code))). Raise the limit of processes.")
        }
        pthread_detach(thread)
    }

    /// Ends ``run()`` after the current round. Work that is still in the queue is not run.
    public func stop() {
        state.withLock { $0.isStopped = true }
        wake()
    }

    private func markStarted() -> Bool {
        state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
    }

    private func serve() {
        thread.store(pthread_self(), ordering: .relaxed)
        var batch: [LoopWork] = []
        while true {
            for _ in 0..<Self.rounds {
                state.withLock { $0.queue.take(into: &batch) }
                if batch.isEmpty { break }
                for work in batch { work.run() }
                batch.removeAll(keepingCapacity: true)
            }
            for body in state.withLock({ $0.takeEndOfTurn() }) { body() }
            let timeout = state.withLock { state -> Int32? in
                if state.isStopped { return nil }
                let timeout = state.endOfTurn.isEmpty ? state.queue.timeout : 0
                state.isWaiting = timeout != 0
                return timeout
            }
            guard let timeout else { return }
            descriptors.handle(timeout: timeout) { state.withLock { $0.isWaiting = false } }
        }
    }

    private func wake() {
        var one: UInt64 = 1
        _ = write(wakeUps, &one, MemoryLayout.size(ofValue: one))
    }

    // MARK: Work

    /// Runs `work` after all work that was enqueued before.
    public func enqueue(_ work: LoopWork) {
        add { $0.append(work) }
    }

    /// Runs `work` after a delay, which wakes the thread once.
    public func enqueue(_ work: LoopWork, after delay: Duration) {
        add { $0.append(work, after: delay) }
    }

    /// Runs `body` before the thread waits.
    public func executeBeforeWaiting(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.endOfTurn.append(body) }
    }

    /// Runs a job of an actor whose executor is this loop.
    public func enqueue(_ job: consuming ExecutorJob) {
        enqueue(.job(UnownedJob(job), asUnownedSerialExecutor()))
    }

    private func add(_ change: (inout LoopQueue) -> Void) {
        let wasWaiting = state.withLock { state in
            change(&state.queue)
            defer { state.isWaiting = false }
            return state.isWaiting
        }
        if wasWaiting { wake() }
    }

    /// The loop, as the executor of an actor.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    /// Traps unless it is called on the thread of the loop.
    public func checkIsolated() { precondition(isIsolatingCurrentContext() == true, "not on the thread of the loop") }

    /// Whether this is the thread of the loop.
    public func isIsolatingCurrentContext() -> Bool? { thread.load(ordering: .relaxed) == pthread_self() }

    // MARK: Descriptors

    /// Watches a duplicate of `descriptor` (see ``BusLoop/watch(_:_:)``).
    public func watch(
        _ descriptor: Int32,
        _ handler: @escaping @Sendable () -> Void
    ) throws(DBusError) -> any DescriptorWatch {
        try descriptors.watch(descriptor, handler)
    }
}
