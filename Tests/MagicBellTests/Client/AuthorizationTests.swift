import ClientKit
import FoundationEssentials
import MagicBell
import Synchronization
import TestSupport
import Testing

@Suite("The credentials of requests")
struct AuthorizationTests {
    private func headers(_ credentials: UserCredentials, app: AppInfo? = nil) async throws -> [String: String] {
        let http = ScriptedHTTP()
        try await RESTAPI(credentials, context: .scripted(http, app: app)).change("n1", to: .read)
        let fields = try #require(await http.requests.first).headers
        #expect(Set(fields.map(\.name)).count == fields.count, "a header is sent twice")
        return Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.value) })
    }

    @Test("Each form of identity has its headers, and no others")
    func headersOfEachForm() async throws {
        let common = [
            "Accept": "application/json", "User-Agent": "feedbell-magicbell-swift/0.2.0 (swift; linux)",
            "idempotency-key": "magicbell-retry-id-1",
        ]
        func all(_ own: [String: String]) -> [String: String] { common.merging(own) { $1 } }
        let key = "pk_test_demo"
        #expect(
            try await headers(.apiKey(key, user: UserIdentity(email: "Mary@example.com")))
                == all(["X-MAGICBELL-API-KEY": key, "X-MAGICBELL-USER-EMAIL": "mary@example.com"])
        )
        #expect(
            try await headers(.apiKey(key, user: UserIdentity(externalID: "user-001"), hmac: "h="))
                == all([
                    "X-MAGICBELL-API-KEY": key, "X-MAGICBELL-USER-EXTERNAL-ID": "user-001",
                    "X-MAGICBELL-USER-HMAC": "h=",
                ])
        )
        #expect(
            try await headers(.apiKey(key, user: UserIdentity(email: "mary@example.com", externalID: "user-001")))
                == all([
                    "X-MAGICBELL-API-KEY": key, "X-MAGICBELL-USER-EXTERNAL-ID": "user-001",
                    "X-MAGICBELL-USER-EMAIL": "mary@example.com",
                ])
        )
        #expect(
            try await headers(.userToken(AnswerSamples.token))
                == all(["Authorization": "Bearer \(AnswerSamples.token)"])
        )
        #expect(
            try await headers(.mary, app: AppInfo(name: "notifier", version: "2"))["User-Agent"]
                == "feedbell-magicbell-swift/0.2.0 (swift; linux) (notifier/2)"
        )
    }

    @Test("Replaced credentials are used by the next request")
    func replacement() async throws {
        let http = ScriptedHTTP()
        let context = try RequestContext.scripted(http)
        let user = try UserIdentity(email: "mary@example.com")
        let authorization = UserAuthorization(try .apiKey("k", user: user, hmac: "old"), context: context)
        let api = RESTAPI(authorization, context: context)
        try await api.change("n1", to: .read)
        authorization.replace(try .apiKey("k", user: user, hmac: "new"))
        try await api.change("n1", to: .read)
        let values = await http.requests.map { request in
            request.headers.first { $0.name == "X-MAGICBELL-USER-HMAC" }?.value
        }
        #expect(values == ["old", "new"])
    }

    @Test("A refused token is replaced once, and a refused API key is not sent again")
    func refusedCredentials() async throws {
        let refusal = answer(401, #"{"message":"expired"}"#)
        let other = "eyJ.e30.x"
        let http = ScriptedHTTP(refusal, answer(200, #"{"count":3}"#))
        let credentials = try UserCredentials.userToken(AnswerSamples.token) { _ in other }
        let counts = try await UserAPI(credentials, context: .scripted(http)).counts(of: StorePredicate())
        #expect(counts.unread == 3)
        #expect(
            await http.requests.map { $0.headers.first?.value } == ["Bearer \(AnswerSamples.token)", "Bearer \(other)"]
        )

        let twice = ScriptedHTTP(refusal, refusal)
        let api = UserAPI(credentials, context: try .scripted(twice))
        let error = await #expect(throws: MagicBellError.self) { try await api.counts(of: StorePredicate()) }
        #expect(error?.kind == .unauthorized)
        #expect(await twice.requests.count == 2)

        let keyed = ScriptedHTTP(answer(401, AnswerSamples.noUser))
        let refused = await #expect(throws: MagicBellError.self) {
            try await RESTAPI(.mary, context: .scripted(keyed)).notification("n1")
        }
        #expect(refused?.kind == .unauthorized)
        #expect(await keyed.requests.count == 1)
    }

    @Test("An HMAC from a source is read before the first request, and again after a refusal")
    func refreshedHMAC() async throws {
        let refusal = answer(401, AnswerSamples.noUser)
        let http = ScriptedHTTP(answer(200, "{}"), refusal, answer(200, "{}"), refusal)
        let reads = Mutex(0)
        let credentials = try UserCredentials.apiKey(
            "k",
            user: try UserIdentity(externalID: "7"),
            refreshingHMAC: { _ in
                reads.withLock { $0 = min($0 + 1, 2) }
                return " hmac-\(reads.withLock { $0 })\n"
            }
        )
        let api = RESTAPI(credentials, context: try .scripted(http))
        try await api.change("n1", to: .read)
        try await api.change("n1", to: .read)
        let error = await #expect(throws: MagicBellError.self) { try await api.change("n1", to: .read) }
        #expect(error?.kind == .unauthorized && error?.message.contains("hmac-2") == false)
        let values = await http.requests.map { request in
            request.headers.first { $0.name == "X-MAGICBELL-USER-HMAC" }?.value
        }
        #expect(values == ["hmac-1", "hmac-1", "hmac-2", "hmac-2"])
    }

    @Test("A token that is about to expire is refreshed before the request")
    func expiringToken() async throws {
        let http = ScriptedHTTP()
        let late = Date(timeIntervalSince1970: 1_798_761_590)
        let credentials = try UserCredentials.userToken(AnswerSamples.token) { expired in
            #expect(expired == AnswerSamples.token)
            return "eyJ.e30.x"
        }
        let api = UserAPI(credentials, context: try .scripted(http, now: { late }))
        try await api.change("n1", to: .seen)
        #expect(await http.requests.first?.headers.first?.value == "Bearer eyJ.e30.x")
    }

    @Test("Without a token nothing is sent, and the failure of its source is reported")
    func noToken() async throws {
        struct Failure: Error, CustomStringConvertible { var description: String { "pass failed: eyJabc.def.ghi" } }
        let http = ScriptedHTTP()
        let context = try RequestContext.scripted(http)
        let none = UserAPI(try .userToken(refresh: { _ in nil }), context: context)
        let failing = UserAPI(try .userToken(refresh: { _ in throw Failure() }), context: context)
        let first = await #expect(throws: MagicBellError.self) { try await none.preferences() }
        #expect(first?.kind == .unauthorized)
        let second = await #expect(throws: MagicBellError.self) { try await failing.preferences() }
        #expect(second?.kind == .unauthorized)
        #expect(second?.message.contains("pass failed") == true && second?.message.contains("eyJ") == false)
        #expect(await http.requests.isEmpty)
    }

    @Test("Credentials in the service's words are not shown")
    func redaction() async throws {
        let words = #"{"errors":[{"message":"bad hmac qwnm=","code":"qwnm="}]}"#
        let http = ScriptedHTTP(answer(422, words))
        let credentials = try UserCredentials.apiKey("k", user: UserIdentity(externalID: "u"), hmac: "qwnm=")
        let error = await #expect(throws: MagicBellError.self) {
            try await RESTAPI(credentials, context: .scripted(http)).preferences()
        }
        #expect(error?.message == "MagicBell refused with status 422: bad hmac ….")
        #expect(error?.codes == ["…"])

        let echo = ScriptedHTTP(answer(422, #"{"message":"token 0badc0de is too short"}"#))
        let refused = await #expect(throws: MagicBellError.self) {
            try await UserAPI.scripted(echo).register(.fcm(deviceToken: "0badc0de"))
        }
        #expect(refused?.message == "MagicBell refused with status 422: token … is too short.")
    }
}
