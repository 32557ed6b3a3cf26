/// One thread that runs a connection to a bus: jobs of actors, work after a delay, and handlers of descriptors.
///
/// ``PollLoop`` is the default. A program that has an event loop of its own gives it to
/// ``Bus/connect(to:clock:loop:)``, so that a message is sent and received without a change of threads. Nothing on the
/// loop may block.
public protocol BusLoop: SerialExecutor {
    /// Runs `work` on the loop's thread, after all work that was enqueued before.
    func enqueue(_ work: LoopWork)

    /// Runs `work` on the loop's thread after a delay. A delay of zero or less ends at once.
    func enqueue(_ work: LoopWork, after delay: Duration)

    /// Runs `body` once on the loop's thread, after the work of this turn and before the loop waits for descriptors.
    /// Call it on the loop's thread.
    func executeBeforeWaiting(_ body: @escaping @Sendable () -> Void)

    /// Calls `handler` on the loop's thread whenever the descriptor becomes readable, is closed by the peer, or
    /// becomes writable (see ``DescriptorWatch/setWritable(_:)``).
    ///
    /// Edge-triggered: what the handler leaves unread is not reported again. The loop watches a duplicate, so that the
    /// descriptor may be closed at any time.
    /// - Throws: `LimitsExceeded` if the process has no free descriptor; `NotSupported` for a file that is always
    ///   ready, such as one on a disk.
    func watch(_ descriptor: Int32, _ handler: @escaping @Sendable () -> Void) throws(DBusError) -> any DescriptorWatch
}

extension BusLoop {
    /// Runs a function on the loop's thread, after all work that was enqueued before.
    public func execute(_ body: @escaping @Sendable () -> Void) { enqueue(.call(body)) }

    /// Runs a function on the loop's thread: at once if that is this thread, otherwise after all work that was enqueued
    /// before.
    public func dispatch(_ body: @escaping @Sendable () -> Void) {
        if isIsolatingCurrentContext() == true { body() } else { execute(body) }
    }

    /// Runs a function on the loop's thread after a delay.
    public func execute(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
        enqueue(.call(body), after: delay)
    }
}

/// The watch of a descriptor by a loop. It ends when this object is released.
public protocol DescriptorWatch: AnyObject, Sendable {
    /// Whether the handler is also called when the descriptor becomes writable, and at once if it is. False at first: a
    /// socket becomes writable with each message that the peer reads.
    func setWritable(_ isWatched: Bool)

    /// Ends the watch. A call of the handler that has already begun, or waits for the loop's thread, may still come.
    func cancel()
}

/// A unit of work that a loop runs.
public enum LoopWork: Sendable {
    /// A job of an actor, or of the main actor.
    case job(UnownedJob, UnownedSerialExecutor)
    /// A job of a task that belongs to no such actor.
    case task(UnownedJob, UnownedTaskExecutor)
    /// A function.
    case call(@Sendable () -> Void)

    /// Runs it on this thread.
    public func run() {
        switch self {
        case .job(let job, let executor): job.runSynchronously(on: executor)
        case .task(let job, let executor): job.runSynchronously(on: executor)
        case .call(let body): body()
        }
    }
}
