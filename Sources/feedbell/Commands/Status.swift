import AgentInterface
import ArgumentParser
import DBus
import Glibc

struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Tells for each account whether it is connected, since when, what went wrong last and what is unread.",
        discussion: """
            Example:
              $ feedbell status
              Feedbell 0.1.0: 3 unread
              work (suprsend, anna@example.com): online since 09:12, 3 unread

            Ends with 4 if an account needs your attention.
            """
    )

    @Flag(help: "Print a JSON object; times are milliseconds since the Unix epoch, 0 for none.") var json = false

    func run() async throws {
        let agent = try await AgentConnection.open()
        let report = try await agent.ask { try await self.report(of: agent.root) }
        print(json ? report.json + "\n" : report.text(now: Int64(time(nil)) * 1000), terminator: "")
        if report.needsAttention { throw ExitCode.attentionNeeded }
    }

    /// Both questions are on their way at once.
    private func report(of agent: Proxy) async throws -> StatusReport {
        async let objects = agent.getManagedObjects(autoStart: false)
        let root = try await agent.getAll(AgentRoot.self, autoStart: false)
        return try StatusReport(root: root, objects: try await objects)
    }
}
