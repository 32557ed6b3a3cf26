import Glibc
import Testing
import VisibleText

/// A standard error that is not read.
@Suite(.timeLimit(.minutes(5))) struct LogStreamTests {
    private static func text(of descriptor: Int32) -> String {
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("Lines that are not read are discarded and counted, the others stay whole", arguments: [false, true])
    func unread(isSocket: Bool) throws {
        var ends: [Int32] = [-1, -1]
        let result = isSocket ? socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) : pipe(&ends)
        try #require(result == 0)
        defer { for end in ends { close(end) } }
        let stream = LogStream(ends[1]) { Array("\($0) discarded\n".utf8) }
        let sent = 2_000
        for number in 0..<sent { stream.write(Array("\(number) \(String(repeating: "x", count: 300))\n".utf8)) }
        // The blocking writers of other processes are not affected.
        #expect(fcntl(ends[1], F_GETFL) & O_NONBLOCK == 0)
        let before = Self.text(of: ends[0])
        stream.write(Array("next\n".utf8))
        let lines = (before + Self.text(of: ends[0])).split(separator: "\n").map(String.init)
        let kept = lines.count { $0.hasSuffix("xxx") }
        #expect(kept > 100 && kept < sent)
        #expect(
            lines == (0..<kept).map { "\($0) \(String(repeating: "x", count: 300))" }
                + ["\(sent - kept) discarded", "next"]
        )
    }
}
