import Dispatch

/// Runs an actor on a dispatch queue. (`DispatchSerialQueue`, which could do it itself, does not exist on Linux.)
final class QueueExecutor: SerialExecutor {
    let queue = DispatchQueue(label: "dbus")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
