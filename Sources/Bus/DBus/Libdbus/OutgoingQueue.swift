import CDBus
import Glibc

/// The messages that the socket has not accepted yet, in order. Messages that follow each other are written by one
/// system call.
struct OutgoingQueue {
    /// The bytes of one or more messages, and the descriptors that are sent with the first of these bytes.
    private struct Part {
        var bytes: [UInt8]
        let descriptors: [UnixDescriptor]
    }

    /// A message that would make a part larger begins a new one.
    private static let partSize = 64 << 10

    private var parts: [Part] = []
    /// The number of parts at the front that were written, and of written bytes of the next one.
    private var (partsWritten, bytesWritten) = (0, 0)
    /// Bytes that are not written yet.
    private(set) var size = 0

    var isEmpty: Bool { parts.isEmpty }

    mutating func append(_ message: WireMessage) {
        size += message.bytes.count
        if message.descriptors.isEmpty, let last = parts.indices.last,
            parts[last].bytes.count + message.bytes.count <= Self.partSize
        {
            parts[last].bytes += message.bytes
        } else {
            parts.append(Part(bytes: message.bytes, descriptors: message.descriptors))
        }
    }

    /// Writes as much as the socket accepts.
    /// - Returns: Whether the socket still works.
    mutating func write(to socket: Int32) -> Bool {
        while partsWritten < parts.count {
            while bytesWritten < parts[partsWritten].bytes.count {
                // Descriptors are sent with the first byte.
                let count = Self.send(parts[partsWritten], from: bytesWritten, to: socket)
                guard count >= 0 else {
                    removeWritten()
                    return errno == EAGAIN || errno == EWOULDBLOCK
                }
                bytesWritten += count
                size -= count
            }
            partsWritten += 1
            bytesWritten = 0
        }
        parts.removeAll(keepingCapacity: parts.count <= 16)
        partsWritten = 0
        return true
    }

    /// Frees written parts when they are the larger half.
    private mutating func removeWritten() {
        let reason = errno
        defer { errno = reason }
        guard 2 * partsWritten >= parts.count else { return }
        parts.removeFirst(partsWritten)
        partsWritten = 0
    }

    private static func send(_ part: Part, from offset: Int, to socket: Int32) -> Int {
        // The numbers are valid while the part keeps its descriptors.
        withExtendedLifetime(part.descriptors) { descriptors in
            let numbers = offset == 0 ? descriptors.map { $0.withNumber { $0 } } : []
            return part.bytes.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
                return cdbus_send(socket, rest.baseAddress, rest.count, numbers, numbers.count)
            }
        }
    }
}
