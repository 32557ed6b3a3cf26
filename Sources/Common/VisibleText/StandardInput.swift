import Glibc

/// Standard input, by read(2).
///
/// Not by `readLine()`: at the end of the input it reads again while errno(3) is EINTR, also if that is of an earlier
/// call, and then never returns.
package enum StandardInput {
    /// Reads to the end, or until there are more than `limit` bytes.
    ///
    /// - Parameter interrupted: Is called when a signal has interrupted the reading; what it throws ends it.
    package static func bytes<Failure>(
        from descriptor: Int32 = STDIN_FILENO,
        atMost limit: Int,
        interrupted: () throws(Failure) -> Void
    ) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count <= limit, let part = try part(of: descriptor, interrupted) { bytes += part }
        return bytes
    }

    /// Reads to the end. nil: it is longer than `limit` bytes.
    package static func text(from descriptor: Int32 = STDIN_FILENO, atMost limit: Int) -> String? {
        let bytes = bytes(from: descriptor, atMost: limit) { () throws(Never) in }
        return bytes.count <= limit ? String(decoding: bytes, as: UTF8.self) : nil
    }

    /// Calls `body` with each line, without its end, as soon as it was read.
    package static func forEachLine(from descriptor: Int32 = STDIN_FILENO, _ body: (String) -> Void) {
        var rest: [UInt8] = []
        while let part = part(of: descriptor, { () throws(Never) in }) {
            rest += part
            while let end = rest.firstIndex(of: 0x0A) {
                body(String(decoding: rest[..<end], as: UTF8.self))
                rest.removeSubrange(...end)
            }
        }
        if !rest.isEmpty { body(String(decoding: rest, as: UTF8.self)) }
    }

    /// Reads once, as many bytes as there are. nil: the input has ended, or reading it failed.
    private static func part<Failure>(
        of descriptor: Int32,
        _ interrupted: () throws(Failure) -> Void
    ) throws(Failure) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count > 0 { return Array(buffer[..<count]) }
            guard count < 0, errno == EINTR else { return nil }
            try interrupted()
        }
    }
}
