import CLinux
import Glibc
import Synchronization

/// Runs actors that block on disk I/O on a thread of their own: the loop of the program must not block. The thread
/// starts with the first call, waits without waking up, and ends with the last of its executors.
///
/// Calls run in their order.
final class DiskExecutor: SerialExecutor {
    private let queue = DiskQueue()

    deinit { queue.close() }

    func enqueue(_ job: consuming ExecutorJob) { queue.append(.job(UnownedJob(job), self)) }

    /// Runs a closure after the calls so far.
    func execute(_ body: @escaping @Sendable () -> Void) { queue.append(.closure(body)) }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    func checkIsolated() { precondition(isIsolatingCurrentContext() == true, "not on the thread of the disk") }

    func isIsolatingCurrentContext() -> Bool? { queue.isOnThread }
}

/// The jobs and their thread. The thread retains this object, and each job its executor.
private final class DiskQueue: Sendable {
    enum Job: Sendable {
        case job(UnownedJob, DiskExecutor)
        case closure(@Sendable () -> Void)

        func run() {
            switch self {
            case .job(let job, let executor): job.runSynchronously(on: executor.asUnownedSerialExecutor())
            case .closure(let body): body()
            }
        }
    }

    private struct State {
        var jobs: [Job] = []
        var isStarted = false
        var isClosed = false

        mutating func take() -> [Job] {
            defer { jobs = [] }
            return jobs
        }
    }

    private let state = Mutex(State())
    private let arrivals = Semaphore()
    private let thread = Atomic<pthread_t>(0)

    var isOnThread: Bool { thread.load(ordering: .relaxed) == pthread_self() }

    func append(_ job: Job) {
        let isFirst = state.withLock { state in
            state.jobs.append(job)
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
                for job in jobs { job.run() }
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
