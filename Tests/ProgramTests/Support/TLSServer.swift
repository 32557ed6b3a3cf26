import TestSupport
import Testing

/// An untrusted server: `openssl s_server` with a certificate for `localhost` that expired a day ago.
enum TLSServer {
    static func with(_ body: (_ port: String) async throws -> Void) async throws {
        try await TestAuthority.with { authority in
            let (certificate, key) = try await authority.issue("localhost", .dayAgo)
            let arguments = ["s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key, "-www"]
            try await RunningProgram.with("openssl", arguments) { program in
                let line = try await program.wait(for: "ACCEPT")
                try await body(String(try #require(line.split(separator: ":").last)))
            }
        }
    }
}
