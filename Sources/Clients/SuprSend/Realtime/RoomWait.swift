/// Waits for the event `joined_room`. Between the answer to CONNECT and this event, the server sends no inbox events:
/// the feed loads the list after `joined_room`, or after a time limit if the server does not send it.
struct RoomWait: Sendable, Equatable {
    /// The time limit, from the answer to CONNECT.
    static let limit = Duration.seconds(2)

    private var lastConnection: UInt64 = 0
    /// The connection whose `joined_room` is awaited.
    private var awaited: UInt64?
    /// Whether the session was resumed: the server replays missed events.
    private var isResumed = false

    /// The server accepted a connection. Returns its number if its `joined_room` is awaited, otherwise nil.
    mutating func joined(resumed: Bool) -> UInt64? {
        lastConnection += 1
        isResumed = resumed
        awaited = resumed ? nil : lastConnection
        return awaited
    }

    /// Whether to load the list after this event of the server.
    mutating func receive(_ event: String) -> Bool {
        guard event == "joined_room", !isResumed else { return false }
        awaited = nil
        return true
    }

    /// Whether to load the list after ``limit`` has passed on a connection.
    mutating func timedOut(_ connection: UInt64) -> Bool {
        guard connection == awaited else { return false }
        awaited = nil
        return true
    }

    /// The connection ended.
    mutating func left() { awaited = nil }
}
