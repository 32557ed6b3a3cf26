import ClientKit
import TestSupport
import Testing

@testable import SuprSend

@Suite struct RequestTests {
    let scope = RequestScope(hosts: Hosts(), distinctID: "user-1", tenantID: "default")
    let unread = NotificationStore(id: "Unread", label: "never sent", query: .init(read: false, tags: ["tab1"]))
    let archived = NotificationStore(id: "Archived", query: .init(archived: true, categories: ["promo"]))

    /// Path, and parameters decoded; JSON ones parsed, because their key order means nothing.
    private func parts(_ call: FeedCall) throws -> (path: String, query: [String: JSONValue]) {
        let url = call.url(in: scope)
        let halves = url.split(separator: "?", maxSplits: 1)
        var query: [String: JSONValue] = [:]
        for pair in halves[1].split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let text = try #require(String(sides[1]).percentDecoded)
            query[String(sides[0])] =
                text.hasPrefix("{") || text.hasPrefix("[") ? try JSONValue(parsing: text) : .string(text)
        }
        return (String(halves[0].dropFirst("https://inboxs.live".count)), query)
    }

    @Test("The first page of the default store has an empty cursor and no store") func firstPageOfTheDefaultStore()
        throws
    {
        let (path, query) = try parts(.list(pageSize: 20, store: .default, after: nil))
        #expect(path == "/v1/feed/notifications")
        #expect(
            query == ["distinct_id": "user-1", "tenant_id": "default", "page_size": "20", "search_after": []]
        )
    }

    @Test("The next page of a store has its cursor and its query") func nextPageOfAStore() throws {
        let call = FeedCall.list(pageSize: 20, store: unread, after: .init(isPinned: false, created: base))
        let query = try parts(call).query
        #expect(query["search_after"] == [0, 1_754_346_745_613])
        #expect(
            query["store"] == [
                "store_id": "Unread", "query": ["read": false, "tags": ["or": ["tab1"]], "categories": ["or": []]],
            ]
        )
        let pinned = FeedCall.list(pageSize: 20, store: unread, after: .init(isPinned: true, created: base))
        #expect(try parts(pinned).query["search_after"] == [1, 1_754_346_745_613])
    }

    @Test("A count has the queries of its stores") func countsOfStores() throws {
        #expect(try parts(.count(stores: nil)).query == ["distinct_id": "user-1", "tenant_id": "default"])
        #expect(try parts(.count(stores: [])).query["stores"] == [])
        #expect(
            try parts(.count(stores: [unread, archived])).query["stores"] == [
                ["store_id": "Unread", "query": ["read": false, "tags": ["or": ["tab1"]], "categories": ["or": []]]],
                [
                    "store_id": "Archived",
                    "query": ["archived": true, "tags": ["or": []], "categories": ["or": ["promo"]]],
                ],
            ]
        )
    }

    @Test(
        "Each call of the feed has its method, path and body",
        arguments: [
            (FeedCall.details(id: "01K"), "GET", "notifications/01K", nil),
            (.markSeen(id: "01K"), "PATCH", "notifications/01K/seen", "{}"),
            (.markRead(id: "01K"), "PATCH", "notifications/01K/read", "{}"),
            (.markUnread(id: "01K"), "PATCH", "notifications/01K/unread", "{}"),
            (.markInteracted(id: "01K"), "PATCH", "notifications/01K/interacted", "{}"),
            (.archive(id: "a/b c"), "PATCH", "notifications/a%2Fb%20c/archive", "{}"),
            (.markBulkSeen(ids: ["a", "b"]), "POST", "bulk/notifications/seen", #"{"notification_ids":["a","b"]}"#),
            (.markAllRead, "PATCH", "mark_all_read", "{}"),
            (.resetBadge, "PATCH", "reset_bell_count", "{}"),
        ] as [(FeedCall, String, String, String?)]
    )
    func endpoints(call: FeedCall, method: String, path: String, body: String?) {
        #expect(call.method == method)
        #expect(call.url(in: scope) == "https://inboxs.live/v1/feed/\(path)?distinct_id=user-1&tenant_id=default")
        #expect(call.body == body)
    }

    @Test("Requests carry the public key, the client's description and the token") func headers() throws {
        let service = APIClient(context: try .test(), scope: scope, tokens: nil)
        let with = service.request(for: FeedCall.markAllRead, token: "T")
        #expect(with.headers.first { $0.name == "Authorization" }?.value == "SS.PUBK.example")
        #expect(with.headers.first { $0.name == "Content-Type" }?.value == "application/json")
        #expect(with.headers.first { $0.name == "x-ss-signature" }?.value == "T")
        #expect(with.headers.first { $0.name == "X-Suprsend-Client-User-Agent" }?.value == ClientDescription().json)
        #expect(with.headers.first { $0.name == "X-Suprsend-User-Agent" }?.value == ClientDescription().line)
        #expect(
            !service.request(for: FeedCall.markAllRead, token: nil).headers.contains { $0.name == "x-ss-signature" }
        )
    }

    /// The exact requests.
    @Test(
        "A client description has its JSON form and its user agent line",
        arguments: [
            (
                ClientDescription(
                    app: AppInfo(name: "Acme", version: "1.2.3"),
                    deviceModel: "x86_64",
                    languageVersion: "6.1",
                    osVersion: "6.8.0",
                    sdk: "suprsend-swift-sdk",
                    sdkVersion: "1.2.0"
                ),
                #"""
                {"app_info":{"name":"Acme","version":"1.2.3"},"device_model":"x86_64","environment":"desktop",\#
                "lang":"swift","lang_version":"6.1","os":"linux","os_version":"6.8.0","platform":"linux",\#
                "sdk":"suprsend-swift-sdk","sdk_version":"1.2.0"}
                """#,
                "suprsend-swift-sdk/1.2.0 (swift/6.1; linux) (Acme/1.2.3)"
            ),
            (
                ClientDescription(
                    app: AppInfo(name: "Acme", version: "1.2.3"),
                    languageVersion: "6.1",
                    os: "ios",
                    platform: "ios",
                    sdk: "suprsend-swift-sdk",
                    sdkVersion: "1.2.0"
                ),
                #"""
                {"app_info":{"name":"Acme","version":"1.2.3"},"environment":"desktop","lang":"swift",\#
                "lang_version":"6.1","os":"ios","platform":"ios","sdk":"suprsend-swift-sdk","sdk_version":"1.2.0"}
                """#,
                "suprsend-swift-sdk/1.2.0 (swift/6.1; ios) (Acme/1.2.3)"
            ),
            (
                ClientDescription(language: nil, os: nil, sdk: "suprsend-swift-sdk", sdkVersion: "1.2.0"),
                #"{"environment":"desktop","platform":"linux","sdk":"suprsend-swift-sdk","sdk_version":"1.2.0"}"#,
                "suprsend-swift-sdk/1.2.0"
            ),
        ]
    )
    func description(description: ClientDescription, json: String, line: String) {
        #expect(description.json == json)
        #expect(description.line == line)
    }

    /// The members and the form of the user agent line.
    @Test("A client description omits members without a value") func omittedMembers() {
        let description = ClientDescription(languageVersion: "6.1", sdk: "suprsend-swift-sdk", sdkVersion: "1.2.0")
        #expect(description.line == "suprsend-swift-sdk/1.2.0 (swift/6.1; linux)")
        var quiet = description
        quiet.languageVersion = nil
        #expect(
            quiet.json
                == #"""
                {"environment":"desktop","lang":"swift","os":"linux","platform":"linux",\#
                "sdk":"suprsend-swift-sdk","sdk_version":"1.2.0"}
                """#
        )
    }

    @Test(
        "An app's name or version that does not fit into a header is rejected",
        arguments: [AppInfo(name: ""), AppInfo(name: "a\r\nX: y"), AppInfo(name: "a", version: "ä")]
    )
    func invalidApp(app: AppInfo) {
        let error = #expect(throws: SuprSendError.self) { try SuprSendClient(publicKey: "k", app: app) }
        #expect(error?.kind == .invalidArgument)
    }

    @Test("While the service asks for a pause, no request is sent, and after a refused write no other one")
    func pause() async throws {
        let clock = ManualClock()
        let hub = FakeHub()
        let service = APIClient(
            context: try .test(http: hub, environment: environment(clock: clock)),
            scope: RequestScope(hosts: Hosts(), distinctID: "user-1", tenantID: nil),
            tokens: nil
        )
        await hub.answer(.success(response(429, "{}", [HTTPField("Retry-After", "20")])))
        for rest in [20, 20, 15] {
            if rest == 15 { clock.advance(by: .seconds(5)) }
            let error = await #expect(throws: SuprSendError.self) { try await service.send(FeedCall.markAllRead) }
            #expect(error?.kind == .rateLimited && error?.retryAfter == .seconds(rest))
        }
        #expect(await hub.requests.count == 1)
        let read = FeedCall.details(id: "n1")
        try await service.send(read)
        #expect(await hub.requests.count == 2)
        clock.advance(by: .seconds(15))
        try await service.send(FeedCall.markAllRead)
        #expect(await hub.requests.count == 3)

        await hub.answer(.success(response(429, "{}", [HTTPField("Retry-After", "20")])))
        await #expect(throws: SuprSendError.self) { try await service.send(read) }
        for call in [read, .markAllRead] {
            let error = await #expect(throws: SuprSendError.self) { try await service.send(call) }
            #expect(error?.message.contains("which ends in 20 s; nothing was sent") == true)
        }
        #expect(await hub.requests.count == 4)
    }
}

extension String {
    var percentDecoded: String? {
        var bytes: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let value = UInt8(decoding: rest.prefix(2)) else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate init?(decoding digits: Substring.UTF8View) {
        self.init(String(decoding: Array(digits), as: UTF8.self), radix: 16)
    }
}
