/// A queue of messages from any task to the one task that receives them.
///
/// It does what an `AsyncStream` does, for a quarter of its instructions: it is compiled for each type of message.
@usableFromInline
package struct Mailbox<Message: Sendable>: Sendable {
    /// What happens to messages that are not received yet.
    @usableFromInline
    package enum Limit: Sendable {
        case unbounded
        /// The oldest messages are kept.
        case bufferingOldest(Int)
        /// The newest messages are kept.
        case bufferingNewest(Int)
    }

    /// The messages in the order of ``Mailbox/send(_:)``, until ``Mailbox/close()`` or cancellation.
    @usableFromInline
    package struct Messages: AsyncSequence, AsyncIteratorProtocol, Sendable {
        @usableFromInline let queue: MailboxQueue<Message>

        @inlinable
        init(_ queue: MailboxQueue<Message>) { self.queue = queue }

        @inlinable
        package func makeAsyncIterator() -> Self { self }

        /// The next message; nil after the last one, or at cancellation, which closes the mailbox.
        @inlinable
        package func next(isolation actor: isolated (any Actor)? = #isolation) async -> Message? {
            await queue.next(isolation: actor)
        }
    }

    /// For one task.
    @usableFromInline package let messages: Messages

    @inlinable
    package init(_ limit: Limit = .unbounded) { messages = Messages(MailboxQueue(limit)) }

    /// Adds a message; returns false if one was dropped because of the limit, or the mailbox is closed.
    @inlinable
    @discardableResult package func send(_ message: Message) -> Bool { messages.queue.add(message) }

    /// Ends ``messages`` after those that were sent.
    @inlinable
    package func close() { messages.queue.close() }
}

extension Mailbox<Void> {
    @discardableResult package func send() -> Bool { send(()) }
}
