import Basics
import TestSupport
import Testing

@testable import MagicBell

@Suite("Disconnecting a user ends everything of that user, and of no other", .timeLimit(.minutes(5)))
struct DisconnectingUsersTests {
    private static let rows = [notification("a", minute: 2), notification("b", minute: 1)]

    enum Form: Sendable, CaseIterable {
        case email, externalID, both, object

        func disconnect(_ client: MagicBellClient, _ user: MagicBellUser) async throws(MagicBellError) {
            switch self {
            case .email: try await client.disconnectUser(email: "anna@example.com")
            case .externalID: try await client.disconnectUser(externalID: "7")
            case .both: try await client.disconnectUser(email: "anna@example.com", externalID: "7")
            case .object: try await client.disconnectUser(user)
            }
        }
    }

    @Test(
        "Every form drops the notifications, ends the realtime feed, and unregisters the device",
        arguments: Form.allCases
    )
    func everything(form: Form) async throws {
        let world = try ClientWorld(Self.rows)
        let token = PushToken.fcm(deviceToken: "f")
        let user = try world.client.connectUser(email: "anna@example.com", externalID: "7")
        let other = try world.client.connectUser(email: "bert@example.com", externalID: "8")
        let (store, otherStore) = (try user.store.build(), try other.store.build())
        try await store.fetch()
        try await otherStore.fetch()
        try await world.client.setDeviceToken(token)
        try await world.running {
            await world.realtime.send(.connected(isContinuous: true))
            await world.part(1).realtime.send(.connected(isContinuous: true))
            try await form.disconnect(world.client, user)
            #expect(!user.isConnected && other.isConnected)
            #expect(store.contents == StoreContents())
            #expect(world.api.devices == [])
            for await _ in user.connectionStates() {}
            // The other user goes on.
            #expect(otherStore.count == 2)
            #expect(world.part(1).api.devices == [token])
            #expect(world.part(1).realtime.runs == 1)
            await world.part(1).realtime.send(.event(.deleted(id: "a")))
            #expect(otherStore.map(\.id) == ["b"])
        }
        #expect(world.realtime.runs == 0)
        for call in [
            { _ = try await store.fetch() }, { _ = try await store.markAsRead(Self.rows[0]) },
            { try await store.markAllSeen() }, { _ = try user.store.build(read: true) },
            { _ = try await user.preferences.fetch() },
            { _ = try await user.preferences.update(categorySlug: "a", channelSlug: "b", enabled: true) },
        ] as [() async throws -> Void] {
            await #expect(throws: MagicBellError.disconnected) { try await call() }
        }
        // Connected again, it is a new user.
        let again = try world.client.connectUser(email: "anna@example.com", externalID: "7")
        #expect(again !== user)
        #expect(try await again.store.build().fetch().count == 2)
    }

    @Test("Disconnecting during requests ends them at once, and delivers nothing afterwards") func pendingRequests()
        async throws
    {
        let world = try ClientWorld(Self.rows)
        let user = try world.client.connectUser(email: "anna@example.com")
        let store = try user.store.build()
        let updates = store.updates()
        world.api.hold { if case .unregister = $0 { false } else { true } }
        let calls = [
            Task { _ = try await store.fetch() }, Task { _ = try await store.markAsRead(Self.rows[0]) },
            Task { _ = try await store.markAsUnread(Self.rows[0]) }, Task { try await store.delete(Self.rows[1]) },
            Task { _ = try await user.preferences.fetch() },
        ]
        await world.api.waitForCalls(4)
        try await world.client.disconnectUser(email: "anna@example.com")
        for call in calls {
            await #expect(throws: MagicBellError.disconnected) { try await call.value }
        }
        world.api.release()
        #expect(store.contents == StoreContents())
        for await contents in updates { #expect(contents == StoreContents()) }
    }

    @Test("Disconnecting a user who is not connected does nothing") func unknownUser() async throws {
        let world = try ClientWorld()
        try await world.client.disconnectUser(email: "nobody@example.com")
        try await world.client.disconnectUser(externalID: "0")
        try await world.client.disconnectUser(email: "nobody@example.com", externalID: "0")
        let user = try world.client.connectUser(email: "anna@example.com")
        try await world.client.disconnectUser(user)
        try await world.client.disconnectUser(user)
    }

    @Test("A user is disconnected also when the device cannot be unregistered, which run() repeats")
    func failedUnregistration() async throws {
        let world = try ClientWorld()
        let user = try world.client.connectUser(email: "anna@example.com")
        try await world.client.setDeviceToken(.fcm(deviceToken: "f"))
        world.api.fail(.broken)
        await #expect(throws: MagicBellError.broken) { try await world.client.disconnectUser(user) }
        #expect(!user.isConnected)
        #expect(world.api.devices.count == 1)
        await world.running {
            await world.api.waitForCalls(3)
        }
        #expect(world.api.calls.last == .unregister(.fcm(deviceToken: "f")))
    }

    @Test("After shutdown every call throws, every sequence has ended, and run() returns") func shutdown() async throws
    {
        let world = try ClientWorld(Self.rows)
        let user = try world.client.connectUser(email: "anna@example.com")
        let store = try user.store.build()
        try await store.fetch()
        let updates = store.updates()
        await withDiscardingTaskGroup { group in
            group.addTask { await world.client.run() }
            await world.realtime.send(.connected(isContinuous: true))
            await world.client.shutdown()
        }
        for await _ in updates {}
        #expect(world.api.devices == [] && !user.isConnected)
        for call in [
            { _ = try await store.fetch() }, { _ = try await store.markAsRead(Self.rows[0]) },
            { _ = try user.store.build(read: true) }, { _ = try await user.preferences.fetch() },
            { _ = try world.client.connectUser(email: "bert@example.com") },
            { try await world.client.disconnectUser(email: "anna@example.com") },
            { try await world.client.setDeviceToken(.fcm(deviceToken: "f")) },
        ] as [() async throws -> Void] {
            await #expect(throws: MagicBellError.shutDown) { try await call() }
        }
        await world.client.run()
        await user.run()
    }
}
