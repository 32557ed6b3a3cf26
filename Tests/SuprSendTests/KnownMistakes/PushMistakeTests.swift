import ClientKit
import TestSupport
import Testing
import Transport

@testable import SuprSend

/// Suprsend.md §7: what other clients get wrong about push notifications.
@Suite("Known mistakes: push", .timeLimit(.minutes(1))) struct PushMistakeTests {
    let world = PushWorld()

    @Test("28: a report leaves the queue when it was taken in, not before; the process may end in between")
    func row28() async throws {
        try await world.client().push.notificationClicked("n1")
        let second = try world.client()
        await world.hub.answer(.unreachable)
        await withRunning(second) {
            await world.hub.wait(for: 1)
            await world.clock.sleepers(1)
            // Not sent is not gone.
            #expect(await world.storage.value(forKey: "PushQueueItems")?.contains("n1") == true)
            world.clock.advance(by: .seconds(1))
            await world.hub.wait(for: 2)
            await world.waitUntilEmpty()
        }
        // The same event both times: the service counts it once.
        #expect(await Set(world.hub.bodies.map { $0["$insert_id"] }).count == 1)
    }

    @Test("28: a report that is refused for good is dropped and does not stop the rest")
    func row28Refused() async throws {
        let client = try world.client()
        await world.hub.answer(
            .success(response(400, #"{"status":"error","error":{"type":"VALIDATION_ERROR","message":"no"}}"#))
        )
        try await client.push.notificationClicked("bad")
        try await client.push.notificationClicked("good")
        await withRunning(client) {
            await world.hub.wait(for: 2)
            await world.waitUntilEmpty()
        }
        #expect(await world.sent == ["$notification_clicked bad", "$notification_clicked good"])
    }

    @Test("28: the queue is bounded")
    func row28Bounded() {
        var queue = PushQueue()
        let kept = (0...100).map { queue.add(.sample($0)) }
        #expect(kept == Array(repeating: true, count: 100) + [false])
        #expect(queue.items.first == .sample(1) && queue.items.count == 100)
        #expect(PushQueue((0..<150).map(PushQueue.Item.sample)).items.count == 100)
    }

    @Test("29: only what the app reports as clicked counts as clicked")
    func row29() async throws {
        let client = try world.client()
        try await client.identify("user-1", createUser: false)
        try await client.push.register(.android(token: "t", bundleID: "com.example"))
        try await client.push.notificationDelivered("shown")
        try await client.push.notificationDelivered("followed")
        try await client.push.notificationClicked("followed")
        await withRunning(client) { await world.waitUntilEmpty() }
        #expect(
            await world.sent.filter { $0.hasPrefix("$") } == [
                "$notification_delivered shown", "$notification_delivered followed", "$notification_clicked followed",
            ]
        )
    }
}
