import Basics
import Inbox
import SeededRandom
import Testing

@testable import Agent

/// The table of an inbox beside a dictionary.
@Suite struct InboxTableOrderTests {
    private static let ci = InboxTab(id: "ci", label: "CI", predicate: InboxPredicate(tags: ["ci"]))

    /// Compares with what a computation from scratch gives.
    @Test("Any sequence of reports, changes, snoozes, rules and restarts shows what their sum is", arguments: 0..<60)
    func anyOrder(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let storage = StateDatabase.ofInboxes()
        var table = try InboxTable.opened(storage, tabs: [Self.ci])
        var model = InboxModel(tab: Self.ci.predicate)
        for step in 1...120 as ClosedRange<Int64> {
            let key = NotificationID("n\(Int64.random(in: 1...12, using: &random))")
            let time = Timestamp(milliseconds: step)
            switch Int.random(in: 0..<11, using: &random) {
            case 0...2:
                var row = Notification.row(Int64(key.rawValue.dropFirst()) ?? 0)
                row.category = Bool.random(using: &random) ? "muted" : ""
                row.read = Bool.random(using: &random) ? nil : time
                row.tags = Bool.random(using: &random) ? ["ci"] : []
                model.reported[key] = row
                _ = try table.apply(InboxUpdate(changed: [row], counts: model.counts))
            case 3:
                model.reported[key] = nil
                _ = try table.apply(InboxUpdate(removed: [key], counts: model.counts))
            case 4...6:
                let changes: [Change] = [
                    .read(key), .unread(key), .seen([key, "n3"]), .interacted(key), .archive(key), .delete(key),
                    .allRead,
                ]
                let entry = InboxTable.Entry.made(step, changes.randomElement(using: &random) ?? .allRead, at: time)
                model.pending.append(entry)
                _ = try table.change(adding: [entry])
            case 7:
                guard let index = model.pending.indices.randomElement(using: &random) else { continue }
                _ = try table.change(ending: [model.pending.remove(at: index).number])
            case 8:
                let wasRead = Bool.random(using: &random)
                let snooze = Bool.random(using: &random) ? Snoozes.Snooze(until: time, wasRead: wasRead) : nil
                model.snoozes[key] = snooze
                _ = try table.snooze([key: snooze])
            case 9:
                model.mutes.toggle()
                _ = try table.apply(model.mutes ? .muting("muted") : nil)
            default:
                table = try InboxTable.opened(storage, tabs: [Self.ci])
                table.muting = model.mutes ? try InboxRules.muting("muted") : nil
                _ = try table.restore(model.pending)
                // The service reports its newest part again.
                _ = try table.apply(InboxUpdate(changed: Array(model.reported.values), counts: model.counts))
            }
            model.endSnoozes()
            let expected = model.shown.filter { !$0.isArchived }.sorted { $0.sortTime > $1.sortTime }
            #expect(try table.list(.inbox, .init()) == expected, "step \(step)")
            let counts = try table.shownCounts()
            #expect(counts.unread == expected.count { $0.read == nil })
            #expect(counts.total == expected.count)
            #expect(counts.tabs == [expected.count { $0.read == nil && Self.ci.predicate.matches($0) }])
            #expect(counts.hiddenUnread == model.hidden)
        }
    }
}

/// An inbox as a dictionary.
private struct InboxModel {
    let tab: InboxPredicate
    var reported: [NotificationID: Notification] = [:]
    var pending: [InboxTable.Entry] = []
    var snoozes: [NotificationID: Snoozes.Snooze] = [:]
    var mutes = false

    init(tab: InboxPredicate) { self.tab = tab }

    var counts: Counts {
        let unread = reported.values.filter { $0.read == nil }
        return Counts(unread: unread.count, total: reported.count, tabs: ["ci": unread.count(where: tab.matches)])
    }

    var shown: [Notification] {
        reported.values.compactMap { row in
            var shown = pending.reduce(row as Notification?) { row, entry in
                let change = entry.change.change
                guard let row, change == .allRead || change.ids.contains(row.id) else { return row }
                return entry.change.applied(to: row, by: .sample)
            }
            shown?.snoozed = snoozes[row.id]?.until
            shown?.isMuted = mutes && row.category == "muted"
            return shown
        }
    }

    /// What is handled is not snoozed any more.
    mutating func endSnoozes() {
        for row in shown where snoozes[row.id]?.isHandled(row) == true { snoozes[row.id] = nil }
    }

    var hidden: [Int?: Int] {
        var hidden: [Int?: Int] = [:]
        for row in shown where row.read == nil && !row.isArchived && (row.snoozed != nil || row.isMuted) {
            hidden[nil, default: 0] += 1
            if tab.matches(row) { hidden[0, default: 0] += 1 }
        }
        // Those of which nothing but the id is known.
        let alone = snoozes.count { reported[$0.key] == nil && !$0.value.wasRead }
        if alone > 0 { hidden[nil, default: 0] += alone }
        return hidden
    }
}
