import FoundationEssentials
import Sandbox
import TestSupport
import Testing

/// The Python agent that the benchmarks compare with does what they say about it.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct PythonAgentTests {
    @Test(
        "The Python agent shows a notification and marks it after a click",
        .sandbox(SandboxOptions(users: ["anna"], requireToken: false))
    )
    func click() async throws {
        let sandbox = Sandbox.current
        let script = Checkout.root.appending(path: "Tests/Benchmarks/PythonAgent/agent.py").path
        let arguments = [try Checkout.python, script, sandbox.baseURL, "anna", "Python agent", ":memory:"]
        try await withBus { bus in
            let server = TerminalServer(bus: bus)
            try await server.serving {
                _ = try await RunningProgram.with("env", arguments) { _ in
                    try await sandbox.wait { state in
                        state.realtime.connections.values.contains(where: \.isInRoom) ? true : nil
                    }
                    let id = try await sandbox.publish(["header": "Parcel", "text": "It is here."])
                    let popup = try #require(await server.notifications.next())
                    #expect(popup.summary == "Parcel" && popup.body == "It is here.")
                    try await server.invoke(id: popup.id)
                    try await sandbox.waitForRequest { $0.path == "/v1/feed/notifications/\(id)/interacted" }
                }
            }
        }
    }
}
