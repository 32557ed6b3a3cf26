import AgentInterface
import ArgumentParser
import DBus
import Glibc

struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        _superCommandName: Feedbell.name,
        abstract: "Show connection, last error and unread count by account",
        discussion: """
            Example:
              $ feedbell status
              Feedbell 0.2.0: 3 unread
              work (echo, anna@example.com): online since 09:12, 3 unread

            A count that the service has not reported yet is unknown; in JSON it is null. The schema of the JSON is \
            share/feedbell/output.schema.json below the prefix of the installation; the member "format" changes if \
            readers would break. The exit code is 4 if an \
            account needs your attention. With --check it is 7 if no account is online.
            """
    )

    @Flag(help: "Print a JSON object; times are milliseconds since the Unix epoch, 0 for none.") var json = false
    @Flag(help: "End with an exit code for scripts: 0 if an account is online, else 7, or 4 as without it.")
    var check = false
    @OptionGroup var timeout: TimeoutOptions

    func run() async throws {
        // Both calls run at the same time.
        let root = try await timeout.object()
        async let accounts = root.accounts()
        let properties = try await root.properties(AgentRoot.self)
        let report = try StatusReport(root: properties, objects: try await accounts)
        let now = Int64(time(nil)) * 1000
        if json {
            Output.json(report.json)
        } else {
            Output.text(report.text(now: now, .standardOutput), terminator: "")
        }
        if report.needsAttention, check || !json { throw ExitCode.attentionNeeded }
        if check, !report.isOnline { throw ExitCode.offline }
    }
}
