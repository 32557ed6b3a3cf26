import Basics
import Inbox
import Testing

@testable import Agent

/// The user's pending changes, and rules.
@Suite struct InboxTableUserTests {
    @Test(
        "A pending change shows in the list and in the counts",
        arguments: [
            (.read("n1"), "n3 r4 s4, n2 - -, n1 r5 s5", 1, 1, 9, 7, 0),
            (.unread("n3"), "n3 - s4, n2 - -, n1 - -", 3, 2, 9, 7, 1),
            (.seen(["n1", "n2", "x"]), "n3 r4 s4, n2 - s5, n1 - s5", 2, 0, 9, 7, 1),
            (.interacted("n1"), "n3 r4 s4, n2 - -, n1 r5 s5 i", 1, 1, 9, 7, 0),
            (.allRead, "n3 r4 s4, n2 r5 -, n1 r5 -", 0, 2, 9, 0, 0),
            (.archive("n2"), "n3 r4 s4, n1 - -", 1, 1, 8, 7, 1), (.archive("n3"), "n2 - -, n1 - -", 2, 2, 8, 7, 1),
            (.badgeReset, "n3 r4 s4, n2 - -, n1 - -", 2, 2, 9, 0, 1),
            (.delete("n1"), "n3 r4 s4, n2 - -", 1, 1, 8, 7, 0),
            (.read("unknown"), "n3 r4 s4, n2 - -, n1 - -", 2, 2, 9, 7, 1),
        ] as [(Change, String, Int, Int, Int, Int, Int)]
    )
    func pendingChange(
        change: Change,
        list: String,
        unread: Int,
        unseen: Int,
        total: Int,
        badge: Int,
        tab: Int
    ) throws {
        let ofTag = InboxTab(id: "t", label: "T", predicate: InboxPredicate(tags: ["x"]))
        var table = try InboxTable.opened(tabs: [ofTag])
        var rows = (1...3).map { Notification.row($0) }
        (rows[0].tags, rows[2].read, rows[2].seen) = (["x"], 4, 4)
        let counts = Counts(unread: 2, unseen: 2, badge: 7, total: 9, tabs: ["t": 1])
        _ = try table.apply(InboxUpdate(changed: rows, counts: counts, hasMore: true))
        let before = (try table.list(.inbox, .init()), try table.shownCounts())
        let differences = try table.change(adding: [.made(1, change)])
        #expect(differences.isEmpty == (change == .badgeReset || change == .read("unknown")))
        let text = try table.list(.inbox, .init()).map { notification in
            let read = notification.read.map { "r\($0.milliseconds)" } ?? "-"
            let seen = notification.seen.map { "s\($0.milliseconds)" } ?? "-"
            return "\(notification.id) \(read) \(seen)" + (notification.interacted == nil ? "" : " i")
        }
        #expect(text.joined(separator: ", ") == list)
        let shown = ShownCounts(unread: unread, unseen: unseen, badge: badge, total: total, tabs: [tab])
        #expect(try table.shownCounts() == shown)
        #expect(try table.change(ending: [1]).count == differences.count, "undone")
        #expect(try (table.list(.inbox, .init()), table.shownCounts()) == before)
        #expect(try table.change(ending: [1]) == [])
    }

    @Test("If the badge counts unseen ones, restarting it marks what exists as seen, also beyond the newest part")
    func badgeOfUnseen() throws {
        var table = try InboxTable.opened(rules: ServiceRules(readIsSeen: true, badgeIsUnseen: true))
        let rows = [0, 1, 2, 7].map { Notification.row($0) }
        let counts = Counts(unread: 9, unseen: 9, badge: 9, total: 9)
        _ = try table.apply(InboxUpdate(changed: Array(rows.suffix(3)), counts: counts, hasMore: true))
        #expect(try table.change(adding: [.made(1, .badgeReset)]).count == 2)
        #expect(table["n1"]?.seen == 5 && table["n7"]?.seen == nil)
        #expect(try table.shownCounts() == ShownCounts(unread: 9, unseen: 1, badge: 0, total: 9))
        try table.loadAll(of: .inbox, in: rows)
        #expect(table["n0"]?.seen == 5)
        let confirmed = TimestampedChange(.badgeReset, at: 5)
        // The newest part is the service's to report.
        #expect(try table.change(ending: [1], confirmed: confirmed).count == 2)
        #expect(table["n0"]?.seen == 5 && table["n1"]?.seen == nil)
        #expect(try table.shownCounts() == ShownCounts(unread: 9, unseen: 9, badge: 9, total: 9))
    }

    @Test("Muted ones are marked and left out of badges, wherever they are, unless the rule counts them")
    func muted() throws {
        let tab = InboxTab(id: "b", label: "B", predicate: InboxPredicate(categories: ["b"]))
        var table = try InboxTable.opened(tabs: [tab])
        let rows = [Notification.row(1), .row(2, category: "b"), .row(3, category: "b")]
        _ = try table.apply(InboxUpdate(changed: rows, hasMore: true))
        #expect(try table.apply(.muting("b")).joined().count == 2)
        #expect(table["n2"]?.isMuted == true && table["n1"]?.isMuted == false)
        #expect(try table.shownCounts().hiddenUnread == [nil: 2, 0: 2])
        _ = try table.snooze(["n2": .init(until: 99, wasRead: false)])
        #expect(try table.shownCounts().hiddenUnread == [nil: 2, 0: 2], "once")
        let newest = InboxUpdate(changed: [.row(4, category: "b")], unloaded: ["n1", "n2", "n3"], hasMore: true)
        _ = try table.apply(newest)
        #expect(try table.apply(changed: .row(0, category: "b")) == [], "not listed")
        #expect(try table.shownCounts().hiddenUnread == [nil: 4, 0: 4])
        _ = try table.apply(TimestampedChange(.read("n3"), at: 50))
        #expect(try table.shownCounts().hiddenUnread == [nil: 3, 0: 3])
        _ = try table.apply(.muting("b", counts: true))
        #expect(try table["n4"]?.isMuted == true && table.shownCounts().hiddenUnread == [nil: 1, 0: 1])
        _ = try table.apply(nil)
        #expect(try table["n4"]?.isMuted == false && table.shownCounts().hiddenUnread == [nil: 1, 0: 1])
    }

    @Test("Rules are applied in parts, of as few as take long, and patterns that exceed a limit are reported")
    func steps() throws {
        var table = try InboxTable.opened()
        _ = try table.apply(InboxUpdate(changed: (1...250).map { .row($0, category: "b") }))
        #expect(try table.apply(.muting("b")).map(\.count) == [100, 100, 50])
        var long = (1...9).map { Notification.row($0) }
        for index in long.indices { long[index].body = String(repeating: "x", count: 15_000) }
        table = try InboxTable.opened()
        _ = try table.apply(InboxUpdate(changed: long))
        let slow = "/(x+x+)+[0-9]{1}/"
        let parts = try table.apply(.muting(.text, slow))
        #expect(parts.count >= 8 && parts.joined().isEmpty)
        #expect(try table.applyRules(after: .min).exceeding == [.init(rule: 0, pattern: slow)])
    }
}
