import ClientKit
import MagicBell
import TestSupport
import Testing

@Suite("The user API")
struct UserAPITests {
    @Test("Each call is one request below /v2")
    func calls() async throws {
        let http = ScriptedHTTP()
        let api = try UserAPI.scripted(http)
        for change in StateChange.allCases { try await api.change("0f8a", to: change) }
        try await api.changeAll(StorePredicate(read: false), to: .read)
        try await api.changeAll(StorePredicate(categories: ["a", "b"], topics: ["t"]), to: .archived)
        #expect(
            await http.lines == [
                "POST /v2/notifications/0f8a/seen", "POST /v2/notifications/0f8a/read",
                "POST /v2/notifications/0f8a/unread", "POST /v2/notifications/0f8a/archive",
                "POST /v2/notifications/0f8a/unarchive", "POST /v2/notifications/read",
                "POST /v2/notifications/archive?category=a&topic=t",
                "POST /v2/notifications/archive?category=b&topic=t",
            ]
        )
    }

    @Test("A page of unread ones is made of two lists, which go on where they ended")
    func page() async throws {
        func list(_ ids: String..., status: String, next: String) -> HTTPResponse {
            let rows = ids.map { #"{"id":"\#($0)","status":"\#(status)","sent_at":"2026-01-0\#($0.dropFirst())"}"# }
            return answer(200, #"{"data":[\#(rows.joined(separator: ","))],"links":{"next":\#(next)}}"#)
        }
        let http = ScriptedHTTP(
            list("n9", "n5", status: "unread", next: #""/x""#),
            list("n8", "n7", status: "unseen", next: #""/x""#),
            list("n4", status: "unread", next: "null"),
            list("n6", status: "unseen", next: "null")
        )
        let api = try UserAPI.scripted(http)
        let first = try await api.page(of: StorePredicate(read: false), after: nil, size: 2)
        #expect(first.notifications.map(\.id) == ["n9", "n8"])
        #expect(first.next == .afterEach([.after(id: "n9"), .after(id: "n8")]))
        let second = try await api.page(of: StorePredicate(read: false), after: first.next, size: 2)
        #expect(second.notifications.map(\.id) == ["n6", "n4"] && second.next == nil)
        #expect(
            await http.lines == [
                "GET /v2/notifications?limit=2&status=unread", "GET /v2/notifications?limit=2&status=unseen",
                "GET /v2/notifications?limit=2&status=unread&starting_after=n9",
                "GET /v2/notifications?limit=2&status=unseen&starting_after=n8",
            ]
        )
    }

    @Test("A discarded notification is on no page, its place in the list counts, and it is not found")
    func discarded() async throws {
        func row(_ id: String, _ discarded: String) -> String {
            #"{"id":"\#(id)","sent_at":"2026-01-0\#(id.dropFirst())","discarded_at":\#(discarded)}"#
        }
        let rows = [row("n3", "null"), row("n2", #""2026-01-02T00:00:00.000Z""#)].joined(separator: ",")
        let http = ScriptedHTTP(
            answer(200, #"{"data":[\#(rows)],"links":{"next":"/x"}}"#),
            answer(200, #"{"data":[\#(row("n1", "null"))],"links":{"next":null}}"#),
            answer(200, row("n2", #""2026-01-02T00:00:00.000Z""#))
        )
        let api = try UserAPI.scripted(http)
        #expect(try await api.page(of: StorePredicate(), after: nil, size: 2).notifications.map(\.id) == ["n3", "n1"])
        #expect(await http.lines.last?.contains("starting_after=n2") == true)
        let error = await #expect(throws: MagicBellError.self) { try await api.notification("n2") }
        #expect(error?.kind == .notFound)
    }

    @Test("One notification is read without a wrapper")
    func notification() async throws {
        let http = ScriptedHTTP(answer(200, #"{"id":"0f8a","title":"t","status":"unread","sent_at":"2026-01-01"}"#))
        let notification = try await UserAPI.scripted(http).notification("0f8a")
        #expect(notification.isSeen && !notification.isRead)
        #expect(await http.lines == ["GET /v2/notifications/0f8a"])
    }

    @Test(
        "Counts are what the number of unread ones tells",
        arguments: [
            (StorePredicate(), StoreCounts(unread: 2), 1),
            (StorePredicate(read: false), StoreCounts(total: 2, unread: 2), 1),
            (StorePredicate(read: true), StoreCounts(unread: 0, unseen: 0), 0),
            (StorePredicate(seen: false), StoreCounts(), 0), (StorePredicate(seen: true), StoreCounts(unseen: 0), 0),
            (StorePredicate(archived: true), StoreCounts(), 0),
            (StorePredicate(categories: ["a", "b"]), StoreCounts(unread: 4), 2),
        ]
    )
    func counts(predicate: StorePredicate, counts: StoreCounts, requests: Int) async throws {
        let http = ScriptedHTTP(otherwise: { _ in answer(200, #"{"count":2}"#) })
        #expect(try await UserAPI.scripted(http).counts(of: predicate) == counts)
        #expect(await http.requests.count == requests)
        let first = await http.lines.first
        #expect(first == nil || first?.hasPrefix("GET /v2/notifications/unread/count") == true)
    }

    @Test("What the API does not have is refused, and nothing is sent")
    func unsupported() async throws {
        let http = ScriptedHTTP()
        let api = try UserAPI.scripted(http)
        #expect(api.capabilities == [.seen, .archiveAll])
        #expect(try await api.configuration() == nil)
        let calls: [@Sendable () async throws -> Void] = [
            { try await api.delete("n1") }, { _ = try await api.realtimeTokenRequest() },
            { try await api.changeAll(StorePredicate(), to: .unread) },
        ]
        for call in calls {
            let error = await #expect(throws: MagicBellError.self) { try await call() }
            #expect(error?.kind == .unsupported)
        }
        #expect(await http.requests.isEmpty)
    }

    @Test("The socket gets the service's token and the key in the user token")
    func inboxToken() async throws {
        let http = ScriptedHTTP(answer(200, #"{"token":"served","connection_id":null}"#))
        let registration = try await UserAPI.scripted(http).registerInboxToken("0123")
        #expect(registration == InboxTokenRegistration(token: "served", apiKey: "pk_test_demo"))
        #expect(await http.lines == [#"PUT /v2/channels/in_app/inbox/tokens {"token":"0123"}"#])

        let without = UserAPI(try .userToken("eyJ.e30.x"), context: try .scripted(ScriptedHTTP()))
        let error = await #expect(throws: MagicBellError.self) { try await without.registerInboxToken("0123") }
        #expect(error?.kind == .unauthorized)
        #expect(error?.message.contains("\"api_key\"") == true)
    }

    @Test("Preferences are read, and a change is sent without an answer")
    func preferences() async throws {
        let http = ScriptedHTTP(answer(200, AnswerSamples.userPreferences), answer(204))
        let api = try UserAPI.scripted(http)
        #expect(try await api.preferences().categories.map(\.slug) == ["ci"])
        let change = NotificationPreferences(categories: [
            .init(slug: "ci", channels: [.init(slug: "email", isEnabled: true)])
        ])
        #expect(try await api.updatePreferences(change) == nil)
        let body = #"{"categories":[{"channels":[{"enabled":true,"name":"email"}],"key":"ci"}]}"#
        #expect(await http.lines == ["GET /v2/channels/user_preferences", "PUT /v2/channels/user_preferences \(body)"])
    }

    @Test("Devices are registered, and removed by the service's ids of all pages")
    func pushTokens() async throws {
        let first = #"""
            {"data":[{"id":"tok_1","device_token":"0badc0de","created_at":"2026-01-01T00:00:00.000000Z",
             "updated_at":null,"discarded_at":null},{"id":"tok_2","device_token":"other"}],"links":{"next":"/x"}}
            """#
        let second = #"{"data":[{"id":"tok_3","device_token":"0badc0de"}],"links":{"next":null}}"#
        let http = ScriptedHTTP(
            answer(200, "{}"),
            answer(200, "{}"),
            answer(200, first),
            answer(200, second),
            answer(404, #"{"message":"gone"}"#),
            answer(200, #"{"id":"tok_3","discarded_at":"2026-01-02T00:00:00.000000Z"}"#)
        )
        let api = try UserAPI.scripted(http)
        try await api.register(.apns(deviceToken: "0badc0de", environment: .development))
        try await api.register(.webPush(endpoint: "https://push.example/ep/1", p256dh: "BKx", auth: "aGk", expires: 5))
        try await api.unregister(.expo(deviceToken: "0badc0de"))
        let apns = #"{"device_token":"0badc0de","installation_id":"development"}"#
        let web = #"{"endpoint":"https://push.example/ep/1","keys":{"auth":"aGk","p256dh":"BKx"}}"#
        #expect(
            await http.lines == [
                "PUT /v2/channels/mobile_push/apns/tokens \(apns)", "PUT /v2/channels/web_push/tokens \(web)",
                "GET /v2/channels/mobile_push/expo/tokens?limit=100",
                "GET /v2/channels/mobile_push/expo/tokens?limit=100&starting_after=tok_2",
                "DELETE /v2/channels/mobile_push/expo/tokens/tok_1",
                "DELETE /v2/channels/mobile_push/expo/tokens/tok_3",
            ]
        )
    }
}
