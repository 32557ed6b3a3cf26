import Basics
import ClientKit
import FoundationEssentials
import ServiceModels
import Synchronization
import TestSupport
import Testing

@testable import SuprSend

/// The service's REST side in memory: rows, a badge, and faults on demand.
actor FakeInbox: HTTPTransport {
    private(set) var requests: [HTTPRequest] = []
    private(set) var rows: [String: FeedNotification] = [:]
    private(set) var badge = 0
    private var faults: [(path: String, response: HTTPResponse, times: Int)] = []
    private var holds: Set<String> = []
    private var held = Waiters()
    private var watchers = Waiters()
    private var acceptedToken: String?
    private var date: String?
    private let distrust = Mutex(0)

    nonisolated func retireConnections() { distrust.withLock { $0 += 1 } }

    /// How often no connection was trusted any more.
    nonisolated var distrusts: Int { distrust.withLock { $0 } }

    func publish(_ new: FeedNotification...) {
        for row in new {
            rows[row.id] = row
            badge += 1
        }
    }

    func change(_ id: String, _ body: @Sendable (inout FeedNotification) -> Void) {
        if var row = rows[id] {
            body(&row)
            rows[id] = row
        }
    }

    /// The next `times` requests whose path contains `path` get `response`.
    func fail(_ path: String, _ response: HTTPResponse, times: Int = 1) { faults.append((path, response, times)) }

    /// Only this token is let in.
    func accept(_ token: String) { acceptedToken = token }

    /// Sets the `Date` of every answer from now on.
    func sayTime(_ time: Timestamp) { date = Self.httpDate(time.date) }

    /// `Mon, 04 Aug 2025 22:32:25 GMT`; the day of the week is ignored.
    private static func httpDate(_ date: Date) -> String {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let parts = date.formatted(.iso8601).split { "-TZ".contains($0) }
        return "Mon, \(parts[2]) \(months[(Int(parts[1]) ?? 1) - 1]) \(parts[0]) \(parts[3]) GMT"
    }

    /// Requests whose path contains `path` are answered as of now, but only after ``release()``.
    func hold(_ path: String) { holds.insert(path) }

    func release() {
        holds = []
        held.wakeAll()
    }

    func count(_ path: String) -> Int { requests.count { $0.url.contains(path) } }

    /// Waits until this number of requests with `path` were made.
    func wait(for path: String, _ number: Int = 1, sourceLocation: SourceLocation = #_sourceLocation) async {
        let (what, seen) = ("\(number) requests of \(path)", SeenValues())
        await waiting(for: what, seen: { seen.description }, sourceLocation: sourceLocation) {
            while count(path) < number, !Task.isCancelled {
                seen.note("\(requests.map(\.url))")
                await watchers.add().wait()
            }
        }
    }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        requests.append(request)
        watchers.wakeAll()
        var answer = answer(request)
        if let date { answer.headers.append(HTTPField("Date", date)) }
        if holds.contains(where: request.url.contains) {
            await held.add().wait()
        }
        if Task.isCancelled { throw TransportError(.cancelled, "cancelled") }
        return answer
    }

    private func answer(_ request: HTTPRequest) -> HTTPResponse {
        if let index = faults.firstIndex(where: { request.url.contains($0.path) }) {
            faults[index].times -= 1
            let response = faults[index].response
            if faults[index].times == 0 { faults.remove(at: index) }
            return response
        }
        let sent = request.headers.first { $0.name == "x-ss-signature" }?.value
        if let acceptedToken, acceptedToken != sent {
            return response(401, #"{"status":"error","error":{"type":"token_invalid","message":"no \#(sent ?? "")"}}"#)
        }
        let halves = request.url.split(separator: "?", maxSplits: 1).map(String.init)
        let path = halves[0].split(separator: "/v1/feed/")[1].split(separator: "/").map(String.init)
        var query: [String: String] = [:]
        for pair in halves[1].split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1).map(String.init)
            query[sides[0]] = sides.count > 1 ? sides[1].percentDecoded : ""
        }
        switch (request.method, path.count, path.last) {
        case ("GET", 1, "notifications"): return list(query)
        case ("GET", 1, "notifications_count"):
            return response(200, #"{"badge":\#(badge)}"#)
        case ("GET", 2, let id?):
            guard let row = rows[id] else { return response(404, #"{"code":404,"message":"not found"}"#) }
            return response(200, row.json)
        case ("PATCH", 3, "read"): change(path[1]) { $0.read = $0.read ?? base }
        case ("PATCH", 3, "unread"): change(path[1]) { $0.read = nil }
        case ("PATCH", 3, "seen"): change(path[1]) { $0.seen = $0.seen ?? base }
        case ("PATCH", 3, "archive"): change(path[1]) { $0.isArchived = true }
        case ("PATCH", 1, "reset_bell_count"): badge = 0
        case ("PATCH", 1, "mark_all_read"): for id in rows.keys { change(id) { $0.read = $0.read ?? base } }
        default: break
        }
        return response(200, #"{"status":"success"}"#)
    }

    private func list(_ query: [String: String]) -> HTTPResponse {
        var rows = SuprSendRules.sorted(rows.values)
        let wanted = query["store"].flatMap { try? JSONValue(parsing: $0) }?["query"]
        let read = wanted?["read"]?.bool
        func values(_ key: String) -> [String] { wanted?[key]?["or"]?.array?.compactMap(\.string) ?? [] }
        let asked = NotificationStore.Query(
            read: read,
            archived: wanted?["archived"]?.bool,
            tags: values("tags"),
            categories: values("categories")
        )
        rows.removeAll { !SuprSendRules.belongs($0, to: asked) }
        let total = rows.count
        if let cursor = (try? JSONValue(parsing: query["search_after"] ?? "[]"))?.array, cursor.count == 2,
            let pinned = cursor[0].integer, let created = cursor[1].integer
        {
            rows.removeAll { !SuprSendRules.isBehind($0, pinned: pinned == 1, created: created) }
        }
        let page = rows.prefix(Int(query["page_size"] ?? "") ?? 20)
        let results = page.map(\.json).joined(separator: ",")
        return response(
            200,
            #"{"results":[\#(results)],"meta":{"total_count":\#(total),"has_more":\#(page.count < rows.count)}}"#
        )
    }
}
