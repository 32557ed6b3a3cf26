import TestSupport
import Testing

/// The engines alone, with several changes of the user at a time.
@Suite(.timeLimit(.minutes(5))) struct MirrorPropertyTests {
    @Test(
        "Whatever fails, SuprSend's mirror ends as the inbox, and each new notification arrives once",
        arguments: 0..<10 as Range<UInt64>
    ) func suprSend(group: UInt64) { Self.run(SuprSendMirror.self, group) }

    @Test(
        "Whatever fails, MagicBell's mirror ends as the inbox, and each new notification arrives once",
        arguments: 0..<30 as Range<UInt64>
    ) func magicBell(group: UInt64) { Self.run(MagicBellMirror.self, group) }

    private static func run<Mirror: SimulatedMirror>(_ mirror: Mirror.Type, _ group: UInt64) {
        for seed in (group * 20)..<(group * 20 + 20) {
            let user = DirectUser<Mirror>(seed: seed)
            var simulation = Simulation(user, faults: Fault.ofNetwork, seed: seed, now: simulationStart)
            simulation.live(steps: 250)
            simulation.settle()
            #expect(simulation.problems + simulation.system.problems == [], "seed \(seed)")
        }
    }
}
