import Testing

@testable import SuprSend

/// Anything may happen in any order, and answers may take any time: the feed holds together, and comes to agree with
/// the service.
@Suite struct FeedPropertyTests {
    /// Nothing is forced in the end: what is missing must have been noticed by the feed itself.
    @Test("The feed converges to the state of the service", arguments: 0..<120 as Range<UInt64>)
    func convergence(seed: UInt64) {
        var simulation = FeedSimulation(seed: seed)
        for _ in 0..<3 {
            simulation.live(steps: 150)
            simulation.comeToRest()
            simulation.expectTruth()
        }
    }

    @Test("A feed at rest keeps its rows and little else in memory") func memoryLimit() {
        var simulation = FeedSimulation(seed: 6)
        var most = 0
        for _ in 0..<40 {
            simulation.live(steps: 150)
            simulation.comeToRest()
            // At rest there is nothing to guard against and nothing to wait for: rows, visible and known, and a few
            // numbers.
            most = max(most, simulation.footprint)
        }
        #expect(simulation.announced.count > 150)
        #expect(most <= 2 * simulation.maximumRows + 20)
    }

    /// The other tests mean little if chance never brings these about.
    @Test("The simulation covers every event, answer and failure") func coverage() {
        var covered: Set<String> = []
        for seed in 0..<60 as Range<UInt64> {
            var simulation = FeedSimulation(seed: seed)
            simulation.live(steps: 300)
            covered.formUnion(simulation.covered)
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
    }
}
