/// A one-shot timer. Setting it again replaces the previous setting.
package actor RestartableTimer {
    private var delay: Duration?
    private var settings = 0
    private var current: Completion?

    package init() {}

    /// Fires after `delay`; nil: never.
    package func set(after delay: Duration?) {
        self.delay = delay
        settings += 1
        current?.finish()
    }

    /// Calls `action` each time the timer fires, until the task is cancelled.
    package func run(clock: any Clock<Duration>, _ action: () async -> Void) async {
        while !Task.isCancelled {
            let (delay, setting) = (delay, settings)
            let wait = Completion()
            current = wait
            let isOver = await wait.wait(atMost: delay, clock: clock)
            guard isOver, setting == settings else { continue }
            self.delay = nil
            await action()
        }
    }
}
