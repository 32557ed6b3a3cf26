import Glibc
import Testing
import VisibleText

/// ``VisibleText/StandardInput``, with a pipe as standard input.
@Suite struct StandardInputTests {
    /// Calls `body` with a descriptor that has this text, and then ends.
    private static func with<Result>(_ text: String, _ body: (Int32) -> Result) -> Result {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        defer { close(ends[0]) }
        _ = write(ends[1], text, text.utf8.count)
        close(ends[1])
        // Of an earlier call, as after a signal.
        errno = EINTR
        return body(ends[0])
    }

    @Test(
        "The whole input is read, up to a limit",
        arguments: [("", ""), ("a\nb", "a\nb"), ("12345", "12345"), ("123456", nil)]
    )
    func text(input: String, expected: String?) {
        #expect(Self.with(input) { StandardInput.text(from: $0, atMost: 5) } == expected)
    }

    @Test(
        "Lines are read to the end, the last one also without a line feed",
        arguments: ["a\n\nbc\nd", "a\n\nbc\nd\n"]
    )
    func lines(input: String) {
        var lines: [String] = []
        Self.with(input) { StandardInput.forEachLine(from: $0) { lines.append($0) } }
        #expect(lines == ["a", "", "bc", "d"])
    }
}
