import Dispatch

/// Runs an actor on a dispatch queue. (Linux has no `DispatchSerialQueue`.)
final class QueueExecutor: SerialExecutor {
    /// Uses the threads of the concurrency runtime: by default a serial queue gets an extra thread, and every hop to
    /// the bus and back would switch threads. Sharing them is safe because nothing on this queue blocks.
    let queue = DispatchQueue(label: "dbus", target: .global())

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
