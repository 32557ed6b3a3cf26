import ClientKit
import FoundationEssentials
import TestSupport
import Testing

@testable import MagicBell

@Suite("Devices that are unregistered in a later run", .timeLimit(.minutes(5)))
struct PendingUnregistrationTests {
    private static let token = PushToken.fcm(deviceToken: "first")

    /// A run of the program that ends before the device of user 7 was unregistered. Its pending unregistrations are
    /// written and read.
    private func endedRun(hmac: String? = "hmac-7") async throws -> [PendingUnregistration] {
        let world = try ClientWorld()
        let user = try world.client.connectUser(email: "Anna@example.com", externalID: "7", hmac: hmac)
        try await world.client.setDeviceToken(Self.token)
        #expect(world.client.pendingUnregistrations == [])
        world.api.fail(.broken)
        await #expect(throws: MagicBellError.broken) { try await world.client.disconnectUser(user) }
        let pending = world.client.pendingUnregistrations
        #expect(pending.map(\.token) == [Self.token])
        #expect(pending.map(\.user.externalID) == ["7"])
        return try JSONDecoder().decode([PendingUnregistration].self, from: JSONEncoder().encode(pending))
    }

    @Test("A device that could not be unregistered is unregistered in the next run, with the user's HMAC")
    func nextRun() async throws {
        let pending = try await endedRun()
        let world = try ClientWorld()
        try world.client.unregister(pending)
        #expect(world.client.pendingUnregistrations == pending)
        #expect(world.api.calls == [])
        let headers = try await world.part().authorization.current().headers
        #expect(headers.contains { $0.name == "X-MAGICBELL-USER-HMAC" && $0.value == "hmac-7" })
        #expect(headers.contains { $0.name == "X-MAGICBELL-USER-EMAIL" && $0.value == "anna@example.com" })
        await world.running {
            await world.api.waitForCall { $0 == .unregister(Self.token) }
            await waitUntilNothingIsPending(world)
        }
    }

    private func waitUntilNothingIsPending(_ world: ClientWorld) async {
        while !world.client.pendingUnregistrations.isEmpty, !Task.isCancelled { await Task.yield() }
    }

    @Test("It is retried, and pending until it succeeds") func retried() async throws {
        let pending = try await endedRun()
        let world = try ClientWorld()
        try world.client.unregister(pending)
        world.api.fail(.broken)
        await world.running {
            await world.clock.sleeper(for: .seconds(1))
            #expect(world.client.pendingUnregistrations == pending)
            world.clock.advance(by: .seconds(1))
            await world.api.waitForCalls(2)
            await waitUntilNothingIsPending(world)
        }
    }

    @Test("A user who connects again keeps the device") func connectedAgain() async throws {
        let pending = try await endedRun()
        let world = try ClientWorld()
        try world.client.unregister(pending)
        _ = try world.client.connectUser(externalID: "7")
        try await world.client.setDeviceToken(Self.token)
        #expect(world.client.pendingUnregistrations == [])
        #expect(world.part(1).api.calls == [.register(Self.token)])
    }

    @Test("The previous token of a connected user is pending when it could not be replaced") func replaced()
        async throws
    {
        let world = try ClientWorld()
        _ = try world.client.connectUser(externalID: "7")
        try await world.client.setDeviceToken(Self.token)
        world.api.fail(.broken)
        await #expect(throws: MagicBellError.broken) {
            try await world.client.setDeviceToken(.fcm(deviceToken: "second"))
        }
        #expect(world.client.pendingUnregistrations.map(\.token) == [Self.token])
    }

    @Test("The device of a user with user tokens needs a provider of them") func userToken() async throws {
        let pending = PendingUnregistration(
            user: try UserIdentity(externalID: "7"),
            needsUserToken: true,
            token: Self.token,
            hmac: nil
        )
        let world = try ClientWorld(apiKey: nil)
        let error = #expect(throws: MagicBellError.self) { try world.client.unregister([pending]) }
        #expect(error?.kind == .invalidArgument)
        #expect(world.client.pendingUnregistrations == [])
        try world.client.unregister([pending]) { user, _ in
            #expect(user.externalID == "7")
            return "eyJhbGciOiJIUzI1NiJ9.e30.c2ln"
        }
        #expect(world.part().hasToken)
        let headers = try await world.part().authorization.current().headers
        #expect(headers.contains { $0.name == "Authorization" })
    }

    @Test("Nothing is taken over without an API key, nor after the end") func refused() async throws {
        let pending = try await endedRun()
        let keyless = try ClientWorld(apiKey: nil)
        let noKey = #expect(throws: MagicBellError.self) { try keyless.client.unregister(pending) }
        #expect(noKey?.kind == .invalidArgument)
        let ended = try ClientWorld()
        await ended.client.shutdown()
        let late = #expect(throws: MagicBellError.self) { try ended.client.unregister(pending) }
        #expect(late?.kind == .invalidState)
    }

    @Test("Its description and dump contain no secret") func description() async throws {
        let pending = try await endedRun(hmac: "secret-hmac")
        var text = "\(pending) \(String(reflecting: pending))"
        dump(pending, to: &text)
        #expect(text.contains("7"))
        #expect(!text.contains("secret-hmac") && !text.contains("first"))
    }

    @Test("Push tokens are written in the service's form and read again") func tokens() throws {
        let cases: [(PushToken, String)] = [
            (
                .apns(deviceToken: "0b", environment: .development, appID: "org.example"),
                #"{"apns":{"app_id":"org.example","device_token":"0b","installation_id":"development"}}"#
            ),
            (.fcm(deviceToken: "f"), #"{"fcm":{"device_token":"f"}}"#),
            (.expo(deviceToken: "e"), #"{"expo":{"device_token":"e"}}"#),
            (
                .webPush(endpoint: "https://push.example", p256dh: "p", auth: "a", expires: 5),
                #"{"web_push":{"endpoint":"https://push.example","expirationTime":5,"keys":{"auth":"a","p256dh":"p"}}}"#
            ),
            (
                .pushSubscription(deviceToken: "s", platform: .safari, appBundleID: "org.example"),
                #"{"push_subscription":{"app_bundle_id":"org.example","device_token":"s","platform":"safari"}}"#
            ),
        ]
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        for (token, text) in cases {
            #expect(String(decoding: try encoder.encode(token), as: UTF8.self) == text)
            #expect(try JSONDecoder().decode(PushToken.self, from: Data(text.utf8)) == token)
        }
        let invalid = [
            "{}", "null", "[]", #"{"sms":{"device_token":"x"}}"#, #"{"fcm":{}}"#, #"{"fcm":{"device_token":1}}"#,
            #"{"apns":{"device_token":"x","installation_id":"staging"}}"#, #"{"web_push":{"endpoint":"x"}}"#,
            #"{"push_subscription":{"device_token":"x","platform":"windows"}}"#,
            #"{"fcm":{"device_token":"x"},"expo":{"device_token":"x"}}"#,
        ]
        for text in invalid {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(PushToken.self, from: Data(text.utf8)) }
        }
    }
}
