import ClientKit
import MagicBell
import TestSupport
import Testing

@Suite("The REST API")
struct RESTAPITests {
    @Test("Invalid arguments are refused, and nothing is sent")
    func arguments() async throws {
        let http = ScriptedHTTP()
        let api = try RESTAPI.scripted(http)
        for size in [0, -1, 101] {
            let error = await #expect(throws: MagicBellError.self) {
                try await api.page(of: StorePredicate(), after: nil, size: size)
            }
            #expect(error?.kind == .invalidArgument)
        }
        for id in ["", ".", "..", String(repeating: "x", count: 256)] {
            let error = await #expect(throws: MagicBellError.self) { try await api.delete(id) }
            #expect(error?.kind == .invalidArgument)
        }
        let error = await #expect(throws: MagicBellError.self) {
            try await api.page(of: StorePredicate(), after: .after(id: "x"), size: 5)
        }
        #expect(error?.kind == .invalidArgument)
        #expect(await http.requests.isEmpty)
    }

    @Test("Each change is one request with an encoded id")
    func changes() async throws {
        let http = ScriptedHTTP(answer(204), answer(200, "{}"), answer(201, ""), answer(204))
        let api = try RESTAPI.scripted(http)
        for change in [StateChange.read, .unread, .archived, .unarchived] { try await api.change("a/b", to: change) }
        try await api.delete("n1")
        #expect(
            await http.lines == [
                "POST /notifications/a%2Fb/read", "POST /notifications/a%2Fb/unread",
                "POST /notifications/a%2Fb/archive", "DELETE /notifications/a%2Fb/archive", "DELETE /notifications/n1",
            ]
        )
    }

    @Test("A notification that the service does not know is deleted, and cannot be read")
    func unknownNotification() async throws {
        let unknown = answer(404, #"{"errors":[{"message":"Not found"}]}"#)
        let api = try RESTAPI.scripted(ScriptedHTTP(unknown, unknown))
        try await api.delete("n1")
        let error = await #expect(throws: MagicBellError.self) { try await api.notification("n1") }
        #expect(error?.kind == .notFound)
    }

    @Test(
        "A discarded notification cannot be read, whatever the form of the time",
        arguments: [
            (#""2026-01-02T00:00:00.000Z""#, true), (#""2026-01-02 00:00:00 UTC""#, true), ("1767312000", true),
            (#""yes""#, true), ("true", true), ("{}", true), ("null", false), ("false", false),
        ]
    )
    func discarded(time: String, isDiscarded: Bool) async throws {
        let row = #"{"notification":{"id":"n1","title":"t","sent_at":"2026-01-01","discarded_at":\#(time)}}"#
        let api = try RESTAPI.scripted(ScriptedHTTP(answer(200, row)))
        if isDiscarded {
            let error = await #expect(throws: MagicBellError.self) { try await api.notification("n1") }
            #expect(error?.kind == .notFound)
        } else {
            #expect(try await api.notification("n1").title == "t")
        }
    }

    @Test("All notifications of the predicate are changed, one category and topic after the other")
    func changeAll() async throws {
        let http = ScriptedHTTP()
        let api = try RESTAPI.scripted(http)
        try await api.changeAll(StorePredicate(), to: .seen)
        try await api.changeAll(StorePredicate(read: false, categories: ["a", "b"], topics: ["t"]), to: .read)
        #expect(
            await http.lines == [
                "POST /notifications/seen?archived=false",
                "POST /notifications/read?read=false&archived=false&category=a&topic=t",
                "POST /notifications/read?read=false&archived=false&category=b&topic=t",
            ]
        )
        let keys = await http.requests.compactMap { $0.headers.first { $0.name == "idempotency-key" }?.value }
        #expect(Set(keys).count == 3)
    }

    @Test("What the API does not have is refused, and nothing is sent")
    func unsupported() async throws {
        let http = ScriptedHTTP()
        let api = try RESTAPI.scripted(http)
        #expect(api.capabilities == [.totalCount, .unseenCount, .delete, .filtersAll, .ably, .topics])
        let many = StorePredicate(categories: (0..<7).map { "\($0)" }, topics: ["a", "b", "c"])
        let calls: [@Sendable () async throws -> Void] = [
            { try await api.change("n1", to: .seen) }, { try await api.changeAll(StorePredicate(), to: .archived) },
            { try await api.changeAll(many, to: .read) }, { try await api.register(.expo(deviceToken: "x")) },
            { try await api.unregister(.expo(deviceToken: "x")) },
        ]
        for call in calls {
            let error = await #expect(throws: MagicBellError.self) { try await call() }
            #expect(error?.kind == .unsupported)
        }
        #expect(await http.requests.isEmpty)
    }

    @Test("The configuration and the request for Ably's token are read")
    func realtime() async throws {
        let http = ScriptedHTTP(
            answer(200, AnswerSamples.configuration),
            answer(200, AnswerSamples.ablyRequest, ["Content-Type": "application/json"]),
            answer(201, #"{"in_app/inbox":{"token":"served"}}"#),
            answer(200, "{}")
        )
        let api = try RESTAPI.scripted(http)
        #expect(try await api.configuration()?.channel == "project:11:channel:YWJjZA==")
        let authorization = try await api.realtimeTokenRequest()
        #expect(authorization == .request(try JSONValue(parsing: AnswerSamples.ablyRequest)))
        let registration = try await api.registerInboxToken("0123")
        #expect(registration == InboxTokenRegistration(token: "served", apiKey: "pk_test_demo"))
        let error = await #expect(throws: MagicBellError.self) { try await api.realtimeTokenRequest() }
        #expect(error?.kind == .unexpectedAnswer)
        #expect(
            await http.lines == [
                "GET /config", "POST /ws/auth?format=json ",
                #"POST /channels/in_app/inbox/tokens {"inbox":{"token":"0123"}}"#, "POST /ws/auth?format=json ",
            ]
        )
        let types = await http.requests.map { $0.headers.first { $0.name == "Content-Type" }?.value }
        #expect(
            types == [
                nil, "application/x-www-form-urlencoded", "application/json", "application/x-www-form-urlencoded",
            ]
        )
    }

    @Test("Preferences are read and changed in the form in which the service answers")
    func preferences() async throws {
        let change = NotificationPreferences(categories: [
            .init(slug: "ci", channels: [.init(slug: "email", isEnabled: true)])
        ])
        let http = ScriptedHTTP(
            answer(200, AnswerSamples.preferences),
            answer(200, AnswerSamples.preferences),
            answer(200, AnswerSamples.olderPreferences),
            answer(200, ""),
            answer(200, AnswerSamples.olderPreferences)
        )
        let api = try RESTAPI.scripted(http)
        #expect(try await api.preferences().categories.first?.label == "Builds")
        #expect(try await api.updatePreferences(change)?.categories.first?.label == "Builds")
        #expect(try await api.preferences().categories.first?.channels.count == 4)
        #expect(try await api.updatePreferences(change) == nil)
        #expect(try await api.updatePreferences(change)?.categories.first?.channels.count == 4)
        let list = #"{"categories":[{"channels":[{"enabled":true,"slug":"email"}],"slug":"ci"}]}"#
        let map = #"{"categories":{"ci":{"email":true}}}"#
        #expect(
            await http.lines == [
                "GET /notification_preferences",
                #"PUT /notification_preferences {"notification_preferences":\#(list)}"#,
                "GET /notification_preferences",
                #"PUT /notification_preferences {"notification_preferences":\#(map)}"#,
                #"PUT /notification_preferences {"notification_preferences":\#(map)}"#,
            ]
        )
        for request in await http.requests { #expect(request.headers.contains(HTTPField("accept-version", "v2"))) }
    }

    @Test("Devices are registered, and removed by their token; browsers by the service's id")
    func pushTokens() async throws {
        let token = "0badc0de"
        let browser = PushToken.webPush(endpoint: "https://push.example/ep/1", p256dh: "BKx", auth: "aGk")
        let list = #"""
            {"web_push_tokens":[{"id":"t1","web_push":{"endpoint":"https://push.example/ep/1"}},
             {"id":"t2","endpoint":"https://push.example/ep/2"},{"id":"t3","endpoint":"https://push.example/ep/1"},
             {"id":"t4","endpoint":"https://push.example/ep/1","discarded_at":"2026-01-01T00:00:00Z"},7]}
            """#
        let http = ScriptedHTTP(
            otherwise: { $0.method == "GET" ? answer(200, list) : answer($0.method == "POST" ? 201 : 204) }
        )
        let api = try RESTAPI.scripted(http)
        try await api.register(.apns(deviceToken: token, environment: .production, appID: "org.example.app"))
        try await api.register(.fcm(deviceToken: token))
        try await api.register(browser)
        try await api.unregister(.apns(deviceToken: token))
        try await api.unregister(.fcm(deviceToken: "a/b"))
        try await api.unregister(browser)
        let apns = #"{"app_id":"org.example.app","device_token":"0badc0de","installation_id":"production"}"#
        let keys = #"{"auth":"aGk","p256dh":"BKx"}"#
        #expect(
            await http.lines == [
                #"POST /channels/mobile_push/apns/tokens {"apns":\#(apns)}"#,
                #"POST /channels/mobile_push/fcm/tokens {"fcm":{"device_token":"0badc0de"}}"#,
                #"POST /channels/web_push/tokens {"web_push":{"endpoint":"https://push.example/ep/1","#
                    + #""expirationTime":null,"keys":\#(keys)}}"#,
                "DELETE /channels/mobile_push/apns/tokens/0badc0de", "DELETE /channels/mobile_push/fcm/tokens/a%2Fb",
                "GET /channels/web_push/tokens", "DELETE /channels/web_push/tokens/t1",
                "DELETE /channels/web_push/tokens/t3",
            ]
        )
        for empty in [PushToken.fcm(deviceToken: ""), .webPush(endpoint: "e", p256dh: "", auth: "a")] {
            let error = await #expect(throws: MagicBellError.self) { try await api.register(empty) }
            #expect(error?.kind == .invalidArgument)
        }
    }

    @Test("The key for push subscriptions is read with and without its wrapper")
    func webPushKey() async throws {
        for json in [#"{"web_push":{"public_key":"BEx4","auth_token":"secret"}}"#, #"{"public_key":"BEx4"}"#] {
            let http = ScriptedHTTP(answer(200, json), answer(200, json))
            #expect(try await RESTAPI.scripted(http).webPushKey() == "BEx4")
            #expect(try await UserAPI.scripted(http).webPushKey() == "BEx4")
            #expect(
                await http.lines == [
                    "POST /integrations/web_push/installations/start {}",
                    "POST /v2/integrations/web_push/installations/start",
                ]
            )
        }
    }
}
