import ClientKit
import MagicBell
import TestSupport
import Testing

@Suite("Lists of the REST API")
struct RESTListTests {
    @Test(
        "The list has the predicate's filters",
        arguments: [
            (StorePredicate(), "archived=false"),
            (StorePredicate(read: false, seen: true), "read=false&seen=true&archived=false"),
            (StorePredicate(archived: true, categories: ["c&i"]), "archived=true&category=c%26i"),
            (
                StorePredicate(categories: ["b", "a"], topics: ["t/1"]),
                "archived=false&categories=a%2Cb&topic=t%2F1"
            ),
            (StorePredicate(topics: ["a,b", "c"]), "archived=false"),
        ]
    )
    func filters(predicate: StorePredicate, query: String) async throws {
        let http = ScriptedHTTP(answer(200, AnswerSamples.list), answer(204))
        let api = try RESTAPI.scripted(http)
        _ = try await api.page(of: predicate, after: nil, size: 50)
        #expect(await http.lines == ["GET /notifications?\(query)&per_page=50&page=1"])
    }

    @Test("A page has what matches, the counts, and a cursor unless it is the last one")
    func page() async throws {
        let http = ScriptedHTTP(
            answer(200, AnswerSamples.list.replacing(#""total_pages":1"#, with: #""total_pages":2"#)),
            answer(200, AnswerSamples.list.replacing(#""current_page":1"#, with: #""current_page":2"#))
        )
        let api = try RESTAPI.scripted(http)
        let first = try await api.page(of: StorePredicate(), after: nil, size: 50)
        #expect(first.notifications.map(\.title) == ["Build 812 failed", "Welcome"])
        #expect(first.counts == StoreCounts(total: 2, unread: 1, unseen: 1))
        #expect(first.next == .page(2))
        let second = try await api.page(of: StorePredicate(), after: first.next, size: 50)
        #expect(second.next == nil)
        #expect(await http.lines.last == "GET /notifications?archived=false&per_page=50&page=2")
        let keys = await http.requests.flatMap(\.headers).filter { $0.name == "idempotency-key" }
        #expect(keys.isEmpty, "a GET has no idempotency key")
    }

    @Test(
        "Without the number of pages, the total or the size of the page tells whether there are more",
        arguments: [
            (#""total":3,"#, 2, InboxPageCursor.page(2)), (#""total":2,"#, 2, nil), ("", 2, .page(2)), ("", 3, nil),
            (#""total_pages":0,"#, 2, nil),
        ] as [(String, Int, InboxPageCursor?)]
    )
    func furtherPages(counts: String, size: Int, next: InboxPageCursor?) async throws {
        let body = #"{\#(counts)"notifications":[\#(AnswerSamples.failedBuild),\#(AnswerSamples.welcome)]}"#
        let api = try RESTAPI.scripted(ScriptedHTTP(answer(200, body)))
        #expect(try await api.page(of: StorePredicate(), after: nil, size: size).next == next)
    }

    @Test("After an empty page there is no further one, whatever the counts say")
    func emptyPage() async throws {
        let body = #"{"total":100,"total_pages":9,"current_page":1,"notifications":[]}"#
        let page = try await RESTAPI.scripted(ScriptedHTTP(answer(200, body)))
            .page(of: StorePredicate(), after: nil, size: 50)
        #expect(page.next == nil && page.notifications.isEmpty && page.counts.total == 100)
    }

    @Test("A filter that the service ignores is applied, and its counts are unknown")
    func ignoredFilter() async throws {
        let page = try await RESTAPI.scripted(ScriptedHTTP(answer(200, AnswerSamples.list)))
            .page(of: StorePredicate(categories: ["ci", "ops"]), after: nil, size: 50)
        #expect(page.notifications.map(\.category) == ["ci"])
        #expect(page.counts == StoreCounts())
    }

    @Test("The counts of several categories are those of each, added")
    func counts() async throws {
        let http = ScriptedHTTP(otherwise: { _ in answer(200, AnswerSamples.list) })
        let counts = try await RESTAPI.scripted(http).counts(
            of: StorePredicate(read: false, categories: ["ci", "ops"])
        )
        #expect(counts == StoreCounts(total: 4, unread: 2, unseen: 2))
        #expect(
            await http.lines == [
                "GET /notifications?read=false&archived=false&category=ci&per_page=1&page=1",
                "GET /notifications?read=false&archived=false&category=ops&per_page=1&page=1",
            ]
        )
        let many = StorePredicate(categories: (0..<21).map { "c\($0)" })
        #expect(try await RESTAPI.scripted(ScriptedHTTP()).counts(of: many) == StoreCounts())
    }
}
