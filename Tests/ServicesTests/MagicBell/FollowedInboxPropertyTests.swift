import Basics
import Inbox
import MagicBell
import ServiceModels
import Testing

@testable import Services

@Suite(.timeLimit(.minutes(5))) struct FollowedInboxPropertyTests {
    @Test(
        "Whatever is lost, delayed or fails: the inbox ends as the service's, and each new notification arrives once",
        arguments: 0..<30 as Range<UInt64>
    ) func convergence(group: UInt64) {
        for seed in (group * 20)..<(group * 20 + 20) {
            var simulation = InboxSimulation(seed: seed)
            simulation.run(steps: 250)
            let (view, service) = (simulation.view, simulation.service)
            #expect(view.problems.isEmpty, "seed \(seed)")
            // The newest part has no gaps and is up to date, except for the times of changes, which events do not tell.
            let list = service.list()
            let expected = view.hasMore ? Array(list.prefix(view.rows.count)) : list
            #expect(Set(view.rows.keys.map(\.rawValue)) == Set(expected.map(\.id)), "seed \(seed)")
            for row in expected {
                let shown = view.rows[NotificationID(row.id)]
                #expect((shown?.read != nil) == row.isRead, "seed \(seed): \(row.id)")
                #expect((shown?.seen != nil) == row.isSeen, "seed \(seed): \(row.id)")
            }
            let counts = service.counts(of: StorePredicate())
            #expect(view.counts.unread == counts.unread, "seed \(seed)")
            if simulation.pagesHaveCounts {
                #expect(view.counts.unseen == counts.unseen, "seed \(seed)")
                #expect(view.counts.badge == counts.unseen, "seed \(seed)")
                #expect(view.counts.total == counts.total, "seed \(seed)")
            }
            if simulation.hasTabs {
                #expect(view.counts.tabs["unread"] == counts.unread, "seed \(seed)")
                let unread = service.counts(of: StorePredicate(categories: ["ci"])).unread
                #expect(view.counts.tabs["ci"] == unread, "seed \(seed)")
            }

            let arrivals = Set(view.arrivals.map(\.rawValue))
            #expect(simulation.fresh.subtracting(arrivals).isEmpty, "seed \(seed)")
            // None that existed before.
            #expect(arrivals.isDisjoint(with: simulation.old), "seed \(seed)")
            let newest = list.first?.sent ?? 0
            #expect(view.caughtUp.map { $0 >= newest } == true, "seed \(seed)")
        }
    }
}
