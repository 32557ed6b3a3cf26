/// A one-shot timer. Setting it again replaces the previous setting.
actor RestartableTimer {
    private var delay: Duration?
    private var settings = 0
    private var waiter: AsyncStream<Never>.Continuation?

    /// Fires after `delay`; nil: never.
    func set(after delay: Duration?) {
        self.delay = delay
        settings += 1
        waiter?.finish()
    }

    /// Calls `action` each time the timer fires, until the task is cancelled.
    func run(clock: any Clock<Duration>, _ action: () async -> Void) async {
        while !Task.isCancelled {
            let (delay, setting) = (delay, settings)
            let isOver = await wait(delay, clock: clock)
            guard isOver, setting == settings else { continue }
            self.delay = nil
            await action()
        }
    }

    /// Returns true after `delay`, false when the timer was set again.
    private func wait(_ delay: Duration?, clock: any Clock<Duration>) async -> Bool {
        let (changes, waiter) = AsyncStream<Never>.makeStream()
        self.waiter = waiter
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                for await _ in changes {}
                return false
            }
            if let delay { group.addTask { (try? await clock.sleep(for: delay)) != nil } }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }
}
