import Testing

@testable import Sandbox

@Suite struct FeedTests {
    /// P is pinned; C and D share a millisecond; X is expired, Z archived.
    private static let rows: [JSON] = [
        ["n_id": "A", "created_on": 100, "tags": ["tab1"], "n_category": "promo"],
        ["n_id": "B", "created_on": 300, "read_on": 301],
        ["n_id": "C", "created_on": 200],
        ["n_id": "D", "created_on": 200, "message": ["text": "d", "tags": ["tab2"]]],
        ["n_id": "P", "created_on": 50, "is_pinned": true],
        ["n_id": "X", "created_on": 400, "expiry": 401],
        ["n_id": "Z", "created_on": 500, "archived": true],
    ]

    private func service() throws -> SandboxService { try SandboxState(rows: Self.rows).service }

    private func list(_ query: String) throws -> SandboxService.Answer {
        var service = try service()
        return service.handle(Requests.feed("notifications", query), now: Requests.now)
    }

    @Test("Pinned notifications come first, then the newest") func order() throws {
        let answer = try list("search_after=%5B%5D")
        #expect(answer.response.status == 200)
        #expect(answer.ids == ["P", "B", "D", "C", "A"])
        #expect(answer.json?["meta"] == ["total_count": 5, "has_more": false, "current_page": 1, "total_pages": 1])
        #expect(answer.violations == [])
    }

    @Test(
        "A page begins strictly after its cursor",
        arguments: [
            ("[]", ["P", "B"], true, 1),
            ("[1,50]", ["B", "D"], true, 2),
            ("[true,50]", ["B", "D"], true, 2),
            // No tie-break: C shares D's millisecond and is skipped, as the real cursor does.
            ("[0,200]", ["A"], false, 3),
            ("[false,300]", ["D", "C"], true, 2),
            ("[0,100]", [], false, 3),
        ] as [(String, [String], Bool, Int64)]
    )
    func cursor(cursor: String, ids: [String], more: Bool, page: Int64) throws {
        let json = try #require(JSON(parsing: cursor))
        let answer = try list("page_size=2&search_after=\(Requests.encoded(json))")
        #expect(answer.ids == ids)
        #expect(answer.json?["meta"]?["has_more"] == .bool(more))
        #expect(answer.json?["meta"]?["current_page"] == .integer(page))
        #expect(answer.json?["meta"]?["total_pages"] == 3)
    }

    @Test(
        "A store selects by read, archived, tags and categories",
        arguments: [
            (["tags": ["or": []], "categories": ["or": []]], ["P", "B", "D", "C", "A"]),
            (["read": false, "tags": ["or": []], "categories": ["or": []]], ["P", "D", "C", "A"]),
            (["read": true, "tags": ["or": []], "categories": ["or": []]], ["B"]),
            (["archived": true, "tags": ["or": []], "categories": ["or": []]], ["Z", "X"]),
            (["archived": false, "tags": ["or": ["tab1"]], "categories": ["or": []]], ["A"]),
            (["tags": ["or": ["tab1", "nope"]], "categories": ["or": ["promo", "other"]]], ["A"]),
            (["tags": ["or": ["tab1"]], "categories": ["or": ["other"]]], []),
        ] as [(JSON, [String])]
    )
    func stores(query: JSON, ids: [String]) throws {
        let store: JSON = ["store_id": "S", "query": query]
        #expect(try list("search_after=%5B%5D&store=\(Requests.encoded(store))").ids == ids)
    }

    @Test("Counts have the badge and a number for each store") func counts() throws {
        var service = try service()
        let stores: JSON = [
            ["store_id": "Unread", "query": ["read": false, "tags": ["or": []], "categories": ["or": []]]],
            ["store_id": "Read", "query": ["read": true, "tags": ["or": []], "categories": ["or": []]]],
            ["store_id": "Archived", "query": ["archived": true, "tags": ["or": []], "categories": ["or": []]]],
        ]
        let request = Requests.feed("notifications_count", "stores=\(Requests.encoded(stores))")
        #expect(service.handle(request, now: Requests.now).json == ["badge": 5, "Unread": 4, "Read": 0, "Archived": 2])
        _ = service.handle(Requests.action("PATCH", "reset_bell_count"), now: Requests.now)
        #expect(service.handle(request, now: Requests.now).json?["badge"] == 0)
        #expect(service.handle(request, now: Requests.now).json?["Unread"] == 4)
        _ = service.handle(Requests.action("PATCH", "mark_all_read"), now: Requests.now)
        #expect(service.handle(request, now: Requests.now).json?["Unread"] == 0)
        #expect(service.handle(Requests.feed("notifications_count"), now: Requests.now).json == ["badge": 0])
    }

    @Test("Reading everything keeps the badge, which only opening the inbox resets")
    func readingIsNotOpening() throws {
        var service = try service()
        let count = Requests.feed("notifications_count")
        _ = service.handle(Requests.action("PATCH", "mark_all_read"), now: Requests.now)
        #expect(service.handle(count, now: Requests.now).json == ["badge": 5])
        _ = service.handle(Requests.action("PATCH", "reset_bell_count"), now: Requests.now)
        #expect(service.handle(count, now: Requests.now).json == ["badge": 0])
    }

    @Test("Expired rows are archived") func expiry() throws {
        var service = try SandboxState(rows: [["n_id": "E", "expiry": .integer(Requests.now + 10)]]).service
        let request = Requests.feed("notifications", "search_after=%5B%5D")
        #expect(service.handle(request, now: Requests.now + 9).ids == ["E"])
        #expect(service.handle(request, now: Requests.now + 10).ids == [])
        let store = Requests.encoded([
            "store_id": "S", "query": ["archived": true, "tags": ["or": []], "categories": ["or": []]],
        ])
        let archive = Requests.feed("notifications", "search_after=%5B%5D&store=\(store)")
        #expect(service.handle(archive, now: Requests.now + 9).ids == [])
        #expect(service.handle(archive, now: Requests.now + 10).ids == ["E"])
        let details = service.handle(Requests.feed("notifications/E", ""), now: Requests.now + 10)
        #expect(details.json?["archived"] == true)
    }

    @Test(
        "An action sets its times and emits an event",
        arguments: [
            ("seen", ["seen_on"], []),
            ("read", ["seen_on", "read_on"], []),
            ("interacted", ["seen_on", "read_on", "interacted_on"], []),
            ("unread", [], ["read_on"]),
            ("archive", [], []),
        ] as [(String, [String], [String])]
    )
    func actions(action: String, set: [String], cleared: [String]) throws {
        var service = try service()
        let id = action == "unread" ? "B" : "A"
        let answer = service.handle(Requests.action("PATCH", "notifications/\(id)/\(action)"), now: 777)
        #expect(answer.json == ["status": "success"])
        let payload: JSON = ["n_id": .string(id), "action": .string(action)]
        #expect(answer.events == [.init(user: InboxKey(user: "user-1"), name: "notification_update", payload: payload)])
        let row = try #require(service.handle(Requests.feed("notifications/\(id)"), now: 778).json)
        for key in set { #expect(row[key] == 777) }
        for key in cleared { #expect(row[key] == .null) }
        #expect(row["archived"] == .bool(action == "archive"))
        #expect(service[InboxKey(user: "user-1")].interactions == [.init(id: id, action: action, time: 777)])
    }

    @Test("Repeated actions keep the first times") func repeatedActions() throws {
        var service = try service()
        _ = service.handle(Requests.action("PATCH", "notifications/A/seen"), now: 700)
        _ = service.handle(Requests.action("PATCH", "notifications/A/interacted"), now: 800)
        _ = service.handle(Requests.action("PATCH", "notifications/A/interacted"), now: 900)
        let row = try #require(service[InboxKey(user: "user-1")].row("A"))
        #expect([row["seen_on"], row["read_on"], row["interacted_on"]] == [700, 800, 900])
    }

    @Test("Bulk actions emit events") func bulkActions() throws {
        var service = try service()
        let ids: JSON = ["notification_ids": ["A", "C", "gone"]]
        let seen = service.handle(Requests.action("POST", "bulk/notifications/seen", ids), now: 777)
        #expect(seen.events.map(\.payload) == [["action": "seen", "notification_ids": ["A", "C", "gone"]]])
        #expect(service[InboxKey(user: "user-1")].row("C")?["seen_on"] == 777)
        let read = service.handle(Requests.action("PATCH", "mark_all_read"), now: 778)
        #expect(read.events.map(\.name) == ["bulk_notification_update"])
        #expect(read.events.map(\.payload) == [["action": "read", "notification_ids": "all"]])
        #expect(service[InboxKey(user: "user-1")].row("B")?["read_on"] == 301)
        let reset = service.handle(Requests.action("PATCH", "reset_bell_count"), now: 779)
        #expect(reset.events.map(\.name) == ["reset_badge"])
    }

    @Test("An unknown notification is not found, which is no violation") func unknownRow() throws {
        var service = try service()
        for request in [Requests.feed("notifications/nope"), Requests.action("PATCH", "notifications/nope/read")] {
            let answer = service.handle(request, now: Requests.now)
            #expect(answer.response.status == 404)
            #expect(answer.errorType == "NOT_FOUND")
            #expect(answer.violations == [])
        }
    }

    @Test("Malformed rows are served unchanged") func malformedRows() throws {
        var state = SandboxState()
        _ = try state.execute("publish-raw", ["row": ["n_id": "x", "created_on": "yesterday"]], wall: Requests.now)
        _ = try state.execute("publish-raw", ["row": "not even an object"], wall: Requests.now)
        let answer = state.service.handle(Requests.feed("notifications", "search_after=%5B%5D"), now: Requests.now)
        #expect(answer.json?["results"]?.array?.count == 2)
        #expect(answer.json?["results"]?.array?.contains("not even an object") == true)
    }
}
