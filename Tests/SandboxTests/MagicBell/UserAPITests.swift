import Testing

@testable import Sandbox

/// The notifications of the user API (v2).
@Suite struct UserAPITests {
    private typealias Requests = MagicBellRequests

    @Test("A notification has one status and times in ISO 8601") func notification() throws {
        var state = try SandboxState.magicBell([["id": "A", "title": "T", "sent_at": 1_767_225_600, "read_at": nil]])
        let json = try #require(state.answer(Requests.user("GET", "/notifications/A")).json)
        #expect(json["sent_at"] == "2026-01-01T00:00:00.000Z")
        #expect((json["status"], json["seen_at"], json["user_id"]) == ("unseen", .null, "user-1"))
    }

    @Test(
        "Each notification has exactly one status",
        arguments: [
            ("", ["D", "C", "B", "A"]), ("status=unseen", ["D"]), ("status=unread", ["B"]), ("status=read", ["A"]),
            ("status=archived", ["C"]), ("category=ci", ["C", "A"]), ("topic=t", ["B"]),
        ]
    )
    func filters(query: String, ids: [String]) throws {
        var state = try SandboxState.magicBell(Requests.rows)
        #expect(state.answer(Requests.user("GET", "/notifications?\(query)")).json?["data"]?.ids == ids)
    }

    @Test("Cursors are ids, and keep their position when the notification leaves the filter") func cursors() throws {
        var state = try SandboxState.magicBell(Requests.rows)
        func page(_ query: String) -> (ids: [String], links: JSON?) {
            let json = state.answer(Requests.user("GET", "/notifications?limit=2\(query)")).json
            return (json?["data"]?.ids ?? [], json?["links"])
        }
        let first = page("")
        #expect(first.ids == ["D", "C"])
        #expect(first.links?["next"] == "/v2/notifications?limit=2&starting_after=C")
        #expect(first.links?["prev"] == .null)
        let second = page("&starting_after=C")
        #expect(second.ids == ["B", "A"])
        #expect(second.links?["next"] == .null)
        #expect(second.links?["prev"] == "/v2/notifications?limit=2&ending_before=B")
        #expect(page("&ending_before=A").ids == ["C", "B"])
        #expect(page("&starting_after=C&status=read").ids == ["A"])
        #expect(state.answer(Requests.user("GET", "/notifications?starting_after=X")).status == 422)
        #expect(state.violations.isEmpty)
    }

    @Test("The only count is that of unread notifications") func count() throws {
        var state = try SandboxState.magicBell(Requests.rows)
        #expect(state.answer(Requests.user("GET", "/notifications/unread/count")).json == ["count": 2])
        #expect(state.answer(Requests.user("GET", "/notifications/unread/count?topic=t")).json == ["count": 1])
    }

    @Test(
        "Actions change the status and have events where they are documented",
        arguments: [
            ("B/read", "B", .read, "notifications/read"), ("A/unread", "A", .unread, "notifications/unread"),
            ("D/archive", "D", .archived, "notifications/archived"),
            ("C/unarchive", "C", .unseen, "notifications/unarchived"), ("D/seen", "D", .unread, nil),
            ("read", "D", .read, "notifications/read/all"), ("seen", "D", .unread, "notifications/seen/all"),
            ("archive", "D", .archived, nil),
        ] as [(String, String, StoredNotification.Status, String?)]
    )
    func actions(path: String, id: String, status: StoredNotification.Status, event: String?) throws {
        var state = try SandboxState.magicBell(Requests.rows)
        let outcome = state.handle(Requests.user("POST", "/notifications/\(path)"), wall: Requests.now)
        #expect(outcome.response.status == 204)
        #expect(state.magicBell.service["user-1"][id]?.status == status)
        let events = outcome.effects.compactMap { effect -> String? in
            guard case .log(let line) = effect, line.hasPrefix("user-1: ") else { return nil }
            return line.split(separator: " ").dropFirst().first.map(String.init)
        }
        #expect(events == (event.map { [$0] } ?? []))
    }

    @Test("Actions on unknown ids are not found") func unknown() throws {
        var state = try SandboxState.magicBell(Requests.rows)
        #expect(state.answer(Requests.user("POST", "/notifications/X/read")).status == 404)
        #expect(state.answer(Requests.user("GET", "/notifications/X")).status == 404)
        #expect(state.violations.isEmpty)
    }
}
