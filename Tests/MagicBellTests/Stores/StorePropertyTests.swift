import TestSupport
import Testing

@testable import MagicBell

@Suite("Events, pages and actions in any order")
struct StorePropertyTests {
    /// A third of the connections last, so that nothing is ever loaded again to hide a mistake; and with half of the
    /// seeds no request fails.
    private static func simulation(seed: UInt64) -> Simulation<SimulatedStores> {
        var faults = Set(Fault.allCases)
        if seed % 3 == 0 { faults.subtract([.drops, .silentDrops, .lostEvents, .tokenChanges, .suspensions, .kills]) }
        if seed % 2 == 0 { faults.subtract([.refusals, .lostAnswers, .gatewayErrors, .rateLimits, .tokenChanges]) }
        return Simulation(SimulatedStores(seed: seed), faults: faults, seed: seed, now: base)
    }

    @Test(
        "When everything has arrived, every fetched store has the lists and counts of the service",
        arguments: 0..<400 as Range<UInt64>
    )
    func convergence(seed: UInt64) {
        var simulation = Self.simulation(seed: seed)
        for _ in 0..<3 {
            simulation.live(steps: 120)
            simulation.settle()
            simulation.system.expectTruth("seed \(seed)")
            #expect(simulation.problems == [], "seed \(seed)")
        }
    }

    /// Without these events the other test would prove little.
    @Test("The simulation covers every event, answer and action") func coverage() {
        var covered: Set<String> = []
        var faults: Set<Fault> = []
        for seed in 0..<60 as Range<UInt64> {
            var simulation = Self.simulation(seed: seed)
            simulation.live(steps: 300)
            covered.formUnion(simulation.system.covered)
            faults.formUnion(simulation.faultsSeen)
        }
        let expected: Set<String> = [
            "event created", "event read", "event unread", "event seen", "event archived", "event unarchived",
            "event deleted", "event allRead", "event allSeen", "start", "stop", "killed", "lost", "dispose", "failure",
            "page first", "page next", "counts", "item", "item missing", "action read", "action unread",
            "action seen", "action archived", "action unarchived", "deletion", "all read", "all seen",
        ]
        #expect(expected.subtracting(covered) == [])
        #expect(Set(Fault.allCases).subtracting(faults) == [])
    }
}
