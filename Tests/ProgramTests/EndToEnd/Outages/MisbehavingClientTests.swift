import AgentInterface
import AgentTestSupport
import DBus
import Foundation
import Sandbox
import Subprocess
import TestSupport
import Testing

/// Clients on the bus that overload the agent or send it invalid messages.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct MisbehavingClientTests {
    private static let client = Checkout.root.appending(path: "Tests/ProgramTests/Clients/raw-client.py").path

    /// A call without a typed binding.
    private func call(_ agent: BuiltAgent, _ path: ObjectPath, _ member: String, _ body: [Value]) async
        -> ErrorName?
    {
        let parts = member.split(separator: ".")
        do throws(DBusError) {
            let interface = try InterfaceName(parts.dropLast().joined(separator: "."))
            let member = try MemberName(String(parts.last ?? ""))
            try await agent.bus.call(.methodCall(AgentNames.busName, path, interface, member, body))
            return nil
        } catch {
            return error.name
        }
    }

    @Test("Calls with invalid arguments, members or objects get standard errors", .builtAgent()) func invalidCalls()
        async throws
    {
        let agent = BuiltAgent.current
        let (top, work) = (AgentNames.agentPath, AgentNames.accountPath("work"))
        let (root, inbox) = ("org.feedbell.Agent1.", "org.feedbell.Agent1.Inbox.")
        let (preferences, properties) = ("org.feedbell.Agent1.Preferences.", "org.freedesktop.DBus.Properties.")
        let huge = String(repeating: "x", count: 1 << 20)
        let calls: [(ObjectPath, String, [Value], ErrorName)] = [
            (top, root + "Pause", [.string("soon")], .invalidArgs),
            (top, root + "Pause", [], .invalidArgs),
            (top, root + "Pause", [.int64(0), .int64(0)], .invalidArgs),
            (top, root + "Pause", [.int64(.min)], .invalidArgs),
            (top, root + "Sing", [], .unknownMethod),
            (top, "org.feedbell.Agent2.Pause", [.int64(0)], .unknownInterface),
            (top.appending("nobody"), root + "Pause", [.int64(0)], .unknownObject),
            (top, properties + "Get", [.string("org.feedbell.Agent1"), .string("Mood")], .unknownProperty),
            (
                top, properties + "Set",
                [.string("org.feedbell.Agent1"), .string("Paused"), .variant(.bool(true))], .propertyReadOnly
            ),
            (work, inbox + "List", [Value([String: Value]()), .bool(true)], .invalidArgs),
            (work, inbox + "List", [Value(["limit": Value.int64(-1)])], .invalidArgs),
            (work, inbox + "List", [Value(["unread": Value.string("yes")])], .invalidArgs),
            (work, inbox + "Get", [.string("")], .invalidArgs),
            (work, inbox + "Get", [.string("no such")], AgentErrors.notFound),
            (work, inbox + "Get", [.string(huge)], .invalidArgs),
            (work, inbox + "Open", [.string(huge), Value([String: Value]())], .invalidArgs),
            (work, inbox + "MarkRead", [Value([""])], .invalidArgs),
            (work, inbox + "MarkRead", [Value([huge])], .invalidArgs),
            (work, inbox + "MarkRead", [Value(Array(repeating: "x", count: 100_000))], .limitsExceeded),
            (work, inbox + "List", [Value(["tab": Value.string(huge)])], .invalidArgs),
            (work, inbox + "HasMore", [.string(huge)], .invalidArgs),
            (work, inbox + "FetchMore", [.string(huge)], .invalidArgs),
            (work, inbox + "Delete", [Value(["x"])], AgentErrors.notSupported),
            (work, preferences + "SetCategory", [.string(huge), .string("opt_in")], AgentErrors.notFound),
            (work, preferences + "SetCategory", [.string("refund-news"), .string("maybe")], .invalidArgs),
            (work, preferences + "SetChannel", [.string("email"), .string(huge)], .invalidArgs),
        ]
        for (path, member, body, expected) in calls {
            let error = await call(agent, path, member, body)
            #expect(error == expected, "\(member)(\(body.first.map { "\($0)".prefix(60) } ?? ""))")
        }
        for (count, expected) in [(10_000, ErrorName.invalidArgs), (50_000, .limitsExceeded)] {
            let many = Dictionary(uniqueKeysWithValues: (0..<count).map { ("key\($0)", Value.int64(Int64($0))) })
            #expect(await call(agent, work, inbox + "List", [Value(many)]) == expected)
        }
        #expect(await call(agent, top, root + "Pause", [.int64(.max)]) == nil)
        #expect(await call(agent, top, root + "Resume", []) == nil)
        #expect(try await agent.account.get(AgentAccount.state) == "online")
    }

    /// The bus hangs up on these before the agent sees them.
    @Test("Malformed messages do not reach the agent", .builtAgent()) func malformedMessages() async throws {
        let agent = BuiltAgent.current
        let python = try Checkout.python
        let kinds = try await Programs.output("env", [python, Self.client, "malformed", "list"])
        #expect(kinds.split(separator: "\n").count == 10)
        for kind in kinds.split(separator: "\n").map(String.init) {
            let ran = try await Programs.run("env", [python, Self.client, "malformed", kind])
            #expect(ran.status == .exited(0), "\(ran.errors)")
            #expect(ran.output == "closed\n", "\(kind): \(ran.errors)")
        }
        #expect(try await agent.account.get(AgentAccount.state) == "online")
    }

    @Test("A thousand concurrent calls are all answered", .builtAgent()) func concurrentCalls() async throws {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        let id = try await sandbox.publish(["header": "One", "text": "first"])
        let account = agent.account
        // The count may be there before the row is.
        try await agent.waitForList(count: 1)
        try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<1000 {
                group.addTask { try await account.call(AgentInbox.list, [:]).first?["id"].flatMap(\.text) }
            }
            for try await listed in group { #expect(listed == id) }
        }
    }

    /// Requests more 400 kB replies than the agent queues, never reads them, and closes the connection. Other callers
    /// are served meanwhile.
    @Test("A caller that never reads replies does not block others", .builtAgent())
    func silentCaller() async throws {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        // In the sender's data, which is passed on unchanged: a long text would be parsed several times.
        let data = String(repeating: "All work and no play. ", count: 900)
        for _ in 0..<20 {
            _ = try await sandbox.publish(["header": "One", "text": "x", "extra_data": .string(data)])
        }
        try await agent.account.wait(AgentInbox.totalCount, is: 20)
        try await agent.waitForList(count: 20)
        let before = try Self.peakMemory(of: agent.program)
        let flood = [Self.client, "flood", "300"]
        try await RunningProgram.with("env", [try Checkout.python] + flood) { flooder in
            _ = try await flooder.wait(for: "sent")
            for _ in 0..<20 { #expect(try await agent.account.call(AgentInbox.list, [:]).count == 20) }
            flooder.send(SIGKILL)
        }
        #expect(try await agent.account.call(AgentInbox.list, [:]).count == 20)
        let grown = try Self.peakMemory(of: agent.program) - before
        #expect(grown < 60_000, "\(grown) kB for answers of 120 MB")
    }

    /// libdbus itself holds the message, in a buffer that grows by doubling.
    @Test(
        "Eight million arguments are refused without being decoded, and leave no memory behind",
        .builtAgent(),
        arguments: [("NoSuchMethod", "UnknownMethod"), ("List", "InvalidArgs"), ("MarkRead", "LimitsExceeded")]
    )
    func hugeCall(member: String, error: String) async throws {
        let agent = BuiltAgent.current
        let before = try Self.memory("VmRSS", of: agent.program)
        let ran = try await Programs.run("env", [try Checkout.python, Self.client, "huge", member])
        #expect(ran.status == .exited(0), "\(ran.errors)")
        #expect(ran.output == "org.freedesktop.DBus.Error.\(error)\n", "\(ran.errors)")
        #expect(try await agent.account.get(AgentAccount.state) == "online")
        let (peak, after) = (try Self.memory("VmHWM", of: agent.program), try Self.memory("VmRSS", of: agent.program))
        #expect(peak - before < 250_000, "\(peak - before) kB")
        #expect(after - before < 20_000, "\(after - before) kB")
    }

    /// A listener that never reads costs the agent nothing: what waits for it waits in the bus.
    @Test("A listener that never reads signals costs the agent no memory", .builtAgent())
    func silentListener() async throws {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        let monitor = "exec gdbus monitor -e -d org.feedbell.Agent1 -o /org/feedbell/Agent1/account/work"
        try await RunningProgram.with("sh", ["-c", monitor]) { listener in
            _ = try await listener.wait(for: "The name org.feedbell.Agent1 is owned by")
            listener.send(SIGSTOP)
            var last = ""
            for _ in 0..<300 { last = try await sandbox.publish(["header": "One", "text": "x"]) }
            try await agent.account.wait(AgentInbox.unreadCount) { $0 >= 200 }
            try await agent.account.call(AgentInbox.markRead, [last])
            try await agent.waitForRequest("read", of: last)
            listener.send(SIGKILL)
        }
    }

    /// In kilobytes.
    private static func peakMemory(of program: RunningProgram) throws -> Int { try memory("VmHWM", of: program) }

    /// A line of proc_pid_status(5), in kilobytes.
    private static func memory(_ name: String, of program: RunningProgram) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(program.processID)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name + ":") })
        return try #require(Int(line.split(separator: " ").dropLast().last ?? ""))
    }

    /// Everything that goes over the bus while an account with a token comes online, is used and refused.
    @Test("No message on the bus contains the token", .sandbox(users: ["anna"])) func tokenStaysOffTheBus() async throws
    {
        let sandbox = Sandbox.current
        let token = try await sandbox.token(for: Recipient("anna"), lifetime: 3600)
        try await TemporaryFile.with(token + "\n", named: "token") { file in
            let text =
                AgentConfiguration.account(hasToken: false)
                + "token_file = \"\(file.path)\"\n"
            let monitor = try await RunningProgram.with("dbus-monitor", ["--session"]) { monitor in
                _ = try await monitor.wait(for: "NameLost")
                try await BuiltAgent.alone(text) { agent in
                    try await agent.account.wait(AgentAccount.state, is: "online")
                    _ = try await agent.root.getManagedObjects()
                    try await sandbox.execute("rotate-tokens")
                    _ = try await sandbox.publish(["header": "One", "text": "x"])
                    try await agent.account.wait(AgentAccount.state, is: "unauthorized")
                    _ = try await Programs.run("feedbell", ["status"])
                    _ = try await monitor.wait(for: "unauthorized")
                }
                return monitor.log
            }
            #expect(monitor.result.contains { $0.contains("online") })
            #expect(!monitor.result.contains { $0.contains(token) || $0.contains(token.suffix(20)) })
        }
    }
}

extension Value {
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}
