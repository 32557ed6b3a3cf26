import ClientKit
import FoundationEssentials
import Sandbox
import TestSupport
import Testing

@testable import MagicBell

@Suite("Subscriptions to topics", .timeLimit(.minutes(5)))
struct TopicSubscriptionTests {
    private static let text = #"""
        {"subscription":{"categories":[{"reason":"author","slug":"ci","status":"subscribed"},\#
        {"slug":"ops","status":"unsubscribed"}],"topic":"build-812"}}
        """#
    private static let value = TopicSubscription(
        topic: "build-812",
        categories: [.init(slug: "ci", reason: "author"), .init(slug: "ops", isSubscribed: false)]
    )

    @Test("A subscription is read with and without its wrapper, and written as the service writes it") func codec()
        throws
    {
        let decoder = JSONDecoder()
        #expect(try decoder.decode(SingleSubscription.self, from: Data(Self.text.utf8)).subscription == Self.value)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let bare = try encoder.encode(Self.value)
        #expect(#"{"subscription":\#(String(decoding: bare, as: UTF8.self))}"# == Self.text)
        #expect(try decoder.decode(SingleSubscription.self, from: bare).subscription == Self.value)
        #expect(try decoder.decode(TopicSubscription.self, from: bare) == Self.value)
    }

    @Test(
        "What is invalid is left out, and what cannot be read throws",
        arguments: [
            (#"{"topic":"t"}"#, []), (#"{"topic":"t","categories":7}"#, []),
            (
                #"{"topic":"t","categories":[null,{},{"slug":""},{"slug":"a"},{"slug":"a","status":"unsubscribed"}]}"#,
                ["a"]
            ),
            (#"{"topic":"t","categories":[{"slug":"*","status":null,"reason":5}]}"#, ["*"]),
            (#"{"topic":""}"#, nil), (#"{"categories":[]}"#, nil), ("[]", nil), (#"{"subscription":null}"#, nil),
        ] as [(String, [String]?)]
    )
    func tolerance(text: String, slugs: [String]?) {
        let answer = try? JSONDecoder().decode(SingleSubscription.self, from: Data(text.utf8))
        #expect(answer?.subscription.categories.map(\.slug) == slugs)
        #expect(answer?.subscription.categories.allSatisfy(\.isSubscribed) ?? true)
    }

    @Test("Every call is one request in the documented form") func calls() async throws {
        let found = answer(200, Self.text)
        let http = ScriptedHTTP(answer(200, #"{"subscriptions":[]}"#), found, found, found, answer(204), answer(404))
        let api = try RESTAPI.scripted(http)
        #expect(try await api.subscriptions() == [])
        #expect(try await api.subscription(to: "a/b") == Self.value)
        #expect(try await api.subscribe(to: "t", categories: ["ci", "*"], reason: "author") == Self.value)
        #expect(try await api.unsubscribe(from: "t", categories: ["ci"]) == Self.value)
        try await api.deleteSubscription(to: "t", categories: nil)
        #expect(await http.requests.count == 5)
        let lines = await http.lines
        #expect(lines[0] == "GET /subscriptions" && lines[1] == "GET /subscriptions/a%2Fb")
        #expect(lines[4] == "DELETE /subscriptions/t")
        let bodies = try await http.requests.compactMap(\.body).map { try JSONValue(parsing: $0) }
        #expect(
            bodies == [
                [
                    "subscription": [
                        "topic": "t",
                        "categories": [["slug": "ci", "reason": "author"], ["slug": "*", "reason": "author"]],
                    ]
                ],
                ["subscription": ["categories": [["slug": "ci"]]]],
            ]
        )
    }

    @Test("Invalid arguments are refused, and nothing is sent") func arguments() async throws {
        let http = ScriptedHTTP()
        let api = try RESTAPI.scripted(http)
        for (topic, categories) in [("", ["a"]), ("..", ["a"]), ("t", []), ("t", [""])] {
            let error = await #expect(throws: MagicBellError.self) {
                try await api.subscribe(to: topic, categories: categories, reason: nil)
            }
            #expect(error?.kind == .invalidArgument)
        }
        #expect(await http.requests.isEmpty)
    }

    @Test("The user API has none, and says what to do") func userAPI() async throws {
        let api = try UserAPI.scripted(ScriptedHTTP())
        let error = await #expect(throws: MagicBellError.self) { try await api.subscriptions() }
        #expect(error?.kind == .unsupported)
        #expect(error?.message.contains("API key") == true)
    }

    @Test(
        "A user subscribes, unsubscribes and deletes at the service",
        .sandbox(.magicBell(MagicBellOptions(users: ["user-1"])))
    )
    func service() async throws {
        let client = try MagicBellClient(apiKey: "pk_sandbox", hosts: Hosts(api: Sandbox.current.baseURL))
        let user = try client.connectUser(externalID: "user-1")
        let subscriptions = user.subscriptions
        #expect(try await subscriptions.fetch() == [])
        let first = try await subscriptions.subscribe(to: "build/812", categories: ["ci", "ops"], reason: "author")
        #expect(first.categories.map(\.slug) == ["ci", "ops"])
        let second = try await subscriptions.unsubscribe(from: "build/812", categories: ["ci"])
        #expect(second.categories.map(\.isSubscribed) == [false, true])
        #expect(try await subscriptions.fetch(topic: "build/812") == second)
        #expect(try await subscriptions.fetch() == [second])
        try await subscriptions.delete(topic: "build/812", categories: ["ci"])
        #expect(try await subscriptions.fetch(topic: "build/812").categories.map(\.slug) == ["ops"])
        try await subscriptions.delete(topic: "build/812")
        try await subscriptions.delete(topic: "build/812")
        let unknown = await #expect(throws: MagicBellError.self) {
            try await subscriptions.unsubscribe(from: "build/812")
        }
        #expect(unknown?.kind == .notFound)
        try await client.disconnectUser(user)
        let ended = await #expect(throws: MagicBellError.self) { try await subscriptions.fetch() }
        #expect(ended?.kind == .invalidState)
        await client.shutdown()
    }
}
