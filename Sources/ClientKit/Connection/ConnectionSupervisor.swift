/// Runs the connection to a service: restarts it on request, and keeps it closed while it is suspended.
///
/// For providers whose connection can be cancelled and run again without losing or repeating anything.
package actor ConnectionSupervisor {
    package private(set) var isSuspended = false
    /// Whether the network is reported as unavailable.
    package private(set) var isNetworkAway = false

    /// Whether a run may be in progress.
    private var isUp = false
    /// Ends the current run.
    private var end: AsyncStream<Never>.Continuation?
    /// Starts the next run.
    private var begin: AsyncStream<Never>.Continuation?
    /// The ``suspend()`` calls that wait for the end of the current run.
    private var exitWaiters: [AsyncStream<Never>.Continuation] = []

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
            for exitWaiter in exitWaiters { exitWaiter.finish() }
            exitWaiters = []
            if isOver { return }
            if isSuspended { await waitToBegin() }
        }
    }

    /// Closes the connection until the next ``restart()``. Returns when it is closed, or at cancellation.
    package func suspend() async {
        isSuspended = true
        guard isUp else { return }
        end?.finish()
        let (ends, exitWaiter) = AsyncStream<Never>.makeStream()
        exitWaiters.append(exitWaiter)
        for await _ in ends {}
    }

    /// Closes the connection if it is open, and opens it again.
    package func restart() {
        isSuspended = false
        end?.finish()
        begin?.finish()
    }

    package func setNetworkUnavailable(_ isUnavailable: Bool) { isNetworkAway = isUnavailable }

    /// Returns whether `body` returned by itself, or the task was cancelled.
    private func runOnce(_ body: @escaping @Sendable () async -> Void) async -> Bool {
        let (ends, end) = AsyncStream<Never>.makeStream()
        self.end = end
        defer { self.end = nil }
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await body()
                return true
            }
            group.addTask {
                for await _ in ends {}
                return Task.isCancelled
            }
            let isOver = await group.next() ?? true
            group.cancelAll()
            return isOver
        }
    }

    private func waitToBegin() async {
        let (begins, begin) = AsyncStream<Never>.makeStream()
        self.begin = begin
        for await _ in begins {}
        self.begin = nil
    }
}
