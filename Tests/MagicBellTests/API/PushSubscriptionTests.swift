import MagicBell
import Sandbox
import TestSupport
import Testing

@Suite("Push subscriptions in the form of the first SDKs", .timeLimit(.minutes(5)))
struct PushSubscriptionTests {
    private static let token = PushToken.pushSubscription(deviceToken: "0badc0de", platform: .ios, appBundleID: "org.x")

    @Test("They are registered, and removed by their token") func calls() async throws {
        let http = ScriptedHTTP(answer(201), answer(204), answer(404, #"{"errors":[{"message":"Not found"}]}"#))
        let api = try RESTAPI.scripted(http)
        try await api.register(Self.token)
        try await api.unregister(Self.token)
        try await api.unregister(Self.token)
        let body = #"{"app_bundle_id":"org.x","device_token":"0badc0de","platform":"ios"}"#
        #expect(
            await http.lines == [
                #"POST /push_subscriptions {"push_subscription":\#(body)}"#, "DELETE /push_subscriptions/0badc0de",
                "DELETE /push_subscriptions/0badc0de",
            ]
        )
    }

    @Test("The user API does not have them, and a token has at most 255 characters") func refused() async throws {
        let http = ScriptedHTTP()
        let user = try UserAPI.scripted(http)
        var error = await #expect(throws: MagicBellError.self) { try await user.register(Self.token) }
        #expect(error?.kind == .unsupported)
        error = await #expect(throws: MagicBellError.self) { try await user.unregister(Self.token) }
        #expect(error?.kind == .unsupported)
        let rest = try RESTAPI.scripted(http)
        for length in [0, 256] {
            let token = String(repeating: "x", count: length)
            error = await #expect(throws: MagicBellError.self) {
                try await rest.register(.pushSubscription(deviceToken: token, platform: .android))
            }
            #expect(error?.kind == .invalidArgument)
        }
        #expect(await http.requests.isEmpty)
    }

    @Test("The service accepts them", .sandbox(.magicBell(MagicBellOptions(users: ["user-1"]))))
    func service() async throws {
        let client = try MagicBellClient(apiKey: "pk_sandbox", hosts: Hosts(api: Sandbox.current.baseURL))
        let user = try client.connectUser(externalID: "user-1")
        try await client.setDeviceToken(Self.token)
        try await client.disconnectUser(user)
        #expect(client.pendingUnregistrations.isEmpty)
        await client.shutdown()
    }
}
