import CLinux
import Glibc
import Synchronization

/// Runs an actor that blocks on disk I/O on a thread of its own, in the order of the calls: the loop of the program
/// must not block. The thread starts with the first call, waits without waking up, and ends with this object.
final class DiskExecutor: SerialExecutor {
    private let queue = DiskQueue()

    deinit { queue.close() }

    func enqueue(_ job: consuming ExecutorJob) { queue.append(UnownedJob(job), self) }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    func checkIsolated() { precondition(isIsolatingCurrentContext() == true, "not on the thread of the disk") }

    func isIsolatingCurrentContext() -> Bool? { queue.isOnThread }
}

/// The jobs and their thread. The thread retains this object, and each job its executor.
private final class DiskQueue: Sendable {
    private struct State {
        var jobs: [(UnownedJob, DiskExecutor)] = []
        var isStarted = false
        var isClosed = false
    }

    private let state = Mutex(State())
    private let arrivals = Semaphore()
    private let thread = Atomic<pthread_t>(0)

    var isOnThread: Bool { thread.load(ordering: .relaxed) == pthread_self() }

    func append(_ job: UnownedJob, _ executor: DiskExecutor) {
        let isFirst = state.withLock { state in
            state.jobs.append((job, executor))
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
            let (jobs, isClosed) = state.withLock { state in
                defer { state.jobs = [] }
                return (state.jobs, state.isClosed)
            }
            for (job, executor) in jobs { job.runSynchronously(on: executor.asUnownedSerialExecutor()) }
            if isClosed { return }
        }
    }
}

/// sem_overview(7). Signals are counted: after a batch, the thread may find no job.
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
