import ClientKit
import Testing

@testable import SuprSend

/// Signing in and out.
@Suite struct IdentityTests {
    let hub = FakeHub()
    let storage = MemoryStorage()

    private func client() throws -> SuprSendClient {
        SuprSendClient(try .test(http: hub, environment: environment()), storage: storage)
    }

    @Test("identify() sends one event") func identifyEvent() async throws {
        let client = try client()
        #expect(await !client.isIdentified())
        try await client.identify("user-1", userToken: token(expiring: 3600), tenantID: "acme")
        #expect(await client.isIdentified())
        #expect(await client.isIdentified(checkUserToken: true))
        #expect(client.distinctID == "user-1" && client.tenantID == "acme")
        #expect(
            await hub.bodies == [
                [
                    "event": "$identify", "$insert_id": "id-1", "$time": 1_754_346_745_613, "distinct_id": "user-1",
                    "tenant_id": "acme", "properties": ["$identified_id": "user-1"],
                ]
            ]
        )
        #expect(await hub.requests.first?.url == "https://hub.suprsend.com/v2/event")
        #expect(await hub.requests.first?.headers.last == HTTPField("x-ss-signature", token(expiring: 3600)))

        try await client.identify("user-1", userToken: token(expiring: 3600))
        // Another program start: the storage remembers.
        try await self.client().identify("user-1")
        #expect(await hub.requests.count == 1)
    }

    @Test("identify() without creation sends no event") func identifyWithoutEvent() async throws {
        let client = try client()
        try await client.identify("user-1", createUser: false)
        #expect(await client.isIdentified())
        #expect(await !client.isIdentified(checkUserToken: true))
        #expect(await hub.requests.isEmpty)
    }

    @Test("identify() with another token replaces the token, without one it keeps the token") func newToken()
        async throws
    {
        let client = try client()
        let (old, new) = (token(expiring: 3600, name: "old"), token(expiring: 3600, name: "new"))
        try await client.identify("user-1", userToken: old, createUser: false)
        try await client.identify("user-1", userToken: new)
        // No token is no other token.
        try await client.identify("user-1")
        try await client.track("ordered")
        #expect(await hub.requests.map { $0.headers.last?.value } == [new])
    }

    @Test("identify() fails while another user is identified") func identifyTwice() async throws {
        let client = try client()
        try await client.identify("user-1")
        let error = await #expect(throws: SuprSendError.self) { try await client.identify("user-2") }
        #expect(error?.kind == .invalidState)
        #expect(error?.serviceType == "VALIDATION_ERROR")
        #expect(error?.message == "\"user-2\" cannot be identified while another user is; call reset() first.")
        await client.reset()
        try await client.identify("user-2")
        #expect(client.distinctID == "user-2")
        #expect(await storage.value(forKey: "ss_distinct_id") == "user-2")
    }

    @Test("Concurrent identify() calls for one user send one event") func concurrentCalls() async throws {
        let client = try client()
        await hub.hold()
        try await withThrowingTaskGroup { group in
            group.addTask { try await client.identify("user-1") }
            await hub.wait(for: 1)
            group.addTask { try await client.identify("user-1") }
            await hub.release()
            try await group.waitForAll()
        }
        #expect(await hub.requests.count == 1)
    }

    @Test(
        "A failed identify() leaves no user signed in",
        arguments: [.serverFailure, .unreachable] as [Result<HTTPResponse, TransportError>]
    )
    func failedIdentify(answer: Result<HTTPResponse, TransportError>) async throws {
        let client = try client()
        await hub.answer(answer)
        let error = await #expect(throws: SuprSendError.self) { try await client.identify("user-1") }
        #expect(error?.isRetryable == true)
        #expect(await !client.isIdentified())
        #expect(await storage.value(forKey: "ss_distinct_id") == nil)
        try await client.identify("user-1")
        #expect(await client.isIdentified())
    }

    @Test(
        "Invalid arguments of identify() fail without a request",
        arguments: [
            ("", nil, nil, "distinct id is empty"), ("u", "abc", nil, "not a JWT"), ("u", "", nil, "not a JWT"),
            ("u", nil, "", "tenant id is empty"),
        ] as [(String, String?, String?, String)]
    )
    func invalidArguments(user: String, token: String?, tenant: String?, named: String) async throws {
        let client = try client()
        let error = await #expect(throws: SuprSendError.self) {
            try await client.identify(user, userToken: token, tenantID: tenant)
        }
        #expect(error?.kind == .invalidArgument)
        #expect(error?.message.contains(named) == true)
        #expect(await hub.requests.isEmpty)
    }

    @Test("Without a user, calls fail") func signedOut() async throws {
        let client = try client()
        let feeds = #expect(throws: SuprSendError.self) { try client.feeds.initialize() }
        #expect(feeds?.kind == .invalidState)
        for call in [{ try await client.track("a") }, { try await client.user.set("a", 1) }]
            as [() async throws -> Void]
        {
            let error = await #expect(throws: SuprSendError.self) { try await call() }
            #expect(
                error?.message == "No user is identified; call identify() first, then repeat the call."
            )
        }
        await client.reset()
        #expect(await hub.requests.isEmpty)
    }

    @Test("reset() signs the user out and ends the feeds") func resetEndsTheFeeds() async throws {
        let client = try client()
        try await client.identify("user-1", createUser: false)
        let feed = try client.feeds.initialize()
        await client.reset()
        #expect(await !client.isIdentified())
        let error = await #expect(throws: SuprSendError.self) { try await feed.fetch() }
        #expect(error?.kind == .invalidState)
    }

    @Test("Events and new feeds use the active tenant unless they name another") func activeTenant() async throws {
        let client = try client()
        try await client.identify("user-1", createUser: false)
        try await client.track("a")
        let before = try client.feeds.initialize()
        try await client.changeTenant("acme")
        try await client.track("b")
        try await client.track("c", tenantID: "globex")
        #expect(await hub.bodies.map { $0["tenant_id"] } == [.null, "acme", "globex"])
        #expect(await before.service.scope.tenantID == "default")
        #expect(await (try client.feeds.initialize()).service.scope.tenantID == "acme")
        #expect(await (try client.feeds.initialize(.init(tenantID: "globex"))).service.scope.tenantID == "globex")
        let error = await #expect(throws: SuprSendError.self) { try await client.changeTenant("") }
        #expect(error?.message == "The tenant id is empty; name the tenant to change to.")
        #expect(client.tenantID == "acme")
    }
}
