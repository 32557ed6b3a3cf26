import Testing

@testable import Sandbox

@Suite struct TokenTests {
    private static let now = Requests.now
    private static let expiry = now / 1000 + 60

    private func answer(_ token: String?, generation: Int = 1, at now: Int64 = now) -> SandboxService.Answer {
        var service = SandboxService(options: SandboxOptions(requireToken: true))
        service.tokenGeneration = generation
        var request = Requests.feed("notifications_count")
        request.headers["x-ss-signature"] = token
        return service.handle(request, now: now)
    }

    @Test("The documented example of a token is read") func sample() throws {
        let text =
            """
            eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJlbnRpdHlfdHlwZSI6InN1YnNjcmliZXIiLCJlbnRpdHlfaWQiOiJ1c2VyLTEiLCJleH\
            AiOjE3NTQzNTAzNDUsImlhdCI6MTc1NDM0Njc0NSwic2NvcGUiOnsidGVuYW50X2lkIjoiZGVmYXVsdCJ9fQ.c2ln
            """
        let token = try #require(SandboxToken(parsing: text))
        #expect(token.entityID == "user-1")
        #expect(token.tenants == ["default"])
        #expect(token.expiresAt == 1_754_350_345)
        #expect(answer(text).response.status == 200)
    }

    @Test(
        "A token that is created can be read",
        arguments: ["anna+test@example.com", "Jörg", "a", "ab", "abc", "???>>>"]
    )
    func roundTrip(user: String) throws {
        let text = SandboxToken.make(entityID: user, tenant: nil, expiresAt: 5, generation: 3)
        #expect(text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) })
        let token = try #require(SandboxToken(parsing: text))
        #expect(token.entityID == user)
        #expect((token.tenants, token.expiresAt, token.generation) == (["default"], 5, 3))
    }

    @Test("Each reason for refusing a token has its status and type") func refusals() {
        let valid = SandboxToken.make(entityID: "user-1", expiresAt: Self.expiry)
        #expect(answer(valid).response.status == 200)

        let expired = answer(valid, at: Self.expiry * 1000)
        #expect((expired.response.status, expired.errorType) == (401, "token_expired"))
        #expect(expired.violations == [])

        let rotated = answer(valid, generation: 2)
        #expect((rotated.response.status, rotated.errorType) == (401, "token_invalid"))
        #expect(rotated.violations == [])

        let scope = answer(SandboxToken.make(entityID: "user-1", tenant: "acme", expiresAt: Self.expiry))
        #expect((scope.response.status, scope.errorType) == (403, "permission_denied"))

        let other = answer(SandboxToken.make(entityID: "user-2", expiresAt: Self.expiry))
        #expect((other.response.status, other.errorType) == (401, "token_invalid"))
        #expect(other.violations.map(\.kind) == [.header])

        for missing in [nil, ""] {
            #expect(answer(missing).response.status == 401)
            #expect(answer(missing).violations.map(\.kind) == [.header])
        }
        for garbage in ["x", "a.b", "a.b.c", "..", "a.e30.c", "a.%.c"] {
            #expect(answer(garbage).errorType == "token_invalid")
        }
    }

    @Test("A token is needed unless the options say otherwise", arguments: [true, false])
    func tokensAreRequiredByDefault(isRequired: Bool) {
        var service = isRequired ? SandboxService() : SandboxService(options: SandboxOptions(requireToken: false))
        var request = Requests.feed("notifications_count")
        request.headers["x-ss-signature"] = nil
        let answer = service.handle(request, now: Self.now)
        #expect(answer.response.status == (isRequired ? 401 : 200))
        #expect(answer.violations.map(\.kind) == (isRequired ? [.header] : []))
        let credentials: JSON = [
            "authorization": "SS.PUBK.sandbox", "distinct_id": "user-1", "tenant_id": "default", "schema": "1",
        ]
        let (result, violation) = service.admit(credentials, now: Self.now)
        #expect((try? result.get()) == (isRequired ? nil : InboxKey(user: "user-1")))
        #expect((violation != nil) == isRequired)
    }

    @Test("An event without a tenant is one of the default tenant")
    func tenantOfAnEvent() {
        var service = SandboxService(options: SandboxOptions(tenants: ["default", "acme"]))
        let event: JSON = ["$insert_id": "i", "$time": .integer(Self.now), "distinct_id": "user-1", "$unset": ["plan"]]
        var request = Requests.hub("POST", "/v2/event", event)
        request.headers["x-ss-signature"] = SandboxToken.make(
            entityID: "user-1",
            tenant: "acme",
            expiresAt: Self.expiry
        )
        #expect(service.handle(request, now: Self.now).response.status == 403)
    }

    @Test("The log of requests contains no key and no token") func secrets() {
        var state = SandboxState(options: SandboxOptions(requireToken: true))
        let token = SandboxToken.make(entityID: "user-1", expiresAt: Self.expiry)
        var request = Requests.feed("notifications_count")
        request.headers["x-ss-signature"] = token
        _ = state.handle(request, wall: Self.now)
        let headers = state.requests[0].headers
        #expect(headers["authorization"] == "(public key)")
        #expect(headers["x-ss-signature"] == "(token 1 of user-1)")
    }
}
