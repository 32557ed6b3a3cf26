import Basics
import FoundationEssentials
import TestSupport
import Testing

/// From the service to two faces, with each kind of fault: see ``WholeChain/problems``.
///
/// The seeds are others each time, of those of the long tests. FEEDBELL_SEED is the first one of any others.
@Suite(.timeLimit(.minutes(5))) struct WholeChainPropertyTests {
    private static let seeds: Range<UInt64> = {
        let given = ProcessInfo.processInfo.environment["FEEDBELL_SEED"].flatMap(UInt64.init)
        let first = given ?? .random(in: 0...975)
        print("WholeChainPropertyTests: FEEDBELL_SEED=\(first)")
        return first..<(first + 25)
    }()

    @Test(
        "At rest the faces show the service's list, each action was performed or rejected, each arrival popped up once",
        arguments: Fault.allCases,
        WholeChainRun.Service.allCases
    ) func law(fault: Fault, service: WholeChainRun.Service) {
        for seed in Self.seeds { service.expectLaw(fault, seed: seed) }
    }

    /// Without these faults the other test would prove little.
    @Test("The simulation has every fault, and a seed repeats it", arguments: WholeChainRun.Service.allCases)
    func coverage(service: WholeChainRun.Service) {
        var seen: Set<Fault> = []
        for seed in 0..<60 as Range<UInt64> { seen.formUnion(service.run(Set(Fault.allCases), seed: seed).faults) }
        #expect(Set(Fault.allCases).subtracting(seen) == [])
        #expect(service.run(Set(Fault.allCases), seed: 5) == service.run(Set(Fault.allCases), seed: 5))
    }
}

/// The same with more seeds.
@Suite(.timeLimit(.minutes(5))) struct WholeChainLongTests {
    @Test(
        "At rest the faces show the service's list, each action was performed or rejected, each arrival popped up once",
        arguments: Fault.allCases,
        WholeChainRun.Service.allCases
    ) func law(fault: Fault, service: WholeChainRun.Service) {
        for seed in 0..<1_000 as Range<UInt64> { service.expectLaw(fault, seed: seed) }
    }
}

/// What a simulation of the whole chain came to.
struct WholeChainRun: Equatable {
    var problems: [String]
    var faults: Set<Fault>
    /// When it came to rest.
    var end: Timestamp

    enum Service: Sendable, CaseIterable {
        case suprSend, magicBell

        /// Runs a simulation with these faults.
        func run(_ faults: Set<Fault>, seed: UInt64) -> WholeChainRun {
            switch self {
            case .suprSend: WholeChainRun.run(WholeChain<SuprSendMirror>(seed: seed), faults, seed: seed)
            case .magicBell: WholeChainRun.run(WholeChain<MagicBellMirror>(seed: seed), faults, seed: seed)
            }
        }

        /// Half of the seeds have this fault alone, with late events and answers; the others have two thirds of the
        /// other faults, too.
        func expectLaw(_ fault: Fault, seed: UInt64) {
            var faults: Set<Fault> = [fault]
            if seed % 2 == 0 {
                faults.formUnion([.lateEvents, .lateAnswers])
            } else {
                var chance = SeededGenerator(seed: seed)
                for other in Fault.allCases where Int.random(in: 0..<3, using: &chance) > 0 { faults.insert(other) }
            }
            let problems = run(faults, seed: seed).problems
            #expect(problems == [], "fault \(fault), service \(self), seed \(seed)")
        }
    }

    private static func run<Mirror: SimulatedMirror>(
        _ chain: WholeChain<Mirror>,
        _ faults: Set<Fault>,
        seed: UInt64
    ) -> WholeChainRun {
        var simulation = Simulation(chain, faults: faults, seed: seed, now: simulationStart)
        var problems: [String] = []
        for _ in 0..<2 where problems.isEmpty {
            simulation.live(steps: 35)
            simulation.settle()
            simulation.system.settleFaces()
            problems = simulation.problems + simulation.system.problems
        }
        return WholeChainRun(problems: problems, faults: simulation.faultsSeen, end: simulation.now)
    }
}
