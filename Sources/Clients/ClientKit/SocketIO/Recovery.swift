/// The position from which a server can replay missed events (Socket.IO, "Connection state recovery").
///
/// Keep it between two connections of the same user only: most servers replay the session's events to any client that
/// presents it, without a second check of the credentials.
package struct Recovery: Sendable, Hashable {
    /// The server's private id of the session.
    package var pid: String
    /// The position of the last event that was handled; nil before the first one, when there is nothing to recover
    /// from.
    package var offset: String?

    package init(pid: String, offset: String? = nil) {
        self.pid = pid
        self.offset = offset
    }
}
