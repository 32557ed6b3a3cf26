public import Synchronization

/// A queue of messages from any task to the task that receives them.
///
/// A mailbox does what an `AsyncStream` does. That one is not specialized for its messages: each of them would cost
/// several thousand instructions, which is noticeable in a notification's way through the agent.
@usableFromInline package struct Mailbox<Message: Sendable>: Sendable {
    /// The limit of messages that are not received yet.
    @usableFromInline package enum Limit: Sendable {
        case unbounded
        /// At most this number is kept: a further message replaces the oldest one.
        case bufferingNewest(Int)
        /// At most this number is kept: a further message is discarded.
        case bufferingOldest(Int)
    }

    @usableFromInline let queue: MessageQueue<Message>

    @inlinable package init(_ limit: Limit = .unbounded) { queue = MessageQueue(limit) }

    /// The messages in the order of ``send(_:)``, until ``close()`` or the cancellation of a task that waits for one.
    /// Each message is received by one task.
    @inlinable package var messages: Messages { Messages(queue) }

    /// Adds a message; returns false if one was dropped because of the limit, or the mailbox is closed.
    @inlinable @discardableResult package func send(_ message: Message) -> Bool { queue.send(message) }

    /// Ends ``messages`` after those that were sent.
    @inlinable package func close() { queue.close() }

    /// See ``Mailbox/messages``.
    @usableFromInline package struct Messages: AsyncSequence, Sendable {
        @usableFromInline let queue: MessageQueue<Message>

        @inlinable init(_ queue: MessageQueue<Message>) { self.queue = queue }

        @inlinable package func makeAsyncIterator() -> Iterator { Iterator(queue) }

        @usableFromInline package struct Iterator: AsyncIteratorProtocol {
            @usableFromInline let queue: MessageQueue<Message>

            @inlinable init(_ queue: MessageQueue<Message>) { self.queue = queue }

            @inlinable package mutating func next() async -> Message? { await next(isolation: #isolation) }

            @inlinable package mutating func next(isolation actor: isolated (any Actor)?) async -> Message? {
                if let message = queue.take() { return message }
                return await withTaskCancellationHandler { [queue] in
                    await withUnsafeContinuation(isolation: actor) { queue.wait($0) }
                } onCancel: { [queue] in
                    queue.close()
                }
            }
        }
    }
}

extension Mailbox<Void> {
    @discardableResult package func send() -> Bool { send(()) }
}

/// The messages of a ``Mailbox``, and the tasks that wait for one.
@usableFromInline final class MessageQueue<Message: Sendable>: Sendable {
    @usableFromInline struct State: Sendable {
        /// The messages up to `first` were received.
        @usableFromInline var messages: [Message?] = []
        @usableFromInline var first = 0
        @usableFromInline var waiters: [UnsafeContinuation<Message?, Never>] = []
        @usableFromInline var isClosed = false

        @inlinable init() {}

        @inlinable mutating func take() -> Message? {
            guard first < messages.count else { return nil }
            defer {
                first += 1
                if first == messages.count {
                    messages.removeAll(keepingCapacity: first < 64)
                    first = 0
                } else if first >= 1_024, first * 2 > messages.count {
                    messages.removeFirst(first)
                    first = 0
                }
            }
            return messages[first].take()
        }
    }

    @usableFromInline let limit: Mailbox<Message>.Limit
    @usableFromInline let state = Mutex(State())

    @inlinable init(_ limit: Mailbox<Message>.Limit) { self.limit = limit }

    @inlinable func send(_ message: Message) -> Bool {
        let (waiter, isComplete) = state.withLock { state -> (UnsafeContinuation<Message?, Never>?, Bool) in
            if state.isClosed { return (nil, false) }
            if !state.waiters.isEmpty { return (state.waiters.removeFirst(), true) }
            let count = state.messages.count - state.first
            switch limit {
            case .bufferingOldest(let limit) where count >= limit: return (nil, false)
            case .bufferingNewest(let limit) where count >= limit:
                _ = state.take()
                if limit > 0 { state.messages.append(message) }
                return (nil, false)
            default:
                state.messages.append(message)
                return (nil, true)
            }
        }
        waiter?.resume(returning: message)
        return isComplete
    }

    @inlinable func take() -> Message? { state.withLock { $0.take() } }

    /// Resumes the task with the next message; with nil if there is none and there will not be one.
    @inlinable func wait(_ waiter: UnsafeContinuation<Message?, Never>) {
        let (message, isOver) = state.withLock { state -> (Message?, Bool) in
            if let message = state.take() { return (message, true) }
            if state.isClosed { return (nil, true) }
            state.waiters.append(waiter)
            return (nil, false)
        }
        if isOver { waiter.resume(returning: message) }
    }

    @inlinable func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume(returning: nil) }
    }
}
