import Testing

@testable import Sandbox

/// Ably's tokens: TokenRequests of `/ws/auth` and their exchange.
@Suite struct AblyTokenTests {
    private typealias Requests = MagicBellRequests

    private static func exchange(_ request: JSON, key: String = "sandbox.key-1") -> ServiceRequest {
        ServiceRequest(
            method: "POST",
            target: "/keys/\(key)/requestToken",
            headers: ["content-type": "application/json"],
            body: request.bytes
        )
    }

    private static func tokenRequest(_ state: inout SandboxState, wall: Int64 = Requests.now) -> JSON {
        let headers = ["content-type": "application/x-www-form-urlencoded"]
        let request = Requests.rest("POST", "/ws/auth?format=json", nil, headers)
        return state.answer(request, wall: wall).json ?? .null
    }

    @Test("The configuration names the channel that the TokenRequest permits") func configuration() throws {
        var state = try SandboxState.magicBell()
        let config = state.answer(Requests.rest("GET", "/config")).json
        let channel = try #require(config?["ws"]?["channel"]?.string)
        #expect(channel == "project:11:channel:dXNlci0x")
        let request = Self.tokenRequest(&state)
        let capability = try #require(request["capability"]?.string)
        #expect(JSON(parsing: capability)?[channel] == ["*"])
        #expect(request["timestamp"] == .integer(Requests.now))
    }

    @Test("A TokenRequest is exchanged for a token once") func exchangedOnce() throws {
        var state = try SandboxState.magicBell([], MagicBellOptions(ablyTokenLifetime: 5_000))
        let request = Self.tokenRequest(&state)
        let first = state.answer(Self.exchange(request), wall: Requests.now + 100)
        #expect(first.status == 201)
        #expect(first.json?["issued"] == .integer(Requests.now + 100))
        #expect(first.json?["expires"] == .integer(Requests.now + 5_100))
        #expect(first.json?["token"]?.string == "sandbox.token-1")
        let second = state.answer(Self.exchange(request))
        #expect((second.status, second.json?["error"]?["code"]) == (401, 40105))
        #expect(state.violations.isEmpty)
    }

    @Test(
        "A changed or old TokenRequest is refused",
        arguments: [
            ("ttl", 1, 401, 40101), ("capability", "{}", 401, 40101), ("clientId", "x", 401, 40101),
            ("mac", "AAAA", 401, 40101), ("nonce", "other", 401, 40101), ("keyName", "sandbox.key-2", 404, 40400),
            ("clientId", nil, 201, nil),
        ] as [(String, JSON, Int, JSON?)]
    )
    func changed(member: String, value: JSON, status: Int, code: JSON?) throws {
        var state = try SandboxState.magicBell()
        var request = try #require(Self.tokenRequest(&state).object)
        request[member] = value
        let answer = state.answer(Self.exchange(.object(request)))
        #expect((answer.status, answer.json?["error"]?["code"]) == (status, code))
    }

    @Test("A TokenRequest is valid for a quarter of an hour") func oldRequest() throws {
        var state = try SandboxState.magicBell()
        let request = Self.tokenRequest(&state)
        let answer = state.answer(Self.exchange(request), wall: Requests.now + 15 * 60_000 + 1)
        #expect((answer.status, answer.json?["error"]?["code"]) == (401, 40104))
    }

    @Test("The exchange requires JSON") func contentType() throws {
        var state = try SandboxState.magicBell()
        var request = Self.exchange(Self.tokenRequest(&state))
        request.headers["content-type"] = "text/plain"
        #expect(state.answer(request).status == 415)
        #expect(state.violations.map(\.kind) == [.header])
    }
}
