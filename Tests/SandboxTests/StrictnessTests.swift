import Testing

@testable import Sandbox

@Suite struct StrictnessTests {
    private static let list = "/v1/feed/notifications?\(Requests.user)"

    /// Tokens have tests of their own.
    private func answer(_ request: ServiceRequest) -> SandboxService.Answer {
        var service = SandboxService(options: .open)
        return service.handle(request, now: Requests.now)
    }

    @Test(
        "An invalid request is rejected as a violation",
        arguments: [
            // Paths and methods
            ("GET", "/", .route, 404),
            ("GET", "/v1/feed/notifications/?\(Requests.user)&search_after=%5B%5D", .route, 404),
            ("GET", "/v1/feed/nope?\(Requests.user)", .route, 404),
            ("GET", "/v1/feed/mark_all_read?\(Requests.user)", .route, 404),
            ("GET", "/v2/event", .route, 404),
            ("GET", "/v1/%zz", .route, 400),
            ("GET", "/v2/subscriber/user-1/", .route, 404),
            ("GET", "/v2/subscriber/nobody/full_preference/", .route, 404),
            // Queries
            ("GET", list, .query, 400),
            ("GET", list + "&search_after=", .query, 400),
            ("GET", list + "&search_after=[1]", .query, 400),
            ("GET", list + "&search_after=[2,5]", .query, 400),
            ("GET", list + "&search_after=[0,1.5e20]", .query, 400),
            ("GET", list + "&search_after=%5B%5D&page_size=0", .query, 400),
            ("GET", list + "&search_after=%5B%5D&page_size=101", .query, 400),
            ("GET", list + "&search_after=%5B%5D&page_size=ten", .query, 400),
            ("GET", list + "&search_after=%5B%5D&page_no=2", .query, 400),
            ("GET", list + "&search_after=%5B%5D&store=%7B", .query, 400),
            ("GET", list + "&search_after=%5B%5D&store=%5B%5D", .query, 400),
            ("GET", list + "&search_after=%5B%5D&search_after=%5B%5D", .query, 400),
            ("GET", list + "&search_after=%5B%5D&x=%4", .query, 400),
            ("GET", list + "&search_after=%5B0,1.7e12%5D", .query, 400),
            ("GET", list + "&search_after=%5B0,1754346745613.0%5D", .query, 400),
            // A plus sign that should have been escaped: another user.
            ("GET", "/v1/feed/notifications_count?distinct_id=anna+test%40example.com&tenant_id=default", .route, 404),
            ("GET", "/v1/feed/notifications_count?distinct_id=user-1", .query, 400),
            ("GET", "/v1/feed/notifications_count?distinct_id=&tenant_id=default", .query, 400),
            ("GET", "/v1/feed/notifications_count?\(Requests.user)&stores=%7B%7D", .query, 400),
            ("GET", "/v1/feed/notifications_count?distinct_id=nobody&tenant_id=default", .route, 404),
            ("GET", "/v1/feed/notifications_count?distinct_id=user-1&tenant_id=nowhere", .route, 404),
            ("GET", "/v1/user/user-1/preference/?show_opt_out_channels=yes", .query, 400),
            ("GET", "/v1/user/user-1/preference/?tags=%7B%22or%22:1%7D", .query, 400),
            ("GET", "/v1/user/user-1/preference/?tags=", .query, 400),
            ("GET", "/v1/user/user-1/preference/?tags=%7B%22not%22:%5B%22a%22%5D%7D", .query, 400),
            ("GET", "/v1/user/user-1/preference/channel_preference?show_opt_out_channels=true", .query, 400),
            ("GET", "/v1/user/user-1/preference/category/refund-news?tags=a", .query, 400),
            ("POST", "/v2/event?x=1", .query, 400),
            // Bodies: nothing where {} is due
            ("PATCH", "/v1/feed/mark_all_read?\(Requests.user)", .body, 400),
            ("POST", "/v1/feed/bulk/notifications/seen?\(Requests.user)", .body, 400),
            ("POST", "/v2/event", .body, 400),
        ] as [(String, String, Violation.Kind, Int)]
    )
    func invalidRequests(method: String, target: String, kind: Violation.Kind, status: Int) {
        let answer = answer(ServiceRequest(method: method, target: target, headers: Requests.headers))
        #expect(answer.response.status == status)
        #expect(answer.violations.map(\.kind) == [kind])
        #expect(answer.violations.first?.context == "\(method) \(target)")
        #expect(answer.json?.object != nil)
    }

    @Test(
        "A violation names the wrong key of a store",
        arguments: [
            (["store_id": "S", "query": ["tags": ["or": []]]], "categories"),
            (["store_id": "S", "query": ["tags": [], "categories": ["or": []]]], "tags"),
            (["store_id": "S", "query": ["read": 1, "tags": ["or": []], "categories": ["or": []]]], "read"),
            (
                ["store_id": "S", "query": ["is_archived": true, "tags": ["or": []], "categories": ["or": []]]],
                "is_archived"
            ),
            (["store_id": "S", "label": "Label", "query": ["tags": ["or": []], "categories": ["or": []]]], "label"),
        ] as [(JSON, String)]
    )
    func invalidStores(store: JSON, key: String) {
        let answer = answer(Requests.feed("notifications", "search_after=%5B%5D&store=\(Requests.encoded(store))"))
        #expect(answer.response.status == 400)
        #expect(answer.violations.first?.message.contains("'\(key)'") == true)
    }

    @Test("A store with an empty or reserved id is rejected", arguments: ["", "badge"])
    func namesOfStores(id: String) {
        let store: JSON = ["store_id": .string(id), "query": ["tags": ["or": []], "categories": ["or": []]]]
        for request in [
            Requests.feed("notifications", "search_after=%5B%5D&store=\(Requests.encoded(store))"),
            Requests.feed("notifications_count", "stores=\(Requests.encoded([store]))"),
        ] {
            #expect(answer(request).response.status == 400)
            #expect(answer(request).violations.map(\.kind) == [.query])
        }
    }

    @Test("A space in a query may be written as a plus sign, as browsers do")
    func spaces() {
        var service = SandboxService(options: SandboxOptions(users: ["anna b+c"], requireToken: false))
        let request = ServiceRequest(
            method: "GET",
            target: "/v1/feed/notifications_count?distinct_id=anna+b%2Bc&tenant_id=default&stores=%5B%5D",
            headers: Requests.headers
        )
        let answer = service.handle(request, now: Requests.now)
        #expect(answer.response.status == 200)
        #expect(answer.violations == [])
        var state = SandboxState(options: SandboxOptions(users: ["anna b+c"], requireToken: false))
        _ = state.handle(request, wall: Requests.now)
        #expect(state.requests.first?.parameters["distinct_id"] == "anna b+c")
    }

    @Test(
        "A missing or wrong header is a violation, whose text contains no key",
        arguments: [
            ("content-type", nil, 400), ("content-type", "text/plain", 400),
            ("authorization", nil, 401), ("authorization", "Bearer SS.PUBK.sandbox", 401),
            ("x-suprsend-user-agent", nil, 400), ("x-suprsend-client-user-agent", nil, 400),
            ("x-suprsend-client-user-agent", "no json", 400),
        ] as [(String, String?, Int)]
    )
    func headers(name: String, value: String?, status: Int) {
        var request = Requests.feed("notifications_count")
        request.headers[name] = value
        let answer = answer(request)
        #expect(answer.response.status == status)
        #expect(answer.violations.map(\.kind) == [.header])
        #expect(!answer.violations.description.contains("SS.PUBK.sandbox"))
    }

    @Test("Requests of the official clients are accepted") func officialRequests() {
        // Web style: everything escaped, JSON booleans; old Android: a stray "&".
        for request in [
            Requests.feed("notifications", "search_after=%5Bfalse%2C1754346745613%5D&page_size=100"),
            Requests.feed("notifications", "search_after=[0,1754346745613]"),
            Requests.hub("GET", "/v2/subscriber/user-1/category/refund-news?&tenant_id=default"),
            Requests.hub(
                "GET",
                "/v2/subscriber/user-1/full_preference/?tags=%7B%22or%22%3A%5B%22ops%22%5D%7D&locale=es-AR"
            ),
        ] {
            #expect(answer(request).response.status == 200)
            #expect(answer(request).violations == [])
        }
    }

    @Test(
        "An unknown action is not found, which is a violation",
        arguments: [("PUT", "mark_all_read"), ("PATCH", "notifications/A/unarchive"), ("POST", "bulk/seen")]
    )
    func unknownActions(method: String, path: String) {
        let answer = answer(Requests.action(method, path))
        #expect((answer.response.status, answer.errorType) == (404, "NOT_FOUND"))
        #expect(answer.violations.map(\.kind) == [.route])
    }

    @Test("A body is rejected where none is expected") func unexpectedBody() {
        var get = Requests.feed("notifications_count")
        get.body = Array("{}".utf8)
        #expect(answer(get).violations.map(\.kind) == [.body])
        let patch = Requests.action("PATCH", "mark_all_read", ["x": 1])
        #expect(answer(patch).violations.map(\.kind) == [.body])
    }

    @Test("Mutated requests are answered") func mutatedRequests() {
        var random = Mutation(seed: 7)
        let seeds = [
            Requests.feed("notifications", "search_after=%5B0%2C5%5D&store=%7B%22store_id%22%3A%22S%22%7D"),
            Requests.action("POST", "bulk/notifications/seen", ["notification_ids": ["A"]]),
            Requests.hub("PATCH", "/v1/user/user-1/preference/category/refund-news", ["preference": "opt_in"]),
        ]
        var service = SandboxService(options: .open)
        for round in 0..<3_000 {
            var request = seeds[round % seeds.count]
            request.target = random.mutate(request.target)
            request.body = Array(random.mutate(String(decoding: request.body, as: UTF8.self)).utf8)
            let answer = service.handle(request, now: Requests.now)
            #expect((200..<500).contains(answer.response.status))
            #expect(answer.json != nil)
        }
    }
}

/// Repeatable damage to text.
struct Mutation {
    private var state: UInt64
    private static let pieces = Array("{}[]\",:0129-/%+&=?\u{0}ä\u{1F600}true")

    init(seed: UInt64) { state = seed }

    private mutating func next(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(max(1, bound)))
    }

    mutating func mutate(_ text: String) -> String {
        var characters = Array(text)
        for _ in 0...next(3) {
            let position = next(characters.count + 1)
            switch next(3) {
            case 0: characters.insert(Self.pieces[next(Self.pieces.count)], at: position)
            case 1 where position < characters.count: characters.remove(at: position)
            default: characters = Array(characters.prefix(position)) + characters.suffix(next(characters.count + 1))
            }
        }
        return String(characters)
    }
}
