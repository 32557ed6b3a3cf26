import AgentInterface
import AgentTestSupport
import DBus
import Glibc
import Sandbox
import TestSupport
import Testing

/// A notification server, or the bus, that is stopped for a quarter of a minute and continues.
@Suite(.sessionBus, .sandbox(users: ["anna"]), .timeLimit(.minutes(5))) struct StoppedServerTests {
    private let sandbox = Sandbox.current
    private let configuration = AgentConfiguration.account() + "[popups]\ngroup_above = 100\n"

    /// Publishes notifications while the process is stopped.
    private func publish(whileStopped process: Int32) async throws -> [String] {
        kill(process, SIGSTOP)
        defer { kill(process, SIGCONT) }
        var ids: [String] = []
        for number in 1...4 { ids.append(try await sandbox.publish(["header": .string("Nr \(number)")])) }
        // The time is what is tested: longer than every timeout of a call.
        try await Task.sleep(for: .seconds(15))
        return ids
    }

    @Test("After the notification server was stopped, each popup appears once, and a click counts")
    func server() async throws {
        try await TemporaryFile.with("", named: "input") { input in
            try await BuiltAgent.alone(configuration) { agent in
                let command = "exec feedbell-sandbox notifications < <(exec tail -f --pid=$$ '\(input.path)')"
                try await RunningProgram.with("bash", ["-c", command]) { terminal in
                    _ = try await terminal.wait(for: "Notifications appear here.")
                    try await agent.account.wait(AgentAccount.state, is: "online")
                    try await sandbox.waitForConnection()
                    let ids = try await publish(whileStopped: terminal.processID)
                    try await agent.program.wait(for: "popup shown", times: 4)
                    // Its output may be read later than that of the agent.
                    try await terminal.wait(for: "Nr ", times: 4)
                    try input.write("click 4\n")
                    try await agent.waitForRequest("interacted", of: ids[3])
                    let lines = terminal.log.filter { $0.contains("Nr ") }
                    #expect(lines.count == 4, "\(lines)")
                }
            }
        }
    }

    @Test("After the bus was stopped, each popup appears once, and a click counts")
    func bus() async throws {
        try await BuiltAgent.with(configuration) { agent in
            let ids = try await publish(whileStopped: SessionBus.processID)
            var open: [String: UInt32] = [:]
            for _ in 1...4 {
                let popup = try await agent.popup()
                #expect(open.updateValue(popup.id, forKey: popup.summary) == nil)
            }
            #expect(open.keys.sorted() == ["Nr 1", "Nr 2", "Nr 3", "Nr 4"])
            try await agent.server.invoke(id: try #require(open["Nr 3"]))
            try await agent.waitForRequest("interacted", of: ids[2])
            _ = try await sandbox.publish(["header": "Last"])
            #expect(try await agent.popup().summary == "Last")
        }
    }
}
