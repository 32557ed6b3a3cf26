import Testing

@testable import Sandbox

@Suite struct MagicBellStrictnessTests {
    private typealias Requests = MagicBellRequests

    @Test(
        "An invalid request of the REST API is rejected as a violation",
        arguments: [
            // Paths and methods
            ("GET", "/nope", nil, .route, 404), ("PUT", "/notifications", nil, .route, 404),
            ("POST", "/notifications/A/explode", nil, .route, 404), ("POST", "/notifications/A/seen", nil, .route, 404),
            ("POST", "/notifications/archive", nil, .route, 404), ("GET", "/%zz", nil, .route, 404),
            ("POST", "/config", nil, .route, 404), ("GET", "/ws/auth", nil, .route, 404),
            ("PUT", "/channels/mobile_push/apns/tokens", [:], .route, 404),
            ("POST", "/channels/mobile_push/expo/tokens", ["expo": [:]], .route, 404),
            ("PATCH", "/notification_preferences", nil, .route, 404),
            // Queries
            ("GET", "/notifications?page=0", nil, .query, 422),
            ("GET", "/notifications?per_page=101", nil, .query, 422),
            ("GET", "/notifications?read=1", nil, .query, 422), ("GET", "/notifications?limit=5", nil, .query, 422),
            ("GET", "/notifications?page=1&page=2", nil, .query, 422),
            ("GET", "/notifications?category=a&categories=b", nil, .query, 422),
            ("POST", "/notifications/A/read?x=1", nil, .query, 422), ("GET", "/config?x=1", nil, .query, 422),
            ("POST", "/ws/auth?format=xml", nil, .query, 422),
            // Bodies
            ("POST", "/notifications/A/read", ["x": 1], .body, 422),
            ("PUT", "/notification_preferences", [:], .body, 422),
            ("PUT", "/notification_preferences", ["notification_preferences": ["categories": []]], .body, 422),
            ("POST", "/channels/mobile_push/apns/tokens", ["token": "x"], .body, 422),
            ("POST", "/channels/mobile_push/apns/tokens", ["apns": ["device_token": "short"]], .body, 422),
            ("POST", "/channels/in_app/inbox/tokens", ["inbox": ["token": "short"]], .body, 422),
            ("POST", "/push_subscriptions", ["push_subscription": ["device_token": "x"]], .body, 422),
            // Headers
            ("POST", "/ws/auth", ["clientId": "x"], .header, 415),
        ] as [(String, String, JSON?, Violation.Kind, Int)]
    )
    func restAPI(method: String, target: String, body: JSON?, kind: Violation.Kind, status: Int) throws {
        var state = try SandboxState.magicBell([["id": "A"]])
        let answer = state.answer(Requests.rest(method, target, body))
        #expect(answer.status == status)
        #expect(state.violations.map(\.kind) == [kind])
        #expect(state.violations.first?.context == "\(method) \(target)")
        #expect(answer.json?["errors"]?.array?.first?["message"]?.string?.isEmpty == false)
    }

    @Test(
        "An invalid request of the user API is rejected as a violation",
        arguments: [
            ("DELETE", "/notifications/A", nil, .route, 404), ("DELETE", "/notifications/A/archive", nil, .route, 404),
            ("GET", "/nope", nil, .route, 404), ("POST", "/channels/in_app/inbox/tokens", [:], .route, 404),
            ("GET", "/notifications?page=1", nil, .query, 422), ("GET", "/notifications?read=true", nil, .query, 422),
            ("GET", "/notifications?status=new", nil, .query, 422), ("GET", "/notifications?limit=0", nil, .query, 422),
            ("GET", "/notifications?starting_after=A&ending_before=A", nil, .query, 422),
            ("PUT", "/channels/user_preferences", ["categories": [:]], .body, 422),
            ("PUT", "/channels/user_preferences", ["categories": [["slug": "ci", "channels": []]]], .body, 422),
            ("PUT", "/channels/in_app/inbox/tokens", ["inbox": ["token": "x"]], .body, 422),
        ] as [(String, String, JSON?, Violation.Kind, Int)]
    )
    func userAPI(method: String, target: String, body: JSON?, kind: Violation.Kind, status: Int) throws {
        var state = try SandboxState.magicBell([["id": "A"]])
        #expect(state.answer(Requests.user(method, target, body)).status == status)
        #expect(state.violations.map(\.kind) == [kind])
    }

    @Test("A body without the type of JSON is a violation") func contentType() throws {
        var state = try SandboxState.magicBell()
        let body: JSON = ["notification_preferences": ["categories": [:]]]
        let request = Requests.rest("PUT", "/notification_preferences", body, ["content-type": "text/plain"])
        #expect(state.answer(request).status == 415)
        let withCharset = ["content-type": "application/json; charset=utf-8"]
        #expect(state.answer(Requests.rest("PUT", "/notification_preferences", body, withCharset)).status == 200)
        #expect(state.violations.map(\.kind) == [.header])
    }

    @Test("The user API rejects the headers of the REST API and requests without a token") func userAPIHeaders() throws
    {
        var state = try SandboxState.magicBell()
        #expect(state.answer(Requests.rest("GET", "/v2/notifications")).status == 401)
        var request = Requests.user("GET", "/notifications")
        request.headers["x-magicbell-user-email"] = "a@example.com"
        #expect(state.answer(request).status == 401)
        #expect(state.violations.map(\.kind) == [.header, .header])
    }

    @Test(
        "An upgrade with another query is refused as a violation",
        arguments: [
            "/?key=a:b&v=6", "/?accessToken=t&v=6&format=msgpack", "/?accessToken=t", "/?accessToken=t&v=7",
            "/?accessToken=t&v=6&x=1", "/?api_key=k&token=t&x=1", "/", "/socket?accessToken=t&v=6",
        ]
    )
    func upgrades(target: String) throws {
        var state = try SandboxState.magicBell()
        let request = ServiceRequest(method: "GET", target: target, headers: ["upgrade": "websocket"])
        #expect(!state.grantsUpgrade(request, wall: Requests.now).granted)
        #expect((400..<500).contains(state.answer(request).status))
        #expect(state.violations.count == 1)
    }

    @Test("The log replaces the tokens of an upgrade") func loggedUpgrade() throws {
        var state = try SandboxState.magicBell()
        let target = "/?accessToken=secret&v=6&format=json&resume=c1%21k1&heartbeats=true"
        let request = ServiceRequest(method: "GET", target: target, headers: ["upgrade": "websocket"])
        #expect(state.grantsUpgrade(request, wall: Requests.now).granted)
        let query = state.requests.last?.query
        #expect(query == "accessToken=(secret)&v=6&format=json&resume=(secret)&heartbeats=true")
        #expect(state.violations.isEmpty)
    }
}
