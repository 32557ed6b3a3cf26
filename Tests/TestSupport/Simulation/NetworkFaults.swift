package import Basics
import SeededRandom

/// Decides from a seed what happens to each event and each request on their way.
package struct NetworkFaults: Sendable {
    /// What happens to a request.
    package enum Fate: Equatable, Sendable {
        case answered
        case failed(RequestFailure, isPerformed: Bool)
    }

    package let kinds: Set<Fault>
    private var chance: SeededGenerator
    /// All requests fail until then.
    private var outage: (failure: RequestFailure, end: Timestamp)?

    package init(_ kinds: Set<Fault>, seed: UInt64) {
        self.kinds = kinds
        chance = SeededGenerator(seed: ~seed)
    }

    package func contains(_ fault: Fault) -> Bool { kinds.contains(fault) }

    /// The number of times that an event arrives.
    package mutating func copies() -> Int { contains(.doubledEvents) && oneIn(5) ? 2 : 1 }

    /// Whether the service keeps the events of a connection that is lost now.
    package mutating func keepsEvents() -> Bool { contains(.drops) && !(contains(.lostEvents) && oneIn(2)) }

    /// Whether a connection that fails now does so without a word.
    package mutating func isSilentDrop() -> Bool {
        contains(.silentDrops) && (kinds.isDisjoint(with: [.drops, .lostEvents]) || oneIn(2))
    }

    /// For a while, all requests fail in this way.
    package mutating func beginOutage(_ fault: Fault, now: Timestamp) {
        let length = Int64.random(in: 200...4_000, using: &chance)
        let failure: RequestFailure =
            switch fault {
            case .gatewayErrors: .gateway(status: oneIn(2) ? 502 : 504)
            case .rateLimits: .rateLimited(retryAfter: .milliseconds(length))
            default: .unauthorized
            }
        outage = (failure, now.advanced(milliseconds: length))
    }

    package mutating func endOutage() { outage = nil }

    /// Whether the client is let in.
    package func isAuthorized(at now: Timestamp) -> Bool {
        if let outage, outage.failure == .unauthorized { outage.end <= now } else { true }
    }

    /// What happens to a request that arrives now.
    package mutating func fate(at now: Timestamp) -> Fate {
        if let outage, now < outage.end {
            return .failed(outage.failure, isPerformed: outage.failure == .gateway(status: 504) && oneIn(2))
        }
        if contains(.refusals), oneIn(12) { return .failed(.refused, isPerformed: false) }
        if contains(.lostAnswers), oneIn(8) { return .failed(.broken, isPerformed: oneIn(2)) }
        return .answered
    }

    private mutating func oneIn(_ number: Int) -> Bool { Int.random(in: 0..<number, using: &chance) == 0 }
}
