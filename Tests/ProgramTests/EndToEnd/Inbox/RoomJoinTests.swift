import Sandbox
import TestSupport
import Testing

/// The built agent between the answer to CONNECT and `joined_room`.
@Suite(.sessionBus, .sandbox(SandboxOptions(users: ["anna"], recovery: false)), .builtAgent(), .timeLimit(.minutes(5)))
struct RoomJoinTests {
    private let sandbox = Sandbox.current
    private let agent = BuiltAgent.current

    @Test("A notification published before the service confirms the room is shown")
    func publishedBeforeTheRoom() async throws {
        _ = try await sandbox.publish(["header": "Before", "text": "x"])
        #expect(try await agent.popup().summary == "Before")
        let old = try await sandbox.waitForConnection()
        try await sandbox.execute("hold-rooms")
        let requests = await sandbox.requests.last?.number ?? 0
        try await sandbox.execute("drop", ["how": "reset"])
        try await sandbox.waitForConnection(after: old)
        // The list that is loaded without joined_room is older than what comes now.
        try await sandbox.waitForRequest(after: requests) { $0.path == "/v1/feed/notifications" }
        _ = try await sandbox.publish(["header": "Between", "text": "x"])
        try await sandbox.execute("hold-rooms", ["on": false])
        #expect(try await agent.popup().summary == "Between")
        _ = try await sandbox.publish(["header": "After", "text": "x"])
        #expect(try await agent.popup().summary == "After")
    }
}
