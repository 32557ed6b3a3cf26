import Basics
import Inbox
import MagicBell
import ServiceModels
import TestSupport
import Testing

@testable import Agent

@Suite struct PageSearchTests {
    /// A list whose times have repetitions.
    private static func service(count: Int, _ chance: inout SeededGenerator) -> MagicBellModel {
        var service = MagicBellModel()
        var time: Int64 = 1_700_000_000_000
        for _ in 0..<count {
            time += Int64.random(in: 0...3, using: &chance) == 0 ? 0 : 1_000
            _ = service.publish(sent: Timestamp(milliseconds: time))
        }
        return service
    }

    private static func page(
        _ service: MagicBellModel,
        after place: SortKey?,
        size: Int,
        skipsTies: Bool = false,
        offset: Int
    ) -> (rows: [InboxNotification], hasMore: Bool, requests: Int) {
        var search = PageSearch(after: place, size: size, skipsTies: skipsTies, offset: offset)
        var request = search.firstRequest()
        var requests = 0
        while true {
            requests += 1
            let page = service.page(of: StorePredicate(), after: request.cursor, size: request.size)
            switch search.step(after: page, of: request) {
            case .request(let next): request = next
            case .found(let rows, let hasMore, _): return (rows, hasMore, requests)
            }
        }
    }

    @Test(
        "A page begins after its place without a gap, however wrong the estimate is",
        arguments: 0..<20 as Range<UInt64>
    )
    func noGaps(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        let service = Self.service(count: Int.random(in: 1...400, using: &chance), &chance)
        let list = service.list()
        for _ in 0..<50 {
            let index = Int.random(in: list.indices, using: &chance)
            let place = SortKey(of: Inbox.Notification(list[index]))
            let size = Int.random(in: 1...100, using: &chance)
            let offset =
                Int.random(in: 0...2, using: &chance) == 0 ? Int.random(in: 0...500, using: &chance) : index + 1
            let (rows, hasMore, _) = Self.page(service, after: place, size: size, offset: offset)
            // Notifications sent at the time of the place are repeated.
            let rest = list.drop { $0.sent > place.time }
            #expect(rows == Array(rest.prefix(rows.count)), "seed \(seed)")
            #expect(rows.count == rest.count || hasMore, "seed \(seed)")
            #expect(!rows.isEmpty, "seed \(seed)")
            let skipping = Self.page(service, after: place, size: size, skipsTies: true, offset: offset)
            let later = list.drop { $0.sent >= place.time }
            #expect(skipping.rows == Array(later.prefix(skipping.rows.count)), "seed \(seed)")
            #expect(skipping.rows.isEmpty == later.isEmpty, "seed \(seed)")
        }
    }

    @Test("The next page of a list takes one request") func oneRequest() {
        var service = MagicBellModel()
        for second in 0..<300 { _ = service.publish(sent: Timestamp(milliseconds: Int64(second) * 1000)) }
        let list = service.list()
        for offset in [20, 40, 60, 100, 120, 260] {
            let place = SortKey(of: Inbox.Notification(list[offset - 1]))
            let (rows, hasMore, requests) = Self.page(service, after: place, size: 21, offset: offset)
            #expect(rows == Array(list[(offset - 1)..<(offset + 20)]))
            #expect(hasMore && requests == 1, "offset \(offset)")
        }
    }

    @Test("At the top and in an empty list") func edges() {
        var service = MagicBellModel()
        #expect(Self.page(service, after: nil, size: 20, offset: 0).rows.isEmpty)
        let place = SortKey(of: Inbox.Notification(id: "a", created: 5_000))
        let (rows, hasMore, _) = Self.page(service, after: place, size: 20, offset: 40)
        #expect(rows.isEmpty && !hasMore)
        _ = service.publish(sent: 1_000)
        #expect(Self.page(service, after: nil, size: 1, offset: 7).rows.map(\.id) == ["n00001"])
        #expect(Self.page(service, after: place, size: 20, offset: 40).rows.map(\.id) == ["n00001"])
    }

    @Test("A notification that was archived meanwhile hides no other one") func shift() {
        var service = MagicBellModel()
        for second in 0..<100 { _ = service.publish(sent: Timestamp(milliseconds: Int64(second) * 1000)) }
        let before = service.list()
        let place = SortKey(of: Inbox.Notification(before[39]))
        for row in before[5..<25] { _ = service.change(row.id, to: .archived, at: 0) }
        let (rows, _, _) = Self.page(service, after: place, size: 10, offset: 40)
        #expect(rows.first == before[39] && rows.count == 10)
    }
}
