import Testing

@testable import Sandbox

/// The notifications of the REST API (v1).
@Suite struct RESTNotificationTests {
    private typealias Requests = MagicBellRequests

    @Test("The answer to a list has the documented members") func list() throws {
        var state = try SandboxState.magicBell([
            [
                "id": "A", "title": "Build 812 failed", "content": "<b>3</b>", "sent_at": 1_767_139_200,
                "custom_attributes": ["build": 812],
            ]
        ])
        let list = try #require(state.answer(Requests.rest("GET", "/notifications")).json)
        #expect((list["total"], list["total_pages"], list["per_page"], list["current_page"]) == (1, 1, 15, 1))
        #expect((list["unread_count"], list["unseen_count"]) == (1, 1))
        let row = try #require(list["notifications"]?.array?.first)
        #expect(row["title"] == "Build 812 failed")
        #expect((row["sent_at"], row["read_at"], row["category"]) == (1_767_139_200, .null, .null))
        #expect(row["custom_attributes"] == ["build": 812])
        #expect(row["recipient"]?["external_id"] == "user-1")
        let one = state.answer(Requests.rest("GET", "/notifications/A")).json
        #expect(one?["notification"] == row)
    }

    @Test(
        "Filters select, and the counts are those of the selection",
        arguments: [
            ("", ["D", "C", "B", "A"], 3, 2), ("archived=false", ["D", "B", "A"], 2, 1),
            ("archived=true", ["C"], 1, 1), ("read=true", ["A"], 0, 0),
            ("read=false&archived=false", ["D", "B"], 2, 1),
            ("seen=false", ["D", "C"], 2, 2), ("category=ci", ["C", "A"], 1, 1),
            ("categories=ci,ops", ["C", "B", "A"], 2, 1), ("topic=t", ["B"], 1, 0), ("topics=t,u", ["B"], 1, 0),
        ]
    )
    func filters(query: String, ids: [String], unread: Int64, unseen: Int64) throws {
        var state = try SandboxState.magicBell(Requests.rows)
        let list = try #require(state.answer(Requests.rest("GET", "/notifications?\(query)")).json)
        #expect(list["notifications"]?.ids == ids)
        #expect(list["total"] == .integer(Int64(ids.count)))
        #expect((list["unread_count"], list["unseen_count"]) == (.integer(unread), .integer(unseen)))
        #expect(state.violations.isEmpty)
    }

    @Test("Pages are numbered from one") func pages() throws {
        var state = try SandboxState.magicBell(Requests.rows)
        let pages = (1...3).map { page in
            state.answer(Requests.rest("GET", "/notifications?per_page=3&page=\(page)")).json
        }
        #expect(pages.map { $0?["notifications"]?.ids } == [["D", "C", "B"], ["A"], []])
        #expect(pages.map { $0?["total_pages"] } == [2, 2, 2])
    }

    @Test("The newest of a listed page disappear after shrink-pages") func shrinkingPages() throws {
        var state = try SandboxState.magicBell(Requests.rows)
        _ = try state.command("shrink-pages", ["by": 2])
        let request = Requests.rest("GET", "/notifications?per_page=2")
        #expect(state.answer(request).json?["notifications"]?.ids == ["D", "C"])
        #expect(state.answer(request).json?["notifications"]?.ids == ["B", "A"])
        #expect(state.answer(request).json?["total"] == 2)
    }

    @Test(
        "An action changes one notification and is reported with the client's id",
        arguments: [
            ("POST", "/B/read", "notifications/read", true, true, false),
            ("POST", "/D/read", "notifications/read", true, true, false),
            ("POST", "/A/unread", "notifications/unread", true, false, false),
            ("POST", "/D/archive", "notifications/archived", false, false, true),
            ("DELETE", "/C/archive", "notifications/unarchived", false, false, false),
            ("POST", "/C/unarchive", "notifications/unarchived", false, false, false),
        ]
    )
    func actions(method: String, path: String, event: String, seen: Bool, read: Bool, archived: Bool) throws {
        var state = try SandboxState.magicBell(Requests.rows)
        let request = Requests.rest(method, "/notifications" + path, nil, ["x-magicbell-client-id": "me"])
        let outcome = state.handle(request, wall: Requests.now)
        #expect((outcome.response.status, outcome.response.body) == (204, []))
        let id = String(path.dropFirst().prefix(1))
        let changed = try #require(state.magicBell.service["user-1"][id])
        #expect((changed.seenAt != nil, changed.readAt != nil, changed.archivedAt != nil) == (seen, read, archived))
        #expect(outcome.effects.contains(.log("user-1: \(event) {\"client_id\":\"me\",\"id\":\"\(id)\"}")))
    }

    @Test("Deleting removes the notification; unknown ids are not found") func deleting() throws {
        var state = try SandboxState.magicBell(Requests.rows)
        #expect(state.answer(Requests.rest("DELETE", "/notifications/B")).status == 204)
        #expect(state.answer(Requests.rest("GET", "/notifications/B")).status == 404)
        #expect(state.answer(Requests.rest("DELETE", "/notifications/B")).status == 404)
        #expect(state.answer(Requests.rest("POST", "/notifications/B/read")).status == 404)
        #expect(state.violations.isEmpty)
    }

    @Test("The actions on all have the filters of the list") func allWithFilters() throws {
        var state = try SandboxState.magicBell(Requests.rows)
        #expect(state.answer(Requests.rest("POST", "/notifications/read?category=ops")).status == 204)
        #expect(state.magicBell.service["user-1"].notifications.map { $0.readAt != nil } == [false, false, true, true])
        #expect(state.answer(Requests.rest("POST", "/notifications/seen?archived=false")).status == 204)
        #expect(state.magicBell.service["user-1"].notifications.map { $0.seenAt != nil } == [true, false, true, true])
        #expect(state.answer(Requests.rest("POST", "/notifications/read")).status == 204)
        #expect(state.magicBell.service["user-1"].notifications.allSatisfy { $0.readAt != nil && $0.seenAt != nil })
    }

    @Test("A request with a known idempotency key has no effect and the same answer") func idempotency() throws {
        var state = try SandboxState.magicBell(Requests.rows)
        let key = ["idempotency-key": "magicbell-retry-1"]
        let read = Requests.rest("POST", "/notifications/D/read", nil, key)
        state.faults = [RequestFault(.close, applied: true)]
        _ = state.handle(read, wall: Requests.now)
        _ = state.answer(Requests.rest("POST", "/notifications/D/unread"))
        let again = state.handle(read, wall: Requests.now)
        #expect(again.response.status == 204)
        #expect(state.magicBell.service["user-1"]["D"]?.readAt == nil)
        #expect(state.violations.isEmpty)
        #expect(state.answer(Requests.rest("POST", "/notifications/C/read", nil, key)).status == 422)
        #expect(state.violations.map(\.kind) == [.header])
        // The answer is kept for a day.
        #expect(state.answer(read, wall: Requests.now + 86_400_000).status == 204)
        #expect(state.magicBell.service["user-1"]["D"]?.readAt != nil)
    }

    @Test("Several categories can have no effect, as on servers of a time") func ignoredFilters() throws {
        var state = try SandboxState.magicBell(Requests.rows)
        _ = try state.command("rest", ["several_filters": false])
        func ids(_ query: String) -> [String]? {
            state.answer(Requests.rest("GET", "/notifications?\(query)")).json?["notifications"]?.ids
        }
        #expect(ids("categories=ci,ops") == ["D", "C", "B", "A"])
        #expect(ids("categories=ci") == ["C", "A"])
    }

    @Test("Two users have separate inboxes, and the first request creates a user") func twoUsers() throws {
        var state = try SandboxState.magicBell(Requests.rows)
        let other = Requests.rest("GET", "/notifications", nil, ["x-magicbell-user-external-id": "bob"])
        #expect(state.answer(other).json?["total"] == 0)
        #expect(state.magicBell.service.users.all.map(\.name) == ["user-1", "bob"])
    }
}
