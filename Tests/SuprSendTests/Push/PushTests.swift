import Basics
import ClientKit
import TestSupport
import Testing

@testable import SuprSend

/// The device's token and the reports on push notifications.
@Suite(.timeLimit(.minutes(5))) struct PushTests {
    let world = PushWorld()
    let phone = PushToken.android(token: "t", bundleID: "com.example")

    /// Operator, tenant and token of each request that concerns the token.
    private func changes() async -> [String] {
        await world.hub.bodies.compactMap { body in
            for name in ["$append", "$remove"] {
                if body[name]?["$androidpush"] != nil { return "\(name) \(body["tenant_id"]?.string ?? "-")" }
            }
            return nil
        }
    }

    @Test("The device token moves to the new user") func tokenMoves() async throws {
        let client = try world.client()
        try await client.push.register(phone)
        #expect(await world.hub.requests.isEmpty)
        try await client.identify("user-1", createUser: false)
        #expect(await changes() == ["$append -"])
        #expect(await world.hub.bodies.first?["$append"]?["$device_id"] == "id-1")
        #expect(await world.storage.value(forKey: "ss_device_id") == "id-1")
        await client.reset()
        #expect(await changes() == ["$append -", "$remove -"])
        try await client.identify("user-2", createUser: false)
        await client.reset(unsubscribePush: false)
        #expect(await changes() == ["$append -", "$remove -", "$append -"])
        // The device keeps its name.
        #expect(await Set(world.hub.bodies.compactMap { ($0["$append"] ?? $0["$remove"])?["$device_id"] }) == ["id-1"])
    }

    @Test(
        "A change of the tenant leaves, copies or moves the push token",
        arguments: [
            (.none, []), (.copy, ["$append new"]), (.move, ["$remove old", "$append new"]),
        ] as [(Push.TenantAction, [String])]
    )
    func tenantChange(action: Push.TenantAction, expected: [String]) async throws {
        let client = try world.client()
        try await client.identify("user-1", tenantID: "old", createUser: false)
        try await client.push.register(phone)
        try await client.changeTenant("new", pushTokenAction: action)
        #expect(await changes() == ["$append old"] + expected)
        #expect(client.tenantID == "new")
    }

    @Test("A failed move of the push token is reverted") func failedMove() async throws {
        let client = try world.client()
        try await client.identify("user-1", tenantID: "old", createUser: false)
        try await client.push.register(phone)
        await world.hub.answer(.success(response(200, "{}")), .serverFailure)
        await #expect(throws: SuprSendError.self) { try await client.changeTenant("new", pushTokenAction: .move) }
        #expect(await changes() == ["$append old", "$remove old", "$append new", "$append old"])
        #expect(client.tenantID == "old")
    }

    @Test("unregister() removes the push token once") func unregister() async throws {
        let client = try world.client()
        try await client.identify("user-1", createUser: false)
        try await client.push.register(phone)
        try await client.push.unregister()
        try await client.push.unregister()
        #expect(await changes() == ["$append -", "$remove -"])
    }

    // MARK: Reports

    @Test("Reports wait for run() and are sent in order, without a user") func reportsAreSentInOrder() async throws {
        let client = try world.client()
        try await client.push.notificationDelivered("n1")
        try await client.push.notificationClicked("n1")
        #expect(await world.hub.requests.isEmpty)
        try await withRunning(client) {
            try await client.push.notificationDismissed("n2")
            await world.hub.wait(for: 3)
            await world.waitUntilEmpty()
        }
        #expect(
            await world.sent == ["$notification_delivered n1", "$notification_clicked n1", "$notification_dismiss n2"]
        )
        let body = try #require(await world.hub.bodies.first?.object)
        #expect(body["distinct_id"] == "" && body["tenant_id"] == nil)
    }

    // MARK: The queue as a value

    @Test(
        "Transient failures are retried, others discard the report",
        arguments: [
            (.invalidArgument, false), (.rejected, false), (.notFound, false), (.forbidden, false),
            (.unauthorized, true),
            (.rateLimited, true), (.serverFailure, true), (.unreachable, true), (.unexpectedAnswer, true),
        ] as [(SuprSendError.Kind, Bool)]
    )
    func retries(kind: SuprSendError.Kind, isKept: Bool) {
        var queue = PushQueue([.sample(1)])
        let step = queue.failed(.sample(1), SuprSendError(kind, ""), jitter: 0)
        #expect((step == .dropped) == !isKept)
        #expect(queue.items.isEmpty == !isKept)
    }

    @Test("Waits after failed reports grow to 60 seconds, and a success resets them") func backoff() {
        var queue = PushQueue([.sample(1)])
        var waits: [Duration] = []
        for _ in 0..<8 {
            if case .wait(let delay) = queue.failed(.sample(1), SuprSendError(.unreachable, ""), jitter: 1) {
                waits.append(delay)
            }
        }
        #expect(waits == waits.sorted() && waits.first == .seconds(1) && waits.last == .seconds(60))
        queue.sent(.sample(1))
        let step = queue.failed(.sample(2), SuprSendError(.unreachable, ""), jitter: 1)
        #expect(step == .wait(.seconds(1)))
    }

    @Test(
        "A stored queue is read, without its malformed entries",
        arguments: [
            (#"[{"event":"e","nid":"n","insert_id":"i","time":5}]"#, ["e n i 5"]),
            (#"[{"event":"e","nid":"n"},{"nid":"x"},7,{"event":"f","nid":"m"}]"#, ["e n new 9", "f m new 9"]),
            ("", []), ("{}", []), ("not JSON", []),
        ]
    )
    func storedQueue(text: String, items: [String]) {
        let queue = PushQueue(text: text, makeID: { "new" }, now: 9)
        #expect(queue.items.map { "\($0.event) \($0.nid) \($0.insertID) \($0.time.milliseconds)" } == items)
        #expect(PushQueue(text: queue.text, makeID: { "?" }, now: 0) == queue)
    }
}
