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

    func run() async throws {
        let agent = try await AgentConnection.open()
        let (root, objects) = try await agent.ask { () async throws(DBusError) in
            let root = try await agent.root.getAll(AgentRoot.self, autoStart: false)
            return (root, try await agent.root.getManagedObjects(autoStart: false))
        }
        let report = try await agent.ask { () throws(DBusError) in try StatusReport(root: root, objects: objects) }
        print(report.text(now: Int64(time(nil)) * 1000), terminator: "")
        if report.needsAttention { throw ExitCode.attentionNeeded }
    }
}
