/// What a server needs to give us the events we missed (connection state recovery, suprsend.md §3.9).
///
/// Keep it between two connections of the same person, and only of the same person: whoever presents it gets that
/// session's events, in most servers without another look at the credentials.
package struct Recovery: Sendable, Hashable {
    /// The server's private name for our session.
    package var pid: String
    /// The position of the last event we have handled. Nil until the first one: then there is nothing to recover from.
    package var offset: String?

    package init(pid: String, offset: String? = nil) {
        self.pid = pid
        self.offset = offset
    }
}
