import Dispatch

/// Runs an actor on a dispatch queue. (`DispatchSerialQueue`, which could do it itself, does not exist on Linux.)
final class QueueExecutor: SerialExecutor {
    /// On the threads of the concurrency runtime. By default a serial queue gets a thread beyond those, and every hop to the bus and
    /// back changes threads. It may share them because nothing on this queue ever waits.
    let queue = DispatchQueue(label: "dbus", target: .global())

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
