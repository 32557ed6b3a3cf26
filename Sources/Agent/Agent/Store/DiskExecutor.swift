import CLinux
import Glibc
import Synchronization

/// Runs actors that block on disk I/O on a thread of their own: the loop of the program must not block. The thread
/// starts with the first call, waits without waking up, and ends with the last of its executors.
///
/// Calls of one executor run in their order. Those of ``background`` run while no other ones wait: what the user did
/// goes before a search.
final class DiskExecutor: SerialExecutor {
    private let queue: DiskQueue
    /// nil: of calls that go first.
    private let foreground: DiskExecutor?

    init() {
        queue = DiskQueue()
        foreground = nil
    }

    private init(behind foreground: DiskExecutor) {
        queue = foreground.queue
        self.foreground = foreground
    }

    deinit { if foreground == nil { queue.close() } }

    /// An executor on the same thread, for calls that can wait.
    var background: DiskExecutor { DiskExecutor(behind: foreground ?? self) }

    func enqueue(_ job: consuming ExecutorJob) { queue.append(UnownedJob(job), self, isUrgent: foreground == nil) }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    func checkIsolated() { precondition(isIsolatingCurrentContext() == true, "not on the thread of the disk") }

    func isIsolatingCurrentContext() -> Bool? { queue.isOnThread }
}

/// The jobs and their thread. The thread retains this object, and each job its executor.
private final class DiskQueue: Sendable {
    private typealias Job = (UnownedJob, DiskExecutor)

    private struct State {
        var urgent: [Job] = []
        /// The others, and the index of the next one.
        var others: [Job] = []
        var nextOther = 0
        var isStarted = false
        var isClosed = false

        /// All urgent jobs, or the next other one.
        mutating func take() -> [Job] {
            guard urgent.isEmpty else {
                defer { urgent = [] }
                return urgent
            }
            guard nextOther < others.count else { return [] }
            defer {
                nextOther += 1
                if nextOther == others.count { (others, nextOther) = ([], 0) }
            }
            return [others[nextOther]]
        }
    }

    private let state = Mutex(State())
    private let arrivals = Semaphore()
    private let thread = Atomic<pthread_t>(0)

    var isOnThread: Bool { thread.load(ordering: .relaxed) == pthread_self() }

    func append(_ job: UnownedJob, _ executor: DiskExecutor, isUrgent: Bool) {
        let isFirst = state.withLock { state in
            if isUrgent { state.urgent.append((job, executor)) } else { state.others.append((job, executor)) }
            defer { state.isStarted = true }
            return !state.isStarted
        }
        if isFirst { start() }
        arrivals.signal()
    }

    func close() {
        state.withLock { $0.isClosed = true }
        arrivals.signal()
    }

    private func start() {
        var thread = pthread_t()
        let code = pthread_create(
            &thread,
            nil,
            { queue in
                feedbell_name_thread("disk")
                Unmanaged<DiskQueue>.fromOpaque(queue!).takeRetainedValue().run()
                return nil
            },
            Unmanaged.passRetained(self).toOpaque()
        )
        guard code == 0 else {
            fatalError("Cannot start a thread: \(String(cString: strerror(code))). Raise the limit of processes.")
        }
        pthread_detach(thread)
    }

    private func run() {
        thread.store(pthread_self(), ordering: .relaxed)
        while true {
            arrivals.wait()
            while true {
                let (jobs, isClosed) = state.withLock { ($0.take(), $0.isClosed) }
                for (job, executor) in jobs { job.runSynchronously(on: executor.asUnownedSerialExecutor()) }
                if jobs.isEmpty {
                    if isClosed { return }
                    break
                }
            }
        }
    }
}

/// sem_overview(7). Signals are counted: after several jobs, the thread may find none.
private final class Semaphore: @unchecked Sendable {
    private let pointer = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(pointer, 0, 0) }

    deinit {
        sem_destroy(pointer)
        pointer.deallocate()
    }

    func signal() { sem_post(pointer) }

    func wait() { while sem_wait(pointer) != 0 {} }
}
