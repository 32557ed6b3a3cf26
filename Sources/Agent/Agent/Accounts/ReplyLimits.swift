import Basics

/// Limits the memory for replies to `List`.
final class ReplyLimits: Sendable {
    /// The maximum size of the notifications of a reply, in bytes: far below the 64 MiB of an array and the 128 MiB of
    /// a message (D-Bus Specification, "Type System" and "Message Format"), as the bus and both programs have it in
    /// memory, maybe several times.
    let size: Int
    /// The replies with all that is kept, and the searches, of all accounts. Callers take turns.
    let (replies, searches) = (SerialGate(), SerialGate())

    init(size: Int) { self.size = size }
}
