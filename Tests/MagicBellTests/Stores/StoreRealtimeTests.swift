import Basics
import TestSupport
import Testing

@testable import MagicBell

@Suite("A fetched store follows the realtime feed", .timeLimit(.minutes(5)))
struct StoreRealtimeTests {
    private static func rows(_ count: Int) -> [InboxNotification] {
        (0..<count).map { notification("n\($0)", minute: Int64(-$0)) }
    }

    /// Waits for contents.
    private static func wait(
        for store: NotificationStore,
        until isExpected: (StoreContents) -> Bool
    ) async {
        _ = await store.updates().next(where: isExpected)
    }

    @Test("Events of every kind change the store") func events() async throws {
        let world = try ClientWorld(Self.rows(3))
        let user = try world.client.connectUser(email: "anna@example.com")
        let store = try user.store.build()
        try await store.fetch()
        await world.running {
            await world.realtime.send(.connecting, .connected(isContinuous: true))
            #expect(user.connectionState == .online)
            for change in [StateChange.seen, .read, .unread, .archived] {
                await world.realtime.send(world.api.change { $0.change("n1", change) })
                let row = world.api.change { $0.rows["n1"] }
                #expect(store.first { $0.id == "n1" }?.isRead == (row?.isArchived == true ? nil : row?.isRead))
            }
            // No store has it any more: it is requested.
            await world.realtime.send(world.api.change { $0.change("n1", .unarchived) })
            await Self.wait(for: store) { $0.contains { $0.id == "n1" } }
            await world.realtime.send(world.api.change { $0.create(notification("new", minute: 9)) })
            await Self.wait(for: store) { $0.first?.id == "new" }
            await world.realtime.send(world.api.change { $0.delete("n2") })
            #expect(store.map(\.id) == ["new", "n0", "n1"])
            #expect(store.totalCount == 3)
            await world.realtime.send(world.api.change { $0.changeAll(StorePredicate(), .seen) })
            #expect(store.unseenCount == 0)
            await world.realtime.send(world.api.change { $0.changeAll(StorePredicate(), .read) })
            #expect(store.unreadCount == 0)
        }
        #expect(user.connectionState == .offline(nil, nextAttempt: nil))
    }

    @Test("After lost continuity the store is loaded once") func lostContinuity() async throws {
        let world = try ClientWorld(Self.rows(3))
        let store = try world.client.connectUser(email: "anna@example.com").store.build()
        try await store.fetch()
        await world.running {
            world.api.change { _ = $0.delete("n0") }
            await world.realtime.send(.connected(isContinuous: false))
            await world.clock.sleeper(for: StoresState.window)
            world.clock.advance(by: StoresState.window)
            await Self.wait(for: store) { $0.count == 2 }
            #expect(world.api.pages == 2)
        }
    }

    @Test("The event of an own action changes nothing more") func echo() async throws {
        let world = try ClientWorld(Self.rows(3))
        let store = try world.client.connectUser(email: "anna@example.com").store.build()
        try await store.fetch()
        try await world.running {
            await world.realtime.send(.connected(isContinuous: true))
            try await store.markAsRead(store[1])
            let calls = world.api.calls
            let contents = store.contents
            await world.realtime.send(.event(.changed(id: "n1", .read)))
            #expect(store.contents == contents)
            #expect(world.api.calls == calls)
        }
    }

    @Test("An event that contradicts an action in flight makes the library ask the service") func contradiction()
        async throws
    {
        let world = try ClientWorld(Self.rows(3))
        let store = try world.client.connectUser(email: "anna@example.com").store.build()
        try await store.fetch()
        try await world.running {
            await world.realtime.send(.connected(isContinuous: true))
            world.api.hold { $0 == .change("n1", .unread) }
            let row = store[1]
            async let action = store.markAsUnread(row)
            await world.api.waitForCall { $0 == .change("n1", .unread) }
            world.api.release()
            await world.realtime.send(world.api.change { $0.change("n1", .read) })
            _ = try await action
            await Self.wait(for: store) { $0[1].isRead == world.api.change { $0.rows["n1"]!.isRead } }
        }
    }

    @Test("A failed reload is shown by nothing but its retry, and reconnect() makes it at once") func retry()
        async throws
    {
        let world = try ClientWorld(Self.rows(3))
        let user = try world.client.connectUser(email: "anna@example.com")
        let store = try user.store.build()
        try await store.fetch()
        world.api.change { _ = $0.delete("n0") }
        await world.running {
            world.api.fail(.broken)
            await world.realtime.send(.connected(isContinuous: false))
            await world.clock.sleeper(for: StoresState.window)
            world.clock.advance(by: StoresState.window)
            await world.clock.sleeper(for: .seconds(1))
            #expect(store.count == 3)
            await user.reconnect()
            await Self.wait(for: store) { $0.count == 2 }
        }
    }

    @Test("Refused credentials are shown by the connection's state, also while they are tried again")
    func unauthorized() async throws {
        let world = try ClientWorld()
        let user = try world.client.connectUser(email: "anna@example.com")
        let states = user.connectionStates()
        #expect(await states.next() == .offline(nil, nextAttempt: nil))
        await world.running {
            let error = MagicBellError(.unauthorized, "The service refused the API key.")
            await world.realtime.send(.lost(error, nextAttempt: nil))
            #expect(user.connectionState == .unauthorized(error))
            #expect(await states.next() == .unauthorized(error))
            await world.realtime.send(.connecting)
            #expect(user.connectionState == .unauthorized(error))
            await world.realtime.send(.connected(isContinuous: false))
            #expect(await states.next() == .online)
        }
    }

    @Test("A second run returns at once, and the first one goes on") func secondRun() async throws {
        let world = try ClientWorld(Self.rows(1))
        let user = try world.client.connectUser(email: "anna@example.com")
        await world.running {
            await world.realtime.send(.connected(isContinuous: true))
            await user.run()
            await world.client.run()
            #expect(user.connectionState == .online)
            #expect(world.realtime.runs == 1)
        }
        #expect(world.realtime.runs == 0)
    }
}
