import Testing

@testable import MagicBell

@Suite("Events, pages and actions in any order")
struct StorePropertyTests {
    @Test(
        "When everything has arrived, every fetched store has the lists and counts of the service",
        arguments: 0..<400 as Range<UInt64>
    )
    func convergence(seed: UInt64) {
        var simulation = StoreSimulation(seed: seed)
        for _ in 0..<3 {
            simulation.live(steps: 120)
            simulation.comeToRest()
            simulation.expectTruth()
        }
    }

    /// Without these events the other test would prove little.
    @Test("The simulation covers every event, answer and action") func coverage() {
        var covered: Set<String> = []
        for seed in 0..<60 as Range<UInt64> {
            var simulation = StoreSimulation(seed: seed)
            simulation.live(steps: 300)
            covered.formUnion(simulation.covered)
        }
        let expected: Set<String> = [
            "event created", "event read", "event unread", "event seen", "event archived", "event unarchived",
            "event deleted", "event allRead", "event allSeen", "start", "stop", "lost", "dispose", "failure",
            "page first", "page next", "counts", "item", "item missing", "action read", "action unread",
            "action seen", "action archived", "action unarchived", "deletion", "all read", "all seen",
        ]
        #expect(expected.subtracting(covered) == [])
    }
}
