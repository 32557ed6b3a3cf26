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
        var handlers: [UInt64: @Sendable () -> Void] = [:]
        var lastWatch: UInt64 = 0
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
    private let epoll: Int32
    private let wakeUps: Int32
    /// The thread of ``run()``; 0: none yet.
    private let thread = Atomic<pthread_t>(0)

    private static let rounds = 64
    private static let maximumEvents = 64

    /// The name of the thread that ``start()`` starts.
    private let name: String

    /// A loop that runs nothing yet.
    /// - Parameter name: The name of the thread that ``start()`` starts, at most 15 characters.
    public init(name: String = "bus loop") {
        self.name = name
        epoll = feedbell_epoll()
        wakeUps = feedbell_eventfd()
        var event = epoll_event()
        event.events = EPOLLIN.rawValue | EPOLLET.rawValue
        guard epoll >= 0, wakeUps >= 0, epoll_ctl(epoll, EPOLL_CTL_ADD, wakeUps, &event) == 0 else {
            fatalError(
                "Cannot create an event loop: \(String(cString: strerror(errno))). Raise the limit of open files."
            )
        }
    }

    deinit {
        close(epoll)
        close(wakeUps)
    }

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
        var events = [epoll_event](repeating: epoll_event(), count: Self.maximumEvents)
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
            let count = epoll_wait(epoll, &events, Int32(events.count), timeout)
            state.withLock { $0.isWaiting = false }
            for event in events.prefix(max(0, Int(count))) { handle(event.data.u64) }
        }
    }

    /// The wake-ups have the number 0, for which there is no handler. Edge-triggered, so they are not read.
    private func handle(_ watch: UInt64) {
        // Looked up at this moment: an earlier handler may have cancelled the watch.
        state.withLock { $0.handlers[watch] }?()
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
        let duplicate = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard duplicate >= 0 else {
            throw DBusError(.limitsExceeded, "Cannot watch a connection: the process has no free file descriptor.")
        }
        let number = state.withLock { state in
            state.lastWatch += 1
            state.handlers[state.lastWatch] = handler
            return state.lastWatch
        }
        let watch = PollWatch(number, of: duplicate, in: epoll) { [self] in
            state.withLock { _ = $0.handlers.removeValue(forKey: number) }
        }
        guard watch.begin() else {
            throw DBusError(.notSupported, "Cannot watch a descriptor: \(String(cString: strerror(errno))).")
        }
        return watch
    }
}

/// A descriptor in an epoll(7) set.
private final class PollWatch: DescriptorWatch {
    private struct State {
        /// -1: cancelled.
        var descriptor: Int32
        var isWritable = false
    }

    private let number: UInt64
    private let epoll: Int32
    private let state: Mutex<State>
    private let didEnd: @Sendable () -> Void

    /// - Parameter didEnd: Retains the loop, which owns `epoll`.
    init(_ number: UInt64, of descriptor: Int32, in epoll: Int32, _ didEnd: @escaping @Sendable () -> Void) {
        self.number = number
        self.epoll = epoll
        self.didEnd = didEnd
        state = Mutex(State(descriptor: descriptor))
    }

    deinit { cancel() }

    func begin() -> Bool { state.withLock { control(EPOLL_CTL_ADD, $0) } }

    func setWritable(_ isWatched: Bool) {
        state.withLock { state in
            guard state.descriptor >= 0, state.isWritable != isWatched else { return }
            state.isWritable = isWatched
            _ = control(EPOLL_CTL_MOD, state)
        }
    }

    func cancel() {
        let wasWatching = state.withLock { state in
            guard state.descriptor >= 0 else { return false }
            _ = control(EPOLL_CTL_DEL, state)
            close(state.descriptor)
            state.descriptor = -1
            return true
        }
        if wasWatching { didEnd() }
    }

    private func control(_ operation: Int32, _ state: State) -> Bool {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
        if state.isWritable { event.events |= EPOLLOUT.rawValue }
        event.data.u64 = number
        return epoll_ctl(epoll, operation, state.descriptor, &event) == 0
    }
}
