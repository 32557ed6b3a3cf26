import Glibc

/// Standard output and standard error.
package enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// Writes the text in the character set of the user's locale, without adding a line feed.
    ///
    /// - Returns: 0, or the errno(3) of a failed write.
    @discardableResult package func write(_ text: String) -> Int32 { write(CharacterSet.current.bytes(text)) }

    /// Writes JSON and a line feed.
    ///
    /// - Returns: 0, or the errno(3) of a failed write.
    @discardableResult package func write(json: String) -> Int32 {
        write(CharacterSet.current.bytes(json: json + "\n"))
    }

    /// Writes all bytes. Waits where the stream does not block and its reader is slow.
    ///
    /// - Returns: 0, or the errno(3) of a failed write.
    @discardableResult package func write(_ bytes: [UInt8]) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(rawValue, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var descriptor = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
                _ = poll(&descriptor, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }
}
