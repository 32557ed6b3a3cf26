import AgentInterface

/// Which notifications a program runs for now, and which wait. A state machine without I/O.
struct ProgramQueue: Equatable, Sendable {
    enum Effect: Equatable {
        /// Run the program for this notification, and report its end with ``ended()``.
        case start(NotificationRecord)
        /// Too many are waiting: the program does not run for this notification.
        case discard(NotificationRecord)
    }

    /// The maximum number of running programs, and of notifications that wait for one.
    static let (maximumRunning, maximumWaiting) = (4, 1000)

    private var running = 0
    private var waiting: [NotificationRecord] = []

    mutating func arrived(_ notification: NotificationRecord) -> Effect? {
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
        return nil
    }
}
