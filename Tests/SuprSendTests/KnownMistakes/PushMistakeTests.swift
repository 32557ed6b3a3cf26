import SocketIO
import TestSupport
import Testing
import Transport

@testable import SuprSend

/// Suprsend.md §7: what other clients get wrong about push notifications.
@Suite("Known mistakes: push", .timeLimit(.minutes(1))) struct PushMistakeTests {
    let hub = FakeHub()
    let storage = MemoryStorage()
    let clock = ManualClock()

    private func client() throws -> SuprSendClient {
        SuprSendClient(try .test(http: hub, surroundings: surroundings(clock: clock)), storage: storage)
    }

    private func withRunning(_ client: SuprSendClient, _ body: () async throws -> Void) async rethrows {
        try await withThrowingTaskGroup { group in
            group.addTask { await client.run() }
            try await body()
            group.cancelAll()
        }
    }

    private var sent: [String] {
        get async {
            await hub.bodies.map { "\($0["event"]?.string ?? "") \($0["properties"]?["id"]?.string ?? "")" }
        }
    }

    /// Waits until the storage holds no report.
    private func waitUntilEmpty() async {
        while await storage.value(forKey: "PushQueueItems") != "[]", !Task.isCancelled { await Task.yield() }
    }

    @Test("28: a report leaves the queue when it was taken in, not before; the process may end in between")
    func row28() async throws {
        try await client().push.notificationClicked("n1")
        let second = try client()
        await hub.answer(.unreachable)
        await withRunning(second) {
            await hub.wait(for: 1)
            await clock.sleepers(1)
            // Not sent is not gone.
            #expect(await storage.value(forKey: "PushQueueItems")?.contains("n1") == true)
            clock.advance(by: .seconds(1))
            await hub.wait(for: 2)
            await waitUntilEmpty()
        }
        // The same event both times: the service counts it once.
        #expect(await Set(hub.bodies.map { $0["$insert_id"] }).count == 1)
    }

    @Test("28: a report that is refused for good is dropped and does not stop the rest")
    func row28Refused() async throws {
        let client = try client()
        await hub.answer(
            .success(response(400, #"{"status":"error","error":{"type":"VALIDATION_ERROR","message":"no"}}"#))
        )
        try await client.push.notificationClicked("bad")
        try await client.push.notificationClicked("good")
        await withRunning(client) {
            await hub.wait(for: 2)
            await waitUntilEmpty()
        }
        #expect(await sent == ["$notification_clicked bad", "$notification_clicked good"])
    }

    private func item(_ number: Int) -> PushQueue.Item {
        .init(event: "$notification_clicked", nid: "n\(number)", insertID: "i\(number)", time: base)
    }

    @Test("28: the queue is bounded")
    func row28Bounded() {
        var queue = PushQueue()
        let kept = (0...100).map { queue.add(item($0)) }
        #expect(kept == Array(repeating: true, count: 100) + [false])
        #expect(queue.items.first == item(1) && queue.items.count == 100)
        #expect(PushQueue((0..<150).map(item)).items.count == 100)
    }

    @Test("29: only what the app reports as clicked counts as clicked")
    func row29() async throws {
        let client = try client()
        try await client.identify("user-1", createUser: false)
        try await client.push.register(.android(token: "t", bundleID: "com.example"))
        try await client.push.notificationDelivered("shown")
        try await client.push.notificationDelivered("followed")
        try await client.push.notificationClicked("followed")
        await withRunning(client) { await waitUntilEmpty() }
        #expect(
            await sent.filter { $0.hasPrefix("$") } == [
                "$notification_delivered shown", "$notification_delivered followed", "$notification_clicked followed",
            ]
        )
    }
}
