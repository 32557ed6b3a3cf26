import ClientKit
import Sandbox
import Synchronization
import TestSupport
import Testing

@testable import SuprSend

/// Requests that fail, are slow, or come back in another order: in the end the feed shows what the service has.
@Suite(.timeLimit(.minutes(5))) struct RequestFaultTests {
    static let kinds: [RequestFault.Kind] = [
        .reset, .close, .closeMidBody, .respond(.error(503, "UNKNOWN_ERROR", "forced")),
        .respond(ServiceResponse(status: 200, headers: ["Content-Type": "text/html"], body: Array("<html>".utf8))),
        .respond(ServiceResponse(status: 200, body: [])),
    ]
    /// Without the last one: an empty answer to an action is a success.
    private static let actionKinds = kinds.dropLast()

    /// F1, F2, F3.
    @Test(
        "The feed and its store counts recover from each fault of a request that reads",
        arguments: ["notifications", "notifications_count", "notifications/"]
    )
    func questions(path: String) async throws {
        try await SandboxFeed.running(.fast(recovery: false), FeedOptions(stores: SandboxFeed.stores)) { world in
            var earlier = "first"
            for (number, kind) in Self.kinds.enumerated() {
                // So often that neither the transport's own second attempt nor the next one of ours comes through.
                let fault = RequestFault(kind, method: "GET", path: "/v1/feed/\(path)", times: 3)
                let before = await world.sandbox.requests.count
                try await world.sandbox.perform(.fault(fault))
                try await world.sandbox.perform(.act(.read, earlier))
                earlier = try await world.sandbox.publish(SandboxFeed.look(number))
                // After a gap the list is loaded; details are requested while there is a connection.
                if path != "notifications/" { try await world.sandbox.perform(.drop(.hangUp(.close(code: 1001)))) }
                try await world.sandbox.publish([:])
                // If the feed was back before the last event, it needs no list to know all rows, and asks for it later.
                try await world.sandbox.waitForRequest(after: before) { $0.isSpoilt }
                try await world.settle()
                try await world.sandbox.perform(.clearFaults)
            }
            await world.expectOrderly(requests: 200)
        }
    }

    /// F4 to F11.
    private static let calls: [(path: String, act: @Sendable (Feed, String) async throws -> Void)] = [
        ("notifications/", { try await $0.markAsSeen($1) }),
        ("notifications/", { try await $0.markAsRead($1) }),
        ("notifications/", { try await $0.markAsInteracted($1) }),
        ("notifications/", { try await $0.markAsArchived($1) }),
        (
            "notifications/",
            { feed, id in
                try await feed.markAsRead(id)
                try await feed.markAsUnread(id)
            }
        ),
        ("bulk/", { try await $0.markBulkAsSeen([$1, "first"]) }),
        ("mark_all_read", { feed, _ in try await feed.markAllAsRead() }),
        ("reset_bell_count", { feed, _ in try await feed.resetBadgeCount() }),
    ]

    /// The request takes effect or not; its answer is lost.
    @Test("The feed and its store counts recover from each fault of an action", arguments: calls.indices)
    func actions(index: Int) async throws {
        let (path, act) = Self.calls[index]
        try await SandboxFeed.running(.fast(), FeedOptions(stores: SandboxFeed.stores)) { world in
            for kind in Self.actionKinds {
                for (number, isApplied) in [true, false, true, false].enumerated() {
                    let id = try await world.publish(SandboxFeed.look(number))
                    for method in ["PATCH", "POST"] {
                        let fault = RequestFault(kind, method: method, path: "/v1/feed/\(path)", applied: isApplied)
                        try await world.sandbox.perform(.fault(fault))
                    }
                    await #expect(throws: SuprSendError.self, "\(kind)") { try await act(world.feed, id) }
                    try await world.sandbox.perform(.clearFaults)
                    try await world.settle()
                }
                // And once without a fault.
                try await act(world.feed, try await world.publish())
                try await world.settle()
            }
            await world.expectOrderly(requests: 400)
        }
    }

    @Test(
        "The counts of several stores become the service's, also after failed requests",
        arguments: kinds
    )
    func storeCounts(kind: RequestFault.Kind) async throws {
        let stores = [
            NotificationStore(id: "All"), NotificationStore(id: "Unread", query: .init(read: false)),
            NotificationStore(id: "Operations", query: .init(tags: ["ops", "web"])),
            NotificationStore(id: "Offers", query: .init(categories: ["promo"])),
            NotificationStore(id: "Unread offers", query: .init(read: false, tags: ["web"], categories: ["promo"])),
            NotificationStore(id: "Archive", query: .init(archived: true)),
        ]
        let contents: [JSON] = [
            ["tags": ["ops"]], ["n_category": "promo"], ["tags": ["web", "other"], "n_category": "promo"],
            ["tags": ["other"]],
        ]
        try await SandboxFeed.running(.fast(), FeedOptions(stores: stores)) { world in
            let path = "/v1/feed/notifications_count"
            var ids: [String] = []
            for fields in contents {
                try await world.sandbox.perform(.fault(RequestFault(kind, method: "GET", path: path, times: 3)))
                ids.append(try await world.publish(fields))
                try await world.settle()
            }
            try await world.feed.markAsRead(ids[0])
            try await world.feed.markAsArchived(ids[2])
            try await world.sandbox.perform(.act(.read, ids[1]))
            try await world.settle()
            try await world.feed.markAsUnread(ids[0])
            try await world.sandbox.perform(.act(.unread, ids[1]))
            try await world.settle()
            try await world.feed.markAllAsRead()
            try await world.settle()
            try await world.sandbox.perform(.clearFaults)
            await world.expectOrderly(requests: 400)
        }
    }

    /// The socket is lost in the middle of an action, and so is what the server says about it.
    @Test(
        "An action is confirmed or reverted though the connection is lost at the same time",
        arguments: [true, false],
        [true, false]
    )
    func actionAndDrop(isApplied: Bool, isRecovering: Bool) async throws {
        try await SandboxFeed.running(.fast(recovery: isRecovering)) { world in
            for kind in Self.actionKinds {
                let id = try await world.publish()
                try await world.sandbox.perform(.drop(.hangUp(.reset)))
                try await world.sandbox.perform(
                    .fault(RequestFault(kind, method: "PATCH", path: "/v1/feed/", applied: isApplied))
                )
                try? await world.feed.markAsRead(id)
                try await world.sandbox.perform(.clearFaults)
                try await world.settle()
            }
            await world.expectOrderly(requests: 200)
        }
    }

    @Test("Slow details keep the order of the announcements") func slowDetails() async throws {
        try await SandboxFeed.running { world in
            let ids = ["1", "2", "3", "4", "5", "6"]
            for (index, id) in ids.enumerated() {
                let delay = RequestFault.Kind.delay(milliseconds: Int64(60 - 10 * index))
                try await world.sandbox.perform(.fault(RequestFault(delay, path: "/v1/feed/notifications/\(id)")))
            }
            for id in ids { try await world.sandbox.publish(["n_id": .string(id)]) }
            try await world.settle()
            #expect(await world.seen.announced.prefix(6) == ids[...])
            await world.expectOrderly(requests: 40)
        }
    }

    @Test("Late details do not overwrite newer ones") func reorderedDetails() async throws {
        try await SandboxFeed.running { world in
            let path = "/v1/feed/notifications/first"
            let before = await world.sandbox.requests.count
            try await world.sandbox.perform(.fault(RequestFault(.hold, path: path)))
            try await world.sandbox.perform(.update("first", ["is_pinned": true]))
            let held = try await world.sandbox.waitForRequest(after: before) { $0.path == path }
            try await world.sandbox.perform(.act(.archive, "first"))
            try await world.sandbox.waitForRequest(after: held.number) { $0.path == path }
            try await world.wait { await world.feed.data.notifications.isEmpty }
            try await world.sandbox.perform(.release)
            try await world.settle()
            await world.expectOrderly(requests: 40)
        }
    }

    @Test("The feed converges when REST lags behind the socket") func lag() async throws {
        try await SandboxFeed.running { world in
            try await world.sandbox.perform(
                .fault(.status(404, type: "NOT_FOUND", path: "/v1/feed/notifications/", times: 3))
            )
            _ = try await world.publish()
            try await world.settle()
            await world.expectOrderly(requests: 40)
        }
    }

    @Test("Duplicate events, events for unknown rows and events with acknowledgements are handled") func strangeEvents()
        async throws
    {
        try await SandboxFeed.running { world in
            let sandbox = world.sandbox
            try await sandbox.perform(.publish([[:]], as: .init(copies: 3)))
            try await sandbox.perform(.publish([[:]], as: .init(wantsAck: true, copies: 2)))
            try await sandbox.perform(.emit("something_new", [["n_id": "first"]]))
            try await sandbox.perform(.emit("notification_update", [["n_id": "unknown"]]))
            try await sandbox.perform(.emit("new_notification", [["n_id": ""]]))
            try await sandbox.perform(.emit("bulk_notification_update", [["action": "seen", "notification_ids": 7]]))
            try await sandbox.perform(.binaryFrame([1, 2, 3]))
            try await sandbox.perform(.frame(#"451-["x",{"_placeholder":true,"num":0}]"#))
            try await world.settle()
            try await sandbox.wait { $0.realtime.acks.allSatisfy { $0.arguments == [] } ? true : nil }
            await world.expectOrderly(requests: 60)
        }
    }

    // MARK: Tokens

    @Test("A token that changes during a session is requested and used", arguments: [true, false])
    func rotation(isRecovering: Bool) async throws {
        let asked = Mutex(0)
        try await SandboxFeed.running(
            .fast(recovery: isRecovering, requireToken: true),
            token: { sandbox in
                asked.withLock { $0 += 1 }
                return try await sandbox.token()
            }
        ) { world in
            for drops in [false, true] {
                try await world.sandbox.perform(.rotateTokens)
                if drops { try await world.sandbox.perform(.drop(.hangUp(.reset))) }
                _ = try await world.publish()
                try await world.settle()
            }
            await world.expectOrderly(requests: 80)
        }
        #expect(asked.withLock { $0 } <= 4)
    }

    @Test("Without a new token the feed reports an error, and continues when there is one", arguments: [true, false])
    func noNewToken(isRecovering: Bool) async throws {
        let text = Mutex("")
        try await SandboxFeed.running(
            .fast(recovery: isRecovering, requireToken: true),
            prepare: { sandbox in
                let first = try await sandbox.token()
                text.withLock { $0 = first }
            },
            token: { _ in text.withLock { $0 } }
        ) { world in
            try await world.sandbox.perform(.rotateTokens)
            try await world.sandbox.perform(.drop(.hangUp(.close(code: 1001))))
            let missed = try await world.sandbox.publish([:])
            try await world.wait {
                if case .unauthorized = await world.feed.connectionState { true } else { false }
            }
            let next = try await world.sandbox.token()
            text.withLock { $0 = next }
            try await world.settle()
            #expect(await world.seen.announced.first == missed)
            await world.expectOrderly(requests: 80)
        }
    }
}
