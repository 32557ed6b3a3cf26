public import Synchronization

/// The messages of a ``Mailbox``, and the task that waits for one.
@usableFromInline
final class MailboxQueue<Message: Sendable>: Sendable {
    @usableFromInline typealias Receiver = UnsafeContinuation<Message?, Never>

    @usableFromInline
    struct State: Sendable {
        @usableFromInline var messages: [Message] = []
        /// The number of messages at the front that were received.
        @usableFromInline var received = 0
        /// They wait only while there is no message.
        @usableFromInline var receivers: [Receiver] = []
        @usableFromInline var isClosed = false

        @inlinable
        init() {}

        @inlinable var count: Int { messages.count - received }

        @inlinable
        mutating func takeFirst() -> Message? {
            guard received < messages.count else { return nil }
            let message = messages[received]
            received += 1
            if received == messages.count {
                messages.removeAll(keepingCapacity: received <= 16)
                received = 0
            } else if received >= 16, 2 * received >= messages.count {
                messages.removeFirst(received)
                received = 0
            }
            return message
        }
    }

    @usableFromInline let limit: Mailbox<Message>.Limit
    @usableFromInline let state = Mutex(State())

    @inlinable
    init(_ limit: Mailbox<Message>.Limit) { self.limit = limit }

    /// Returns false if a message was dropped, or the queue is closed.
    @inlinable
    func add(_ message: Message) -> Bool {
        let (receiver, isKept) = state.withLock { state -> (Receiver?, Bool) in
            if state.isClosed { return (nil, false) }
            if !state.receivers.isEmpty { return (state.receivers.removeFirst(), true) }
            switch limit {
            case .bufferingOldest(let limit) where state.count >= limit: return (nil, false)
            case .bufferingNewest(let limit) where state.count >= limit:
                _ = state.takeFirst()
                state.messages.append(message)
                return (nil, false)
            case .unbounded, .bufferingOldest, .bufferingNewest:
                state.messages.append(message)
                return (nil, true)
            }
        }
        receiver?.resume(returning: message)
        return isKept
    }

    @inlinable
    func close() {
        let receivers = state.withLock { state in
            defer { state.receivers = [] }
            state.isClosed = true
            return state.receivers
        }
        for receiver in receivers { receiver.resume(returning: nil) }
    }

    @inlinable
    func next(isolation actor: isolated (any Actor)?) async -> Message? {
        if Task.isCancelled { close() }
        if let message = state.withLock({ $0.takeFirst() }) { return message }
        return await withTaskCancellationHandler {
            await withUnsafeContinuation(isolation: actor) { receiver in wait(receiver) }
        } onCancel: {
            close()
        }
    }

    @inlinable
    func wait(_ receiver: Receiver) {
        let (message, isOver) = state.withLock { state -> (Message?, Bool) in
            if let message = state.takeFirst() { return (message, true) }
            if state.isClosed { return (nil, true) }
            state.receivers.append(receiver)
            return (nil, false)
        }
        if isOver { receiver.resume(returning: message) }
    }
}
