import Foundation
import Sandbox
import TestSupport
import Testing

@testable import SuprSend

/// The whole client as an app has it, with its own connections, against the stand-in.
@Suite(.timeLimit(.minutes(5))) struct ClientAndSandboxTests {
    private func withClient(
        _ options: SandboxOptions = SandboxOptions(users: []),
        storage: any SuprSendStorage = MemoryStorage(),
        _ body: (SuprSendClient, Sandbox) async throws -> Void
    ) async throws {
        try await Sandbox.with(options) { sandbox in
            let url = sandbox.baseURL
            let client = try SuprSendClient(
                publicKey: options.publicKey,
                hosts: Hosts(hub: url, api: url, socket: url),
                app: AppInfo(name: "Test", version: "1"),
                storage: storage
            )
            try await body(client, sandbox)
            #expect(await sandbox.violations.isEmpty)
            await client.shutdown()
        }
    }

    /// For a user that the service may not know yet.
    private func token(_ user: String) -> String {
        SandboxToken.make(entityID: user, expiresAt: Int64(Date().timeIntervalSince1970) + 3600)
    }

    @Test("A client identifies a user, sends events, receives a notification and resets") func wholeSession()
        async throws
    {
        try await withClient { client, sandbox in
            try await client.identify("anna+test@example.com", userToken: token("anna+test@example.com"))
            try await client.track("ordered", properties: ["sku": 42])
            try await client.user.set(["plan": "pro", "seats": 3])
            try await client.user.addEmail("anna@example.com")
            try await client.push.register(.web(["endpoint": "https://push.example"]))
            try await client.push.notificationClicked("nid-1")
            let feed = try client.feeds.initialize()
            let events = await feed.events()
            try await withThrowingTaskGroup { group in
                group.addTask { await client.run() }
                group.addTask { await feed.run() }
                _ = await events.next { if case .connection(.online) = $0 { true } else { false } }
                let id = try await sandbox.publish(["text": "hi"], to: Recipient("anna+test@example.com"))
                // By the socket, or by a list that was requested before and arrives first.
                let announced = await events.pick { if case .newNotification(let row, _) = $0 { row.id } else { nil } }
                #expect(announced == id)
                try await sandbox.wait { state in
                    state.service.recordedEvents.contains { $0.body["event"]?.string == "$notification_clicked" }
                        ? true : nil
                }
                await client.reset()
                // The feed ends when the user signs out.
                try await sandbox.waitForNoConnections()
                group.cancelAll()
            }
            #expect(await feed.data.notifications.isEmpty)
            let recorded = await sandbox.state.service.recordedEvents.map(\.body)
            let names = recorded.map { body in
                body["event"]?.string ?? ["$set", "$append", "$remove"].first { body[$0] != nil } ?? "?"
            }
            #expect(
                names.sorted() == [
                    "$append", "$append", "$identify", "$notification_clicked", "$remove", "$set", "ordered",
                ]
            )
        }
    }

    @Test("A refused token is refreshed and the request retried") func refusedToken() async throws {
        try await withClient(SandboxOptions(users: ["anna"], requireToken: true)) { client, sandbox in
            let old = try await sandbox.token(for: Recipient("anna"))
            try await sandbox.execute("rotate-tokens")
            try await client.identify("anna", userToken: old, createUser: false) { expired in
                #expect(expired == old)
                return try await sandbox.token(for: Recipient("anna"))
            }
            try await client.track("ordered")
            #expect(await sandbox.state.service.recordedEvents.count == 1)
        }
    }

    @Test("The storage keeps the user") func storedUser() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "suprsend-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        try await withClient(storage: FileStorage(directory: directory)) { client, sandbox in
            try await client.identify("anna", userToken: token("anna"))
            #expect(await sandbox.state.service.users == ["anna"])
        }
        try await withClient(storage: FileStorage(directory: directory)) { client, sandbox in
            try await client.identify("anna", userToken: token("anna"))
            #expect(await sandbox.requests.isEmpty)
        }
    }

    @Test("identify() fails offline") func offlineIdentify() async throws {
        try await withClient { client, sandbox in
            await sandbox.inject(RequestFault(.reset, path: "/v2/event"))
            let error = await #expect(throws: SuprSendError.self) {
                try await client.identify("anna", userToken: token("anna"))
            }
            #expect(error?.kind == .unreachable)
            #expect(error?.isRetryable == true)
            #expect(await !client.isIdentified())
        }
    }
}
