import Basics
import Synchronization

/// Runs the connection to a service: restarts it on request, and keeps it closed while it is suspended.
///
/// For providers whose connection can be cancelled and run again without losing or repeating anything.
package actor ConnectionSupervisor {
    private struct Flags {
        var isSuspended = false
        var isNetworkAway = false
    }

    private nonisolated let flags = Mutex(Flags())

    package private(set) nonisolated var isSuspended: Bool {
        get { flags.withLock { $0.isSuspended } }
        set { flags.withLock { $0.isSuspended = newValue } }
    }
    /// Whether the network is reported as unavailable.
    package private(set) nonisolated var isNetworkAway: Bool {
        get { flags.withLock { $0.isNetworkAway } }
        set { flags.withLock { $0.isNetworkAway = newValue } }
    }

    /// Whether a run may be in progress.
    private var isUp = false
    /// Ends the current run.
    private var runEnd: Completion?
    /// Ends the wait of a suspended connection.
    private var suspensionEnd: Completion?
    /// The ``suspend()`` calls that wait for the end of the current run.
    private var exitWaiters = Waiters()

    package init() {}

    /// Calls `body` again after each restart, until it returns by itself or the task is cancelled.
    ///
    /// - Parameters:
    ///   - body: Runs the connection. It is cancelled for a restart or suspend, and closes the connection then.
    ///   - suspended: Called when the connection is closed and suspended.
    package func run(_ body: @escaping @Sendable () async -> Void, suspended: () async -> Void) async {
        while !Task.isCancelled {
            isUp = true
            let isOver = isSuspended ? false : await runOnce(body)
            if isSuspended { await suspended() }
            isUp = false
            exitWaiters.wakeAll()
            if isOver { return }
            if isSuspended {
                let end = Completion()
                suspensionEnd = end
                await end.wait()
                suspensionEnd = nil
            }
        }
    }

    /// Closes the connection until the next ``restart()``. Returns when it is closed, or at cancellation.
    package func suspend() async {
        isSuspended = true
        guard isUp else { return }
        runEnd?.finish()
        await exitWaiters.add().wait()
    }

    /// Closes the connection if it is open, and opens it again.
    package func restart() {
        isSuspended = false
        runEnd?.finish()
        suspensionEnd?.finish()
    }

    package func setNetworkUnavailable(_ isUnavailable: Bool) { isNetworkAway = isUnavailable }

    /// Returns whether `body` returned by itself, or the task was cancelled.
    private func runOnce(_ body: @escaping @Sendable () async -> Void) async -> Bool {
        let end = Completion()
        runEnd = end
        defer { runEnd = nil }
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await body()
                return true
            }
            group.addTask {
                await end.wait()
                return Task.isCancelled
            }
            let isOver = await group.next() ?? true
            group.cancelAll()
            return isOver
        }
    }
}
