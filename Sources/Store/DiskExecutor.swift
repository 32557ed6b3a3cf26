import Dispatch

/// Runs an actor that blocks on disk I/O on its own thread, in the order of the calls. The concurrency runtime has few
/// threads, and none of them may block.
final class DiskExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "disk")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
