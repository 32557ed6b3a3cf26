/// Between the answer to CONNECT and the event `joined_room`, the server sends nothing of the inbox: what is published then is found by
/// loading the list after `joined_room`. A server that does not send it has some time instead.
struct RoomWait: Sendable, Equatable {
    /// From the answer to CONNECT.
    static let limit = Duration.seconds(2)

    private var lastConnection: UInt64 = 0
    /// The connection of which `joined_room` is awaited.
    private var awaited: UInt64?
    /// Whether the session was resumed: the server replays what was missed.
    private var isResumed = false

    /// The server let us in. Returns the number of the connection whose `joined_room` is to be awaited; nil: of none.
    mutating func joined(resumed: Bool) -> UInt64? {
        lastConnection += 1
        isResumed = resumed
        awaited = resumed ? nil : lastConnection
        return awaited
    }

    /// Whether the list is to be loaded after this event of the server.
    mutating func receive(_ event: String) -> Bool {
        guard event == "joined_room", !isResumed else { return false }
        awaited = nil
        return true
    }

    /// Whether the list is to be loaded, now that ``limit`` has passed on a connection.
    mutating func timedOut(_ connection: UInt64) -> Bool {
        guard connection == awaited else { return false }
        awaited = nil
        return true
    }

    /// The connection ended.
    mutating func left() { awaited = nil }
}
