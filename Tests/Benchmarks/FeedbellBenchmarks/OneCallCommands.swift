import DBus
import Sandbox

/// Every command that makes one call, against `busctl` making the same call: whole processes, turn by turn.
struct OneCallCommands {
    let programs: String
    let agent: AgentProgram
    let isQuick: Bool

    private struct Pair {
        var command: [String]
        /// The arguments of `busctl --user`.
        var call: [String]
    }

    func measure(into table: Table, _ desktop: Desktop) async throws {
        try await Sandbox.with(SandboxOptions(requireToken: false)) { sandbox in
            let id = try await sandbox.publish(["header": "Order 1 was shipped", "text": "It will be there on Friday."])
            let watch = try await desktop.watchAgent()
            let running = try agent.start(port: sandbox.port)
            _ = try await watch.appearance()
            for pair in Self.pairs(id) {
                var ours: [Duration] = []
                var busctl: [Duration] = []
                for _ in 0..<(isQuick ? 10 : 30) {
                    ours.append(try Child("\(programs)/feedbell", pair.command).finished())
                    busctl.append(try Child("busctl", ["--user"] + pair.call).finished())
                }
                let (own, other) = (try ours.milliseconds(0.5), try busctl.milliseconds(0.5))
                let words = pair.command.map { $0 == id ? "ID" : $0 }.joined(separator: " ")
                try table.add(
                    "`feedbell \(words)`, wall time, median of \(ours.count), to that of `busctl`",
                    .ratio(own, to: other),
                    beside: "\(own.text); `busctl` with `\(pair.call[4])` \(other.text)",
                    .command
                )
            }
            running.end()
        }
    }

    /// How long `busctl` takes to call the bus, from its start to its end.
    static func ping() throws -> Duration {
        let bus = "org.freedesktop.DBus"
        return try Child("busctl", ["--user", "call", bus, "/", "\(bus).Peer", "Ping"]).finished()
    }

    /// The arguments of each command.
    static func commands(_ id: String) -> [[String]] { pairs(id).map(\.command) }

    private static func pairs(_ id: String) -> [Pair] {
        let name = "org.feedbell.Agent1"
        let root = "/org/feedbell/Agent1"
        let work = "\(root)/account/\(AgentProgram.account)"
        func agent(_ member: String, _ arguments: String...) -> [String] {
            ["call", name, root, name, member] + arguments
        }
        func inbox(_ member: String, _ arguments: String...) -> [String] {
            ["call", name, work, "\(name).Inbox", member] + arguments
        }
        func preferences(_ member: String, _ arguments: String...) -> [String] {
            ["call", name, work, "\(name).Preferences", member] + arguments
        }
        func property(_ member: String) -> [String] { ["get-property", name, work, "\(name).Inbox", member] }
        return [
            Pair(
                command: ["status"],
                call: ["call", name, root, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects"]
            ),
            Pair(command: ["list"], call: inbox("List", "a{sv}", "0")),
            Pair(command: ["show", id], call: inbox("Get", "s", id)),
            Pair(command: ["read", id], call: inbox("MarkRead", "as", "1", id)),
            Pair(command: ["unread", id], call: inbox("MarkUnread", "as", "1", id)),
            Pair(command: ["seen", id], call: inbox("MarkSeen", "as", "1", id)),
            Pair(command: ["read-all"], call: inbox("MarkAllRead")),
            Pair(command: ["badge"], call: property("BadgeCount")),
            Pair(command: ["badge", "reset"], call: inbox("ResetBadge")),
            Pair(command: ["tabs"], call: property("Tabs")),
            Pair(command: ["more"], call: inbox("FetchMore", "s", "")),
            Pair(command: ["preferences"], call: preferences("List")),
            Pair(
                command: ["preferences", "set", "refund-news", "off"],
                call: preferences("SetCategory", "ss", "refund-news", "opt_out")
            ),
            Pair(
                command: ["preferences", "channel", "email", "all"],
                call: preferences("SetChannel", "ss", "email", "all")
            ),
            Pair(command: ["pause"], call: agent("Pause", "x", "0")),
            Pair(command: ["resume"], call: agent("Resume")),
            Pair(command: ["reconnect"], call: agent("Reconnect")),
            Pair(command: ["reload"], call: agent("Reload")),
        ]
    }
}

extension Table {
    /// The time from the start of the agent to `event`, and of ``OneCallCommands/ping()`` in turns with it.
    func add(start event: String, _ times: [Duration], _ busctl: [Duration], _ budget: Budget) throws {
        let (own, other) = (try times.milliseconds(0.5), try busctl.milliseconds(0.5))
        try add(
            "start to \(event), median of \(times.count), to the wall time of `busctl`",
            .ratio(own, to: other),
            beside: "\(own.text); `busctl` with `Ping` \(other.text)",
            budget
        )
    }
}
