import Dispatch

/// Runs an actor that waits for the disk on a thread of its own, in the order of the calls: the threads of the concurrency runtime are
/// few, and nobody else has to wait.
final class DiskExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "disk")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
