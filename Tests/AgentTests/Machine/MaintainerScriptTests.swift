import AgentTestSupport
import FoundationEssentials
import Glibc
import Subprocess
import TestSupport
import Testing

/// The scripts of the Debian package, on a system whose service managers do not answer.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct MaintainerScriptTests {
    /// The service manager of the system answers; those of the users do not.
    private static let systemctl = """
        #!/bin/sh
        echo "$*" >>"${0%/*}/log"
        case "$*" in
        *list-units*) echo "user@1000.service loaded active running User Manager for UID 1000" ;;
        *) while :; do sleep 1; done ;;
        esac

        """
    /// Does not make the test wait: says how long it would.
    private static let timeout = """
        #!/bin/sh
        echo "timeout $1" >>"${0%/*}/log"
        shift
        exec /usr/bin/timeout 0.2 "$@"

        """

    @Test(
        "Installing and removing the package ends although the service manager of a user does not answer",
        arguments: [("feedbell.postinst", "configure"), ("feedbell.prerm", "remove")]
    )
    func hangingServiceManager(script: String, argument: String) async throws {
        try await TemporaryFile.with("", named: "log") { log in
            let file = Checkout.root.appending(path: "packaging/debian/\(script)").path
            let text = try TemporaryFile(path: file).read()
                .replacing("/run/systemd/system", with: log.directory)
                .replacing("/usr/lib/feedbell/end-agents", with: "echo end-agents >>'\(log.path)'; :")
            for (name, content) in [
                ("systemctl", Self.systemctl), ("deb-systemd-invoke", Self.systemctl), ("timeout", Self.timeout),
            ] {
                let program = TemporaryFile(path: log.directory + "/" + name)
                try program.write(content)
                #expect(chmod(program.path, 0o700) == 0)
            }
            let path = log.directory + ":/usr/bin:/bin"
            let ran = try await Programs.run("sh", ["-c", text, script, argument], environment: ["PATH": path])
            #expect(ran.status == .exited(0), "\(ran.errors)")
            let lines = try log.read().split(separator: "\n")
            #expect(lines.count { $0.hasPrefix("timeout 10") } >= 1)
            if argument == "configure" {
                #expect(lines.contains { $0.contains("--no-block try-restart feedbell.service") })
            } else {
                #expect(lines.contains("--user stop feedbell.service") && lines.last == "end-agents")
            }
        }
    }
}
