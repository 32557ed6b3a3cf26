import ClientKit
import Sandbox
import TestSupport
import Testing

@testable import SuprSend

/// Known mistakes of other clients about push notifications.
@Suite(.timeLimit(.minutes(5))) struct PushQueueTests {
    let world = PushWorld()

    @Test("A report stays in the queue until the service accepts it, also when the process ends")
    func queuedReport() async throws {
        try await world.client().push.notificationClicked("n1")
        let second = try world.client()
        await world.hub.answer(.unreachable)
        await withRunning(second) {
            await world.hub.wait(for: 1)
            await world.clock.sleepers(1)
            // A report that was not sent stays.
            #expect(await world.storage.value(forKey: "PushQueueItems")?.contains("n1") == true)
            world.clock.advance(by: .seconds(1))
            await world.hub.wait(for: 2)
            await world.waitUntilEmpty()
        }
        // The same event both times: the service counts it once.
        #expect(await Set(world.hub.bodies.map { $0["$insert_id"] }).count == 1)
    }

    @Test("A report that is refused permanently is discarded, and the others are sent")
    func refusedReport() async throws {
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

    @Test("The queue is limited")
    func queueLimit() {
        var queue = PushQueue()
        let kept = (0...100).map { queue.add(.sample($0)) }
        #expect(kept == Array(repeating: true, count: 100) + [false])
        #expect(queue.items.first == .sample(1) && queue.items.count == 100)
        #expect(PushQueue((0..<150).map(PushQueue.Item.sample)).items.count == 100)
    }

    @Test("Shown, seen, read or archived notifications are not counted as clicked", .sandbox(users: ["anna"]))
    func clickedEvents() async throws {
        let sandbox = Sandbox.current
        for id in ["untouched", "seen", "read", "archived", "followed"] {
            try await sandbox.publish(["n_id": .string(id)])
        }
        let url = sandbox.baseURL
        let client = try SuprSendClient(
            publicKey: SandboxOptions().publicKey,
            hosts: Hosts(hub: url, api: url, socket: url)
        )
        try await client.identify("anna", userToken: sandbox.token(), createUser: false)
        let feed = try client.feeds.initialize()
        let events = await feed.events()
        try await withRunning(client) {
            for id in ["shown", "put away", "followed"] { try await client.push.notificationDelivered(id) }
            try await client.push.notificationDismissed("put away")
            try await client.push.notificationClicked("followed")
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await feed.run() }
                _ = await events.next {
                    if case .storeUpdate(let data) = $0 { data.notifications.count == 5 } else { false }
                }
                // The app may mark shown notifications as seen; the user reads and opens one.
                try await feed.markBulkAsSeen(["seen", "read"])
                try await feed.markAsSeen("seen")
                try await feed.markAsRead("read")
                try await feed.markAsUnread("read")
                try await feed.markAsArchived("archived")
                try await feed.markAsInteracted("followed")
                try await feed.markAllAsRead()
                try await feed.resetBadgeCount()
                // Announced while the app is in the foreground.
                let live = try await sandbox.publish(["n_id": "live"])
                _ = await events.next { if case .newNotification(let row, _) = $0 { row.id == live } else { false } }
                group.cancelAll()
            }
            try await sandbox.wait { $0.service.recordedEvents.count >= 5 ? true : nil }
        }
        // The rows and events of the service.
        let rows = await sandbox.inbox("anna").rows
        #expect(rows.count == 6)
        #expect(rows.filter { $0["interacted_on"]?.integer != nil }.map(\.id) == ["followed"])
        let reported = await sandbox.state.service.recordedEvents.map(\.body)
        #expect(
            reported.map { "\($0["event"]?.string ?? "") \($0["properties"]?["id"]?.string ?? "")" }.sorted() == [
                "$notification_clicked followed", "$notification_delivered followed",
                "$notification_delivered put away", "$notification_delivered shown",
                "$notification_dismiss put away",
            ]
        )
        await client.shutdown()
    }
}
