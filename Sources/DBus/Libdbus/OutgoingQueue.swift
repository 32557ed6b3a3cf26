import CDBus
import Glibc

/// The messages that the socket has not accepted yet, in order.
struct OutgoingQueue {
    private var messages: [WireMessage] = []
    /// The number of messages at the front that were written, and of written bytes of the next one.
    private var (messagesWritten, bytesWritten) = (0, 0)
    /// Bytes that are not written yet.
    private(set) var size = 0

    var isEmpty: Bool { messages.isEmpty }

    mutating func append(_ message: WireMessage) {
        messages.append(message)
        size += message.bytes.count
    }

    /// Writes as much as the socket accepts.
    /// - Returns: Whether the socket still works.
    mutating func write(to socket: Int32) -> Bool {
        while messagesWritten < messages.count {
            let message = messages[messagesWritten]
            while bytesWritten < message.bytes.count {
                // Descriptors are sent with the first byte.
                let count = Self.send(message, from: bytesWritten, to: socket)
                guard count >= 0 else {
                    removeWritten()
                    return errno == EAGAIN || errno == EWOULDBLOCK
                }
                bytesWritten += count
                size -= count
            }
            messagesWritten += 1
            bytesWritten = 0
        }
        messages.removeAll(keepingCapacity: messages.count <= 16)
        messagesWritten = 0
        return true
    }

    /// Frees written messages when they are the larger part.
    private mutating func removeWritten() {
        let reason = errno
        defer { errno = reason }
        guard 2 * messagesWritten >= messages.count else { return }
        messages.removeFirst(messagesWritten)
        messagesWritten = 0
    }

    private static func send(_ message: WireMessage, from offset: Int, to socket: Int32) -> Int {
        // The numbers are valid while the message keeps its descriptors.
        withExtendedLifetime(message.descriptors) { descriptors in
            let numbers = offset == 0 ? descriptors.map { $0.withNumber { $0 } } : []
            return message.bytes.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
                return cdbus_send(socket, rest.baseAddress, rest.count, numbers, numbers.count)
            }
        }
    }
}
