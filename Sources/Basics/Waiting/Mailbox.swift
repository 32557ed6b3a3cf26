/// A queue of messages from any task to the one task that receives them.
package struct Mailbox<Message: Sendable>: Sendable {
    /// The messages in the order of ``send(_:)``, until ``close()`` or cancellation. For one task.
    package let messages: AsyncStream<Message>
    private let continuation: AsyncStream<Message>.Continuation

    /// - Parameter limit: What happens to messages that are not received yet: unlimited, or the newest or oldest are
    ///   kept.
    package init(_ limit: AsyncStream<Message>.Continuation.BufferingPolicy = .unbounded) {
        (messages, continuation) = AsyncStream.makeStream(bufferingPolicy: limit)
    }

    /// Adds a message; returns false if one was dropped because of the limit, or the mailbox is closed.
    @discardableResult package func send(_ message: Message) -> Bool {
        if case .enqueued = continuation.yield(message) { true } else { false }
    }

    /// Ends ``messages`` after those that were sent.
    package func close() { continuation.finish() }
}

extension Mailbox<Void> {
    @discardableResult package func send() -> Bool { send(()) }
}
