import AgentInterface
import ArgumentParser
import DBus
import Glibc

struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract:
            "Tells for each account whether it is connected, since when, what went wrong last and what is unread.",
        discussion: """
            Example:
              $ feedbell status
              Feedbell 0.1.0: 3 unread
              work (echo, anna@example.com): online since 09:12, 3 unread

            Ends with 4 if an account needs your attention.
            """
    )

    @Flag(help: "Print a JSON object; times are milliseconds since the Unix epoch, 0 for none.") var json = false
    @OptionGroup var timeout: TimeoutOptions

    func run() async throws {
        // Both questions are on their way at once.
        let root = try await timeout.root()
        async let accounts = root.accounts()
        let properties = try await root.properties(AgentRoot.self)
        let report = try StatusReport(root: properties, objects: try await accounts)
        let now = Int64(time(nil)) * 1000
        print(json ? report.json + "\n" : report.text(now: now, .standardOutput), terminator: "")
        if report.needsAttention { throw ExitCode.attentionNeeded }
    }
}
