import Testing

@testable import Sandbox

@Suite struct MagicBellCredentialTests {
    private typealias Requests = MagicBellRequests

    @Test(
        "SHA-256 has the values of FIPS 180-4, also at the borders of a block",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (String(repeating: "a", count: 55), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
            (String(repeating: "a", count: 64), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
        ]
    )
    func sha256(message: String, digest: String) {
        let hex = SHA256.hash(Array(message.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(hex == digest)
    }

    @Test(
        "HMACs have the values of MagicBell's backend libraries",
        arguments: [
            ("user-001", "qwnmY4hTm8rFcgUX+zWJ6BOXQAzrrr5WsILiFpGaWho="),
            ("mary@example.com", "PZ7n5wWLf53luMYyqyS8GoygRiyySFLQ8jrFl2uG6gg="),
        ]
    )
    func hmac(identifier: String, value: String) {
        let service = SimulatedMagicBell(options: MagicBellOptions(hmacSecret: "s3cr3t-key"))
        #expect(service.hmac(of: identifier) == value)
    }

    @Test("A key longer than a block is hashed first") func longKey() {
        // The value is that of Python's hmac.
        let value = Base64.standard(HMAC.sha256("message", key: String(repeating: "k", count: 100)))
        #expect(value == "HChzVBbTIBY/Vvgb27g9ZR7tUI0YTmuLA2YnQKUzKT4=")
    }

    @Test("A user token made elsewhere is read") func foreignToken() throws {
        let token =
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ1c2VyX2VtYWlsIjoibWFyeUBleGFtcGxlLmNvbSIsInVzZXJfZXh0ZXJuYWxf"
            + "aWQiOiJ1c2VyLTAwMSIsImFwaV9rZXkiOiJwa190ZXN0X2RlbW8iLCJpYXQiOjE3NjcyMjU2MDAsImV4cCI6MTc5ODc2MTYwMH0"
            + ".-MlwePPUyzz78ns0w4RsXDn2jrxDWKUZfxd_FSSK5OM"
        let claims = try SignedUserToken.claims(of: token, secret: "s3cr3t-key", now: Requests.now)
        #expect(claims["user_external_id"] == "user-001")
        #expect(claims["user_email"] == "mary@example.com")
        #expect(throws: SignedUserToken.Problem.signature) {
            try SignedUserToken.claims(of: token, secret: "other", now: Requests.now)
        }
        #expect(throws: SignedUserToken.Problem.expired) {
            try SignedUserToken.claims(of: token, secret: "s3cr3t-key", now: 1_798_761_600_000)
        }
        #expect(throws: SignedUserToken.Problem.malformed) {
            try SignedUserToken.claims(of: "a.b", secret: "s3cr3t-key", now: Requests.now)
        }
    }

    @Test(
        "The credentials of the REST API are checked",
        arguments: [
            (["x-magicbell-user-external-id": "user-1"], 401, "api_key_not_provided", 1),
            (["x-magicbell-api-key": "pk_other", "x-magicbell-user-email": "a@b"], 401, "incorrect_api_key", 0),
            (["x-magicbell-api-key": "pk_sandbox"], 401, "user_identifier_not_provided", 1),
            (["x-magicbell-api-key": "pk_sandbox", "x-magicbell-user-email": "a@b"], 200, nil, 0),
            (
                ["x-magicbell-api-key": "pk_sandbox", "x-magicbell-user-email": "a@b", "x-magicbell-api-secret": "s"],
                403, "forbidden", 1
            ),
        ] as [([String: String], Int, String?, Int)]
    )
    func restCredentials(headers: [String: String], status: Int, code: String?, violations: Int) throws {
        var state = try SandboxState.magicBell()
        let answer = state.answer(ServiceRequest(method: "GET", target: "/notifications", headers: headers))
        #expect((answer.status, answer.json?.errorCode) == (status, code))
        #expect(state.violations.map(\.kind) == Array(repeating: .header, count: violations))
    }

    @Test("A required HMAC must be that of the external id, or else of the address in lower case")
    func requiredHMAC() throws {
        var state = try SandboxState.magicBell([], MagicBellOptions(hmacSecret: "s3cr3t-key", requireHMAC: true))
        func status(_ more: [String: String]) -> Int {
            state.answer(Requests.rest("GET", "/notifications", nil, more)).status
        }
        #expect(status([:]) == 401)
        let hmac = state.magicBell.service.hmac(of: "user-1")
        let ofMary = state.magicBell.service.hmac(of: "mary@example.com")
        #expect(status(["x-magicbell-user-hmac": hmac]) == 200)
        #expect(status(["x-magicbell-user-hmac": hmac, "x-magicbell-user-email": "mary@example.com"]) == 200)
        #expect(status(["x-magicbell-user-hmac": ofMary, "x-magicbell-user-email": "mary@example.com"]) == 401)
        let byAddress = ServiceRequest(
            method: "GET",
            target: "/notifications",
            headers: [
                "x-magicbell-api-key": "pk_sandbox", "x-magicbell-user-email": "Mary@example.com",
                "x-magicbell-user-hmac": ofMary,
            ]
        )
        #expect(state.answer(byAddress).status == 200)
        // The log has no secret.
        #expect(state.requests.last?.headers["x-magicbell-user-hmac"] == "(hmac)")
        #expect(state.violations.isEmpty)
    }

    @Test("A user token takes the place of key and user, until it expires or the key is rotated")
    func userToken() throws {
        var state = try SandboxState.magicBell([["id": "A"]])
        let token = try #require(
            try state.execute("token", ["lifetime_s": 60], wall: Requests.now).answer["token"]?.string
        )
        func request(_ target: String) -> ServiceRequest {
            ServiceRequest(method: "GET", target: target, headers: ["authorization": "Bearer \(token)"])
        }
        #expect(state.answer(request("/notifications")).json?["notifications"]?.ids == ["A"])
        #expect(state.answer(request("/v2/notifications")).json?["data"]?.ids == ["A"])
        #expect(state.requests.last?.headers["authorization"] == "Bearer (token)")
        #expect(state.answer(request("/v2/notifications"), wall: Requests.now + 60_000).status == 401)
        _ = try state.command("rotate-tokens")
        #expect(state.answer(request("/v2/notifications")).status == 401)
        #expect(state.violations.isEmpty)
    }

    @Test("The external id identifies; the same address under two ids is two users") func identities() {
        var users = MagicBellUsers()
        let first = users.identified(externalID: "1", email: "a@example.com")
        let second = users.identified(externalID: "2", email: "a@example.com")
        #expect(first.id != second.id)
        #expect(users.identified(externalID: "1", email: nil).email == "a@example.com")
        #expect(users.identified(externalID: nil, email: "a@example.com").id == first.id)
        #expect(users.named("2")?.id == second.id)
        #expect(users.all.count == 2)
    }
}
