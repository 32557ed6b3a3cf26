import TestSupport
import Testing

/// An X server that draws into memory.
enum VirtualDisplay {
    /// Runs `body` beside a server with a screen of this size.
    ///
    /// - Parameter body: Gets the value for `DISPLAY`.
    static func with(width: Int, height: Int, _ body: (String) async throws -> Void) async throws {
        let arguments = [
            "-displayfd", "1", "-screen", "0", "\(width)x\(height)x24", "-nolisten", "tcp",
            // Otherwise the server restarts when its last client ends, and refuses a client that comes meanwhile.
            "-noreset",
        ]
        try await RunningProgram.with("Xvfb", arguments) { server in
            func number(_ log: [String]) -> Int? { log.lazy.compactMap { Int($0) }.first }
            let log = try await waiting(for: "a display", seeing: { server.log }, until: { number($0) != nil })
            try await body(":\(try #require(number(log)))")
        }
    }
}
