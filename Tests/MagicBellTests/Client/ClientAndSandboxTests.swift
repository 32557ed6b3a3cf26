import Sandbox
import TestSupport
import Testing

@testable import MagicBell

/// The whole library over the network, through Ably (API key) and through the service's own socket (user token).
@Suite(
    "The client with the simulated service",
    .timeLimit(.minutes(5)),
    .sandbox(.magicBell(MagicBellOptions(users: ["user-1", "anna@example.com"])))
)
struct ClientAndSandboxTests {
    private let sandbox = Sandbox.current

    private var hosts: Hosts {
        Hosts(
            api: sandbox.baseURL,
            ablyREST: sandbox.baseURL,
            ablyRealtime: sandbox.socketURL,
            socket: sandbox.socketURL
        )
    }

    private func wait(for store: NotificationStore, until isExpected: (StoreContents) -> Bool) async {
        _ = await store.updates().next(where: isExpected)
    }

    private func waitForConnection(of user: MagicBell.MagicBellUser) async {
        _ = await user.connectionStates().next { $0 == .online }
    }

    @Test("With an API key or a user token, stores follow the service and show actions", arguments: [true, false])
    func stores(hasToken: Bool) async throws {
        let client = try MagicBellClient(apiKey: "pk_sandbox", hosts: hosts)
        let user =
            hasToken
            ? try client.connectUser(userToken: try await sandbox.token(for: Recipient("user-1")))
            : try client.connectUser(externalID: "user-1")
        let first = try await sandbox.publish(["title": "First"], to: Recipient("user-1"))
        let (all, unread) = (try user.store.build(), try user.store.build(read: false))
        #expect(try await all.fetch().map(\.id) == [first])
        try await unread.fetch()
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { await client.run() }
            await waitForConnection(of: user)
            let second = try await sandbox.publish(["title": "Second", "category": "ci"], to: Recipient("user-1"))
            for store in [all, unread] {
                await wait(for: store) { $0.contains { $0.id == second } && $0.unreadCount == 2 }
            }
            let row = try #require(all.first { $0.id == second })
            #expect(row.title == "Second" && row.category == "ci")
            try await all.markAsRead(row)
            #expect(unread.map(\.id) == [first])
            #expect(unread.unreadCount == 1)
            try await unread.markAllRead()
            await wait(for: unread) { $0.isEmpty && $0.unreadCount == 0 }
            await wait(for: all) { $0.allSatisfy(\.isRead) }
            if hasToken {
                await #expect(throws: MagicBellError.self) { try await all.delete(row) }
            } else {
                try await all.delete(row)
                #expect(all.map(\.id) == [first])
            }
            try await sandbox.execute("act", ["id": .string(first), "action": "unread", "user": "user-1"])
            await wait(for: unread) { $0.map(\.id) == [first] }
            try await client.disconnectUser(user)
            #expect(all.count == 0 && !user.isConnected)
            group.cancelAll()
        }
        await client.shutdown()
    }

    @Test("Devices are registered for every user, and unregistered at the end") func devices() async throws {
        let client = try MagicBellClient(apiKey: "pk_sandbox", hosts: hosts)
        let token = PushToken.fcm(deviceToken: String(repeating: "f", count: 64))
        let users = [
            try client.connectUser(externalID: "user-1"),
            try client.connectUser(email: "anna@example.com"),
        ]
        try await client.setDeviceToken(token)
        for user in users { try await client.disconnectUser(user) }
        let methods = await sandbox.requests.filter { $0.path.contains("/fcm/tokens") }.map(\.method)
        #expect(methods == ["POST", "POST", "DELETE", "DELETE"])
        await client.shutdown()
    }

    @Test("Preferences are read and changed one channel at a time") func preferences() async throws {
        let client = try MagicBellClient(apiKey: "pk_sandbox", hosts: hosts)
        let preferences = try client.connectUser(externalID: "user-1").preferences
        let all = try await preferences.fetch()
        let category = try #require(all.categories.first)
        let channel = try #require(category.channels.first)
        let changed = try await preferences.update(
            categorySlug: category.slug,
            channelSlug: channel.slug,
            enabled: !channel.isEnabled
        )
        #expect(changed[category.slug]?[channel: channel.slug] == !channel.isEnabled)
        #expect(try await preferences.fetch() == changed)
        await client.shutdown()
    }
}
