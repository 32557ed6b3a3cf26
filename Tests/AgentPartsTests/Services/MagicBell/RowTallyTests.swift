import Basics
import MagicBell
import SeededRandom
import TestSupport
import Testing

@testable import Agent

@Suite struct RowTallyTests {
    private static let tabs = [
        StorePredicate(), StorePredicate(categories: ["billing"]), StorePredicate(topics: ["a", "b"]),
    ]

    private func row(_ random: inout SeededGenerator) -> InboxNotification {
        let isSeen = Bool.random(using: &random)
        return InboxNotification(
            id: "\(Int.random(in: 0..<40, using: &random))",
            title: "t",
            category: ["billing", "news", nil].randomElement(using: &random) ?? nil,
            topic: ["a", "b", "c", nil].randomElement(using: &random) ?? nil,
            sent: Timestamp(milliseconds: Int64.random(in: 1...50, using: &random)),
            seen: isSeen ? 1 : nil,
            read: isSeen && Bool.random(using: &random) ? 2 : nil
        )
    }

    @Test("The numbers are those of a new count after any changes", arguments: 1...20 as ClosedRange<UInt64>)
    func numbers(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var rows = FollowedRows(maximum: 24, tabs: Self.tabs)
        for number in 1...300 as ClosedRange<UInt64> {
            let row = row(&random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: rows.delete(row.id, number: number, keepsLog: false)
            case 1: rows.apply(.read, to: row.id, number: number, at: 9, keepsLog: false)
            case 2: rows.apply(.archived, to: row.id, number: number, at: 9, keepsLog: false)
            case 3 where Int.random(in: 0..<10, using: &random) == 0:
                rows.apply(.read, to: nil, number: number, at: 9, keepsLog: false)
            default:
                rows.merge(row, requestNumber: number)
                rows.trim()
            }
            #expect(rows.tally.unread == rows.all.count { !$0.isRead }, "seed \(seed), step \(number)")
            #expect(rows.tally.unseen == rows.all.count { !$0.isSeen }, "seed \(seed), step \(number)")
            let loaded = Self.tabs.map { tab in rows.all.count { !$0.isRead && tab.matches($0) } }
            #expect(rows.tally.unreadOfTabs == loaded, "seed \(seed), step \(number)")
        }
    }
}
