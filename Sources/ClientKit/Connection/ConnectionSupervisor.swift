/// Keeps the link to a service alive, unless it is to stay down: runs it, ends it, begins it anew.
///
/// For providers whose link can be cancelled and run again without losing or repeating anything.
package actor ConnectionSupervisor {
    package private(set) var isSuspended = false
    /// Whether there is said to be no network.
    package private(set) var isNetworkAway = false

    /// Whether there may be a life to wait for.
    private var isUp = false
    /// Ends the present life.
    private var end: AsyncStream<Never>.Continuation?
    /// Begins the next one.
    private var begin: AsyncStream<Never>.Continuation?
    /// Wait until there is no life.
    private var exitWaiters: [AsyncStream<Never>.Continuation] = []

    package init() {}

    /// Runs one life after the other, until one ends by itself or the task is cancelled.
    ///
    /// - Parameters:
    ///   - life: Is cancelled to end it, and says goodbye before it returns.
    ///   - suspended: Called when there is no life and is to be none.
    package func run(_ life: @escaping @Sendable () async -> Void, suspended: () async -> Void) async {
        while !Task.isCancelled {
            isUp = true
            let isOver = isSuspended ? false : await live(life)
            if isSuspended { await suspended() }
            isUp = false
            for exitWaiter in exitWaiters { exitWaiter.finish() }
            exitWaiters = []
            if isOver { return }
            if isSuspended { await waitToBegin() }
        }
    }

    /// Ends the life and lets no other begin. Returns when it is over, or at cancellation.
    package func suspend() async {
        isSuspended = true
        guard isUp else { return }
        end?.finish()
        let (ends, exitWaiter) = AsyncStream<Never>.makeStream()
        exitWaiters.append(exitWaiter)
        for await _ in ends {}
    }

    /// Ends the life if there is one, and begins another.
    package func restart() {
        isSuspended = false
        end?.finish()
        begin?.finish()
    }

    package func setNetworkUnavailable(_ isAway: Bool) { isNetworkAway = isAway }

    /// - Returns: Whether it ended by itself.
    private func live(_ life: @escaping @Sendable () async -> Void) async -> Bool {
        let (ends, end) = AsyncStream<Never>.makeStream()
        self.end = end
        defer { self.end = nil }
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await life()
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
