import Glibc
import Testing

/// Runs `body` with two connected sockets that do not block, and closes them after it.
package func withSockets(_ body: (_ own: Int32, _ other: Int32) async throws -> Void) async throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    try await body(ends[0], ends[1])
}
