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
            while server.log.first(where: { Int($0) != nil }) == nil { try await Task.sleep(for: .milliseconds(10)) }
            let number = try #require(server.log.first { Int($0) != nil })
            try await body(":\(number)")
        }
    }
}
