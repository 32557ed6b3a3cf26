import ClientKit
import FoundationEssentials
import Sandbox
import TestSupport
import Testing

@testable import MagicBell

@Suite("Tokens of devices, browsers and chats", .timeLimit(.minutes(5)))
struct PushTokensTests {
    private static let deviceToken = String(repeating: "0badc0de", count: 8)
    private static let all: [PushToken] = [
        .apns(deviceToken: Self.deviceToken, environment: .development, appID: "org.example.app"),
        .fcm(deviceToken: Self.deviceToken), .expo(deviceToken: "ExponentPushToken[x]"),
        .webPush(endpoint: "https://push.example/1", p256dh: "key", auth: "secret"),
        .slack(channelID: "C1", installationID: "T1", scope: "chat:write"),
        .slack(channelID: "C2", installationID: "T1"),
        .slackWebhook(url: "https://hooks.slack.example/1"), .teamsWebhook(url: "https://teams.example/1"),
        .pushSubscription(deviceToken: "old", platform: .ios, appBundleID: "org.example.app"),
    ]

    @Test("A token is written in the form of the REST API and read again", arguments: all) func codec(token: PushToken)
        throws
    {
        let data = try JSONEncoder().encode(token)
        #expect(try JSONDecoder().decode(PushToken.self, from: data) == token)
        let members = try #require(try JSONValue(parsing: Array(data)).object)
        #expect(Array(members.keys) == [token.kind.rawValue])
    }

    @Test(
        "A value that lacks a part is no token",
        arguments: [
            #"{"slack":{}}"#, #"{"slack":{"oauth":{"channel_id":"C"}}}"#, #"{"slack":{"webhook":{}}}"#,
            #"{"teams":{"webhook":{"url":7}}}"#, #"{"teams":{},"slack":{}}"#, #"{"sms":{"webhook":{"url":"x"}}}"#, "[]",
        ]
    )
    func incomplete(text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(PushToken.self, from: Data(text.utf8)) }
    }

    @Test("With a user token, every kind is registered, listed, and deleted by its id", .sandbox(.magicBell()))
    func userAPI() async throws {
        let client = try MagicBellClient(hosts: Hosts(api: Sandbox.current.baseURL))
        let user = try client.connectUser(userToken: try await Sandbox.current.token())
        let tokens = user.pushTokens
        for token in Self.all where token.kind != .pushSubscription { try await tokens.register(token) }
        let found = try await tokens.fetch()
        #expect(Set(found.compactMap(\.token)) == Set(Self.all.dropLast()))
        #expect(found.allSatisfy { $0.created != nil && $0.discarded == nil && $0.kind == $0.token?.kind })
        for token in found { try await tokens.delete(token) }
        // The service still lists them.
        #expect(try await tokens.fetch().allSatisfy { $0.discarded != nil })
        let error = await #expect(throws: MagicBellError.self) { try await tokens.register(Self.all.last!) }
        #expect(error?.kind == .unsupported)
        await client.shutdown()
        await #expect(throws: MagicBellError.self) { try await tokens.fetch() }
    }

    @Test("With an API key, browsers and push subscriptions are listed and deleted", .sandbox(.magicBell()))
    func restAPI() async throws {
        let client = try MagicBellClient(apiKey: "pk_sandbox", hosts: Hosts(api: Sandbox.current.baseURL))
        let tokens = try client.connectUser(externalID: "user-1").pushTokens
        let supported = Self.all.filter { PushToken.Kind.restRegistered.contains($0.kind) }
        for token in supported { try await tokens.register(token) }
        let found = try await tokens.fetch()
        #expect(found.compactMap(\.token) == supported.filter { PushToken.Kind.restListed.contains($0.kind) })
        for token in found { try await tokens.delete(token) }
        #expect(try await tokens.fetch() == [])
        // Deleted is deleted.
        for token in found { try await tokens.delete(token) }
        for token in Self.all where !PushToken.Kind.restRegistered.contains(token.kind) {
            let error = await #expect(throws: MagicBellError.self) { try await tokens.register(token) }
            #expect(error?.kind == .unsupported)
        }
        await client.shutdown()
    }

    @Test("What a list lacks is nil, and what has no id is left out") func tolerance() throws {
        let text = #"""
            {"data":[{"id":"1","webhook":{"url":"u"},"created_at":"2026-01-01T00:00:00Z","discarded_at":"yes"},
            {"id":"2","oauth":{"channel_id":7}},{"webhook":{"url":"u"}},null,{"id":"3","created_at":1767225600}]}
            """#
        let list = try JSONDecoder().decode(PushTokenList.self, from: Data(text.utf8)).tokens.map { $0.token(.slack) }
        #expect(list.map(\.id) == ["1", "2", "3"])
        #expect(list.map(\.token) == [.slackWebhook(url: "u"), nil, nil])
        let date = Date(timeIntervalSince1970: 1_767_225_600)
        #expect(list.map(\.created) == [date, nil, date])
        #expect(list.map { $0.discarded != nil } == [true, false, false])
    }
}
