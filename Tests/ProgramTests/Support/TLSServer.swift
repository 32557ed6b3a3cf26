import AgentTestSupport
import Subprocess
import TestSupport
import Testing

/// An untrusted server: `openssl s_server` with a self-signed certificate for `localhost`.
enum TLSServer {
    /// - Parameter days: How long the certificate is valid; negative: it expired so long ago.
    static func with(days: Int, _ body: (_ port: String) async throws -> Void) async throws {
        try await TemporaryFile.with("") { file in
            let directory = file.directory
            let key = [
                "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", "\(directory)/key",
            ]
            let commands = [
                ["req", "-new", "-subj", "/CN=localhost", "-out", "\(directory)/request"] + key,
                [
                    "x509", "-req", "-in", "\(directory)/request", "-signkey", "\(directory)/key", "-days", "\(days)",
                    "-out", "\(directory)/certificate",
                ],
            ]
            for command in commands {
                let outcome = try await Command.run("openssl", command)
                try #require(outcome.succeeded, "\(outcome.errors)")
            }
            let arguments = [
                "s_server", "-accept", "127.0.0.1:0", "-cert", "\(directory)/certificate", "-key", "\(directory)/key",
                "-www",
            ]
            try await RunningProgram.with("openssl", arguments) { program in
                let line = try await program.wait(for: "ACCEPT")
                try await body(String(try #require(line.split(separator: ":").last)))
            }
        }
    }
}
