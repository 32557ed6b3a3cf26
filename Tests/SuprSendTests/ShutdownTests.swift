import Sandbox
import Synchronization
import TestSupport
import Testing

@testable import SuprSend

/// A client that was shut down, with connections of its own.
@Suite(.timeLimit(.minutes(1)), .sandbox(users: ["anna"])) struct ShutdownTests {
    private static let calls: [@Sendable (SuprSendClient, Feed) async throws -> Void] = [
        { try await $1.refresh() }, { _ = try await $1.fetchCount() },
        { _ = try await $1.fetchDetails("n") }, { try await $1.markAsRead("n") }, { try await $1.markAllAsRead() },
        { client, _ in try await client.track("ordered") }, { client, _ in try await client.user.set(["a": 1]) },
        { client, _ in _ = try await client.preferences.getPreferences() },
        { client, _ in _ = try await client.preferences.getCategories() },
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
        try await sandbox.perform(.fault(RequestFault(.hold, path: "/v1/feed/", times: 2)))
        async let answer = #expect(throws: SuprSendError.self) { _ = try await feed.fetchDetails("n") }
        try await sandbox.waitForRequest { $0.path.hasSuffix("/n") }
        await client.shutdown()
        #expect(await answer?.kind == .invalidState)
    }
}
