import ClientKit
import MagicBell
import Synchronization
import TestSupport
import Testing

/// Pages whose notifications are too long for one answer.
@Suite("Long pages")
struct LongPageTests {
    /// 50 notifications, of which an answer has room for `room`.
    private final class Service: HTTPTransport {
        static let count = 50
        let room: Int
        /// The number of the newest notification.
        let first = Mutex(0)

        init(room: Int) { self.room = room }

        func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
            var query: [String: String] = [:]
            for pair in request.url.split(separator: "?").last?.split(separator: "&") ?? [] {
                let parts = pair.split(separator: "=")
                if parts.count == 2 { query[String(parts[0])] = String(parts[1]) }
            }
            let isV1 = query["per_page"] != nil
            let size = query[isV1 ? "per_page" : "limit"].flatMap(Int.init) ?? 0
            let first = first.withLock(\.self)
            let after = query["starting_after"].flatMap { Int($0.dropFirst()) } ?? first - 1
            let start = isV1 ? first + ((query["page"].flatMap(Int.init) ?? 1) - 1) * size : after + 1
            let end = min(start + size, Self.count)
            if end - start > room { throw TransportError(.tooLarge, "too long") }
            let rows = (start..<max(start, end)).map { number in
                let time = 1_767_225_600 - number
                return isV1
                    ? #"{"id":"n\#(number)","title":"t","sent_at":\#(time)}"#
                    : #"{"id":"n\#(number)","title":"t","status":"unread","sent_at":\#(time),"created_at":\#(time)}"#
            }
            let list = rows.joined(separator: ",")
            return answer(
                200,
                isV1
                    ? #"{"total":\#(Self.count - first),"unread_count":7,"notifications":[\#(list)]}"#
                    : #"{"data":[\#(list)],"links":{"next":\#(end < Self.count ? "\"x\"" : "null")}}"#
            )
        }
    }

    @Test("All notifications are loaded, with shorter pages", arguments: [1, 7, 25, 50], [false, true])
    func allPages(room: Int, isUserAPI: Bool) async throws {
        let context = try RequestContext.scripted(Service(room: room), limits: RequestLimits(reads: 1_000, writes: 1))
        let api: any InboxAPI =
            isUserAPI ? try UserAPI(.maryToken, context: context) : try RESTAPI(.mary, context: context)
        for size in [20, 50, 30] {
            var ids: [String] = []
            var cursor: InboxPageCursor?
            repeat {
                let page = try await api.page(of: StorePredicate(), after: cursor, size: size)
                // Pages may overlap.
                ids += page.notifications.map(\.id).filter { !ids.contains($0) }
                cursor = page.next
            } while cursor != nil
            #expect(ids == (0..<Service.count).map { "n\($0)" }, "size \(size)")
        }
    }

    @Test("What is loaded of a page that is put together is shown at once", arguments: [false, true])
    func parts(isUserAPI: Bool) async throws {
        let context = try RequestContext.scripted(Service(room: 6), limits: RequestLimits(reads: 1_000, writes: 1))
        let api: any InboxAPI =
            isUserAPI ? try UserAPI(.maryToken, context: context) : try RESTAPI(.mary, context: context)
        let parts = Mutex<[StorePage]>([])
        let page = try await api.page(of: StorePredicate(), after: nil, size: 20) { part in
            parts.withLock { $0.append(part) }
        }
        #expect(page.notifications.count == 20)
        let ids = parts.withLock { $0.map { $0.notifications.map(\.id) } }
        #expect(ids == [5, 10, 15].map { Array(page.notifications.map(\.id).prefix($0)) })
        #expect(parts.withLock { $0.allSatisfy { $0.next != nil } })
    }

    @Test("When notifications leave the list while a page is put together, those that move up are on it")
    func shrinkingList() async throws {
        let service = Service(room: 6)
        let context = try RequestContext.scripted(service, limits: RequestLimits(reads: 1_000, writes: 1))
        let page = try await RESTAPI(.mary, context: context).page(of: StorePredicate(), after: nil, size: 20) { _ in
            // The first six have gone.
            service.first.withLock { $0 = 6 }
        }
        #expect(page.notifications.map(\.id) == (0..<26).filter { $0 != 5 }.map { "n\($0)" })
    }

    @Test("One notification that does not fit is an error") func oneNotification() async throws {
        let api = try RESTAPI(.mary, context: .scripted(Service(room: 0)))
        let error = await #expect(throws: MagicBellError.self) {
            try await api.page(of: StorePredicate(), after: nil, size: 20)
        }
        #expect(error?.isTooLarge == true)
    }
}
