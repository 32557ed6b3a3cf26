import NotificationTerminal
import Sandbox
import TestSupport
import Testing

/// The built agent between the answer to CONNECT and `joined_room`.
@Suite(.sessionBus, .timeLimit(.minutes(2))) struct RoomTests {
    @Test("What is published while the service has not put the agent in its room pops up (12.26)")
    func publishedBeforeTheRoom() async throws {
        try await AgentFixture.with(options: { $0.recovery = false }) { fixture in
            let sandbox = fixture.sandbox
            _ = try await sandbox.publish(["header": "Before", "text": "x"])
            #expect(try await fixture.popup().summary == "Before")
            let old = try await sandbox.waitForConnection()
            try await sandbox.perform(.holdRooms(true))
            let requests = await sandbox.requests.last?.number ?? 0
            try await sandbox.perform(.drop(.hangUp(.reset)))
            try await sandbox.waitForConnection(after: old)
            // The list that is loaded without joined_room is older than what comes now.
            try await sandbox.waitForRequest(after: requests) { $0.path == "/v1/feed/notifications" }
            _ = try await sandbox.publish(["header": "Between", "text": "x"])
            try await sandbox.perform(.holdRooms(false))
            #expect(try await fixture.popup().summary == "Between")
            _ = try await sandbox.publish(["header": "After", "text": "x"])
            #expect(try await fixture.popup().summary == "After")
        }
    }
}
