import AgentTestSupport
import Subprocess
import TestSupport
import Testing

/// An untrusted server: `openssl s_server` with a self-signed certificate for `localhost`, which expired a day ago.
enum TLSServer {
    /// `openssl x509` of OpenSSL 3.0 takes no dates, and that of 3.5 no negative number of days.
    private static let makeCertificate = """
        cd "$1"
        touch index
        cat >ca <<END
        [ca]
        default_ca = own
        [own]
        database = index
        new_certs_dir = .
        rand_serial = yes
        default_md = sha256
        policy = any
        [any]
        commonName = supplied
        END
        date() { command date --utc --date "$1" +%Y%m%d%H%M%SZ; }
        openssl req -new -subj /CN=localhost -out request \
            -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key
        openssl ca -batch -selfsign -config ca -in request -keyfile key -out certificate \
            -startdate "$(date '2 days ago')" -enddate "$(date '1 day ago')"
        """

    static func with(_ body: (_ port: String) async throws -> Void) async throws {
        try await TemporaryFile.with("") { file in
            let directory = file.directory
            let outcome = try await Command.run("sh", ["-ec", makeCertificate, "sh", directory])
            try #require(outcome.succeeded, "\(outcome.errors)")
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
