import AgentInterface

/// Which notifications a program runs for now, and which wait. A state machine without I/O.
struct ProgramQueue: Equatable, Sendable {
    enum Effect: Equatable {
        /// Run the program for this notification, and report its end with ``ended()``.
        case start(NotificationRecord)
        /// Too many are waiting: the program does not run for this notification.
        case discard(NotificationRecord)
        /// Nothing is started any longer, and all programs have ended.
        case finish
    }

    /// How long a program may run before that is reported.
    static let slowness = Duration.seconds(60)

    /// The maximum number of running programs, and of notifications that wait for one.
    static let (maximumRunning, maximumWaiting) = (4, 1000)

    private(set) var running = 0
    private var waiting: [NotificationRecord] = []
    private var isClosed = false

    mutating func arrived(_ notification: NotificationRecord) -> Effect? {
        if isClosed { return nil }
        if running < Self.maximumRunning {
            running += 1
            return .start(notification)
        }
        guard waiting.count < Self.maximumWaiting else { return .discard(notification) }
        waiting.append(notification)
        return nil
    }

    /// A program has ended: the oldest waiting notification is next.
    mutating func ended() -> Effect? {
        guard waiting.isEmpty else { return .start(waiting.removeFirst()) }
        running -= 1
        return isClosed && running == 0 ? .finish : nil
    }

    /// Nothing is followed any longer: what waits is discarded, and what is running continues.
    ///
    /// - Returns: The number of discarded notifications.
    mutating func close() -> (discarded: Int, Effect?) {
        isClosed = true
        defer { waiting = [] }
        return (waiting.count, running == 0 ? .finish : nil)
    }
}
