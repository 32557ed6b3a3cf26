package import ClientKit

/// Many clients lose one server in the same moment. What arrives at its door afterwards, by the policy itself.
package struct FleetSimulation: Sendable {
    /// How many there are.
    package var clients = 100_000
    /// The time in which the server accepts no connection.
    package var outage = Duration.zero
    /// How the connections end.
    package var cause = ReconnectPolicy.Cause.announced
    /// The clients notice the end at moments that are spread over so much time, as they do of a server that went
    /// silent.
    package var noticing = Duration.zero
    /// How many the server lets in each second; the others are turned away at once. nil: all.
    package var capacity: Int?
    package var seed: UInt64 = 1

    package init() {}

    /// The step of the simulated time, at most the shortest delay, so that no client arrives twice in one step.
    package static let step = ReconnectPolicy.shortestDelay
    private static let stepsInASecond = Int(.seconds(1) / step)

    package struct Result: Sendable {
        /// How many arrive in each step from the loss on, let in or not.
        package var arrivals: [Int] = []
        /// How many are let in in each step.
        package var admissions: [Int] = []
        fileprivate var clients = 0
        fileprivate var firstStep = 0

        /// The largest part of all clients that arrives within a second, wherever it begins, once the server is back.
        package var largestShare: Double { Self.most(of: arrivals[firstStep...]) / Double(clients) }

        /// The same while the server is away: 0 when it never is.
        package var largestShareDuringOutage: Double { Self.most(of: arrivals[..<firstStep]) / Double(clients) }

        /// When so large a part of the clients is in again, since the server is back.
        package func time(until share: Double) -> Duration? {
            var sum = 0
            for (index, count) in admissions.enumerated() {
                sum += count
                if Double(sum) >= share * Double(clients) { return FleetSimulation.step * (index + 1 - firstStep) }
            }
            return nil
        }

        /// How many arrive in each of the first so many seconds, once the server is back.
        package func arrivalsBySecond(_ seconds: Int) -> [Int] {
            (0..<seconds).map { second in
                arrivals.dropFirst(firstStep + second * stepsInASecond).prefix(stepsInASecond).reduce(0, +)
            }
        }

        private static func most(of counts: ArraySlice<Int>) -> Double {
            var (sum, most) = (0, 0)
            for (offset, count) in counts.enumerated() {
                sum += count
                if offset >= stepsInASecond { sum -= counts[counts.startIndex + offset - stepsInASecond] }
                most = max(most, sum)
            }
            return Double(most)
        }
    }

    /// The same for the same seed.
    package func run() -> Result {
        var random = Generator(state: seed)
        var result = Result(clients: clients, firstStep: Int((outage / Self.step).rounded(.up)))
        // The clients that arrive in a step, with what they remember.
        var steps: [[ReconnectPolicy]] = []
        func enter(_ client: ReconnectPolicy, at step: Int) {
            while steps.count <= step { steps.append([]) }
            steps[step].append(client)
        }
        for _ in 0..<clients {
            var client = ReconnectPolicy()
            let wait = client.delay(after: cause, uptime: .seconds(600), jitter: random.share())
            enter(client, at: Int((noticing * random.share() + wait) / Self.step))
        }
        var step = 0
        var admitted = 0
        while step < steps.count {
            if step.isMultiple(of: Self.stepsInASecond) { admitted = 0 }
            let here = steps[step]
            steps[step] = []
            result.arrivals.append(here.count)
            var place = step < result.firstStep ? 0 : capacity.map { max(0, $0 - admitted) } ?? here.count
            place = min(place, here.count)
            admitted += place
            result.admissions.append(place)
            for var client in here[place...] {
                let wait = client.delay(after: .failed, jitter: random.share())
                enter(client, at: step + max(1, Int(wait / Self.step)))
            }
            step += 1
        }
        return result
    }
}

/// SplitMix64: the same numbers in every run.
private struct Generator {
    var state: UInt64

    /// 0 to 1.
    mutating func share() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((mixed ^ (mixed >> 31)) >> 11) / Double(1 << 53)
    }
}
