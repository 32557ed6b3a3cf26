import Testing

@testable import Sandbox

/// Push and inbox tokens.
@Suite struct MagicBellTokenTests {
    private typealias Requests = MagicBellRequests
    private static let device = String(repeating: "0badc0de", count: 8)
    private static let inboxToken = String(repeating: "0123456789abcdef", count: 4)

    @Test(
        "The REST API registers a device and removes it by its own token",
        arguments: [
            ("apns", ["device_token": .string(device), "installation_id": "production", "app_id": "org.example.app"]),
            ("fcm", ["device_token": .string(device)]),
        ] as [(String, JSON)]
    )
    func devices(kind: String, payload: JSON) throws {
        var state = try SandboxState.magicBell()
        let path = "/channels/mobile_push/\(kind)/tokens"
        let answer = state.answer(Requests.rest("POST", path, .object([kind: payload])))
        #expect((answer.status, answer.json) == (201, payload))
        let stored = try #require(StoredTokens.Kind(rawValue: kind))
        #expect(
            state.magicBell.service["user-1"].tokens.registered(stored).map { JSON.object($0.payload) } == [payload]
        )
        #expect(state.answer(Requests.rest("DELETE", "\(path)/\(Self.device)")).status == 204)
        #expect(state.answer(Requests.rest("DELETE", "\(path)/\(Self.device)")).status == 404)
        #expect(state.magicBell.service["user-1"].tokens.registered(stored).isEmpty)
        #expect(state.violations.isEmpty)
    }

    @Test("Registering a device again revives its token") func again() throws {
        var state = try SandboxState.magicBell()
        let post = Requests.rest(
            "POST",
            "/channels/mobile_push/fcm/tokens",
            ["fcm": ["device_token": .string(Self.device)]]
        )
        _ = state.answer(post)
        _ = state.answer(Requests.rest("DELETE", "/channels/mobile_push/fcm/tokens/\(Self.device)"))
        _ = state.answer(post)
        let tokens = state.magicBell.service["user-1"].tokens
        #expect(tokens.all.count == 1)
        #expect(tokens.registered(.fcm).map(\.id) == ["tok_1"])
    }

    @Test("Push subscriptions are listed with their ids") func pushSubscriptions() throws {
        var state = try SandboxState.magicBell()
        let body: JSON = ["push_subscription": ["device_token": "abc", "platform": "ios"]]
        let answer = state.answer(Requests.rest("POST", "/push_subscriptions", body))
        #expect(answer.status == 201)
        #expect(answer.json?["push_subscription"]?["id"] == "tok_1")
        let list = state.answer(Requests.rest("GET", "/push_subscriptions")).json?["push_subscriptions"]?.array
        #expect(list?.first?["device_token"] == "abc")
        #expect(list?.first?["created_at"] == "2026-01-01T00:00:00.000Z")
        #expect(state.answer(Requests.rest("DELETE", "/push_subscriptions/abc")).status == 204)
        let empty = state.answer(Requests.rest("GET", "/push_subscriptions")).json?["push_subscriptions"]
        #expect(empty == [])
    }

    @Test("Web push has keys to start with and tokens with ids") func webPush() throws {
        var state = try SandboxState.magicBell()
        let start = state.answer(Requests.rest("POST", "/integrations/web_push/installations/start", [:])).json
        #expect(start?["web_push"]?["public_key"]?.string?.isEmpty == false)
        let payload: JSON = [
            "endpoint": "https://push.example/1", "keys": ["p256dh": "BKx", "auth": "aGk"], "expirationTime": nil,
        ]
        let posted = state.answer(Requests.rest("POST", "/channels/web_push/tokens", ["web_push": payload]))
        #expect((posted.status, posted.json?["id"]) == (201, "tok_1"))
        let one = state.answer(Requests.rest("GET", "/channels/web_push/tokens/tok_1")).json
        #expect(one?["web_push"]?["endpoint"] == "https://push.example/1")
        #expect(state.answer(Requests.rest("DELETE", "/channels/web_push/tokens/tok_1")).status == 204)
        #expect(state.answer(Requests.rest("GET", "/channels/web_push/tokens/tok_1")).status == 404)
        let older: JSON = ["web_push_subscription": ["data": payload]]
        #expect(state.answer(Requests.rest("POST", "/web_push_subscriptions", older)).status == 201)
        #expect(state.magicBell.service["user-1"].tokens.registered(.webPush).count == 1)
        #expect(state.violations.isEmpty)
    }

    @Test("Inbox tokens are registered under the names of each API") func inboxTokens() throws {
        var state = try SandboxState.magicBell()
        let token = JSON.string(Self.inboxToken)
        let rest = state.answer(
            Requests.rest("POST", "/channels/in_app/inbox/tokens", ["inbox": ["token": token]])
        )
        #expect((rest.status, rest.json) == (201, ["in_app/inbox": ["token": token]]))
        let user = state.answer(Requests.user("PUT", "/channels/in_app/inbox/tokens", ["token": token]))
        #expect((user.status, user.json) == (200, ["token": token, "connection_id": nil]))
        #expect(state.magicBell.service.inboxTokens == [Self.inboxToken: "user-1"])
    }

    @Test("The user API lists tokens with cursors and deletes them by id") func userTokens() throws {
        var state = try SandboxState.magicBell()
        let path = "/channels/mobile_push/expo/tokens"
        for name in ["a", "b", "c"] {
            #expect(state.answer(Requests.user("PUT", path, ["device_token": .string(name)])).status == 200)
        }
        func ids(_ query: String) -> [String] {
            state.answer(Requests.user("GET", path + query)).json?["data"]?.ids ?? []
        }
        #expect(ids("") == ["tok_1", "tok_2", "tok_3"])
        #expect(ids("?limit=1&starting_after=tok_1") == ["tok_2"])
        #expect(ids("?limit=1&ending_before=tok_3") == ["tok_2"])
        let deleted = state.answer(Requests.user("DELETE", path + "/tok_2"))
        #expect(deleted.json == ["id": "tok_2", "discarded_at": "2026-01-01T00:00:00.000Z"])
        #expect(state.answer(Requests.user("DELETE", path + "/tok_2")).status == 404)
        let discarded = state.answer(Requests.user("GET", path + "/tok_2")).json
        #expect(discarded?["discarded_at"] == "2026-01-01T00:00:00.000Z")
        #expect(state.violations.isEmpty)
    }

    @Test("A deleted inbox token cannot open a socket") func deletedInboxToken() throws {
        var state = try SandboxState.magicBell()
        let path = "/channels/in_app/inbox/tokens"
        _ = state.answer(Requests.user("PUT", path, ["token": .string(Self.inboxToken)]))
        _ = state.answer(Requests.user("DELETE", path + "/tok_1"))
        #expect(state.magicBell.service.inboxTokens.isEmpty)
    }
}
