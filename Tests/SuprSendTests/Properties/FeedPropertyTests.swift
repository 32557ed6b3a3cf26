import TestSupport
import Testing

@testable import SuprSend

/// Events in any order and answers after any time: the invariants of the feed hold, and it converges to the service.
@Suite struct FeedPropertyTests {
    /// With half of the seeds nothing fails and no connection is lost, so that nothing is ever loaded again to hide a
    /// mistake.
    private static func simulation(seed: UInt64) -> Simulation<SimulatedFeed> {
        let faults: Set<Fault> =
            seed % 2 == 0 ? [.doubledEvents, .lateEvents, .lateAnswers, .otherDevice] : Fault.ofNetwork
        return Simulation(SimulatedFeed(seed: seed), faults: faults, seed: seed, now: base)
    }

    /// No load is forced at the end: the feed must detect by itself what it lacks.
    @Test("The feed converges to the state of the service", arguments: 0..<120 as Range<UInt64>)
    func convergence(seed: UInt64) {
        var simulation = Self.simulation(seed: seed)
        for _ in 0..<3 {
            simulation.live(steps: 150)
            simulation.settle(afterGap: simulation.system.isSilent ? SimulatedFeed.lifetime : nil)
            simulation.system.expectTruth(now: simulation.now, "seed \(seed)")
            #expect(simulation.problems == [] && simulation.isIdle, "seed \(seed)")
        }
    }

    @Test("A feed at rest keeps its rows and little else in memory") func memoryLimit() {
        var simulation = Self.simulation(seed: 6)
        var most = 0
        for _ in 0..<40 {
            simulation.live(steps: 150)
            simulation.settle()
            // At rest there is nothing to guard against and nothing to wait for: rows, known and visible, their places,
            // and a few numbers.
            most = max(most, simulation.system.footprint)
        }
        #expect(simulation.system.announced.counts.count > 150)
        #expect(most <= 3 * simulation.system.maximumRows + 20)
    }

    /// Without these events the other tests would prove little.
    @Test("The simulation covers every event, answer and failure") func coverage() {
        var covered: Set<String> = []
        var faults: Set<Fault> = []
        for seed in 0..<60 as Range<UInt64> {
            var simulation = Self.simulation(seed: seed)
            simulation.live(steps: 300)
            covered.formUnion(simulation.system.covered)
            faults.formUnion(simulation.faultsSeen)
        }
        let expected: Set<String> = [
            "newNotification", "notificationUpdate", "allRead", "seen", "badgeReset", "joined", "recovered",
            "suspended",
            "store All", "store Unread", "store Promo", "store Archive", "failed load", "failed scan", "failed count",
            "failed details", "failed row", "failed action", "page first applied", "page first otherStore",
            "page next applied", "page next outdated", "page next otherStore", "page again applied",
            "page again otherStore",
        ]
        #expect(expected.subtracting(covered) == [])
        #expect(Fault.ofNetwork.subtracting(faults) == [])
    }
}
