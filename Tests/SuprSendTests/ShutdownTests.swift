import Sandbox
import Synchronization
import TestSupport
import Testing

@testable import SuprSend

/// A client that was shut down, with connections of its own.
@Suite(.timeLimit(.minutes(5)), .sandbox(users: ["anna"])) struct ShutdownTests {
    private static let calls: [@Sendable (SuprSendClient, Feed) async throws -> Void] = [
        { try await $1.refresh() }, { _ = try await $1.fetchCount() },
        { _ = try await $1.fetchDetails("n") }, { try await $1.markAsRead("n") }, { try await $1.markAllAsRead() },
        { client, _ in try await client.track("ordered") }, { client, _ in try await client.user.set(["a": 1]) },
        { client, _ in _ = try await client.preferences.getPreferences() },
        { client, _ in _ = try await client.preferences.getCategories() },
        // These need no request, or would only queue one.
        { try await $1.fetch() }, { try await $1.fetchNextPage() }, { try await $1.fetch(pageSize: 5) },
        { try await $1.markBulkAsSeen([]) }, { try await $1.changeActiveStore(NotificationStore.default.id) },
        { client, _ in _ = try client.feeds.initialize() }, { client, _ in try await client.preferences.flush() },
        { client, _ in try await client.preferences.flush(.category("x")) },
        { client, _ in
            try await client.preferences.updateCategoryPreference(category: "refund-news", preference: .optOut)
        },
        { client, _ in try await client.identify("anna", createUser: false) },
        { client, _ in try await client.changeTenant("default") },
        { client, _ in try await client.push.register(.web(["endpoint": "x"])) },
        { client, _ in try await client.push.unregister() },
        { client, _ in try await client.push.notificationClicked("n") },
    ]

    private let sandbox = Sandbox.current

    /// A client of "anna" and a feed.
    private func makeClient() async throws -> (SuprSendClient, Feed) {
        let url = sandbox.baseURL
        let client = try SuprSendClient(
            publicKey: SandboxOptions().publicKey,
            hosts: Hosts(hub: url, api: url, socket: url)
        )
        try await client.identify("anna", userToken: sandbox.token(), createUser: false)
        return (client, try client.feeds.initialize())
    }

    @Test("Every call after the shutdown throws invalidState", arguments: [true, false])
    func afterwards(hasConnections: Bool) async throws {
        let (client, feed) = try await makeClient()
        if hasConnections { try await feed.refresh() }
        _ = try await client.preferences.getPreferences()
        await client.shutdown()
        let requests = await sandbox.requests.count
        for call in Self.calls {
            let error = await #expect(throws: SuprSendError.self) { try await call(client, feed) }
            #expect(error == SuprSendError(.invalidState, "The client was shut down; create a new one."))
        }
        // They return.
        await feed.run()
        await client.run()
        await client.shutdown()
        #expect(await sandbox.requests.count == requests)
    }

    @Test("The shutdown ends the calls that wait for the service") func inTheMiddle() async throws {
        let (client, feed) = try await makeClient()
        await sandbox.inject(RequestFault(.hold, path: "/v1/feed/", times: 2))
        async let answer = #expect(throws: SuprSendError.self) { _ = try await feed.fetchDetails("n") }
        try await sandbox.waitForRequest { $0.path.hasSuffix("/n") }
        await client.shutdown()
        #expect(await answer?.kind == .invalidState)
    }
}
