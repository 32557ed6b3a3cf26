package import ClientKit
import SeededRandom

/// The connections that a server receives after all its clients lost it in the same moment, by ``ReconnectPolicy``.
package struct FleetSimulation: Sendable {
    package var clients = 100_000
    /// The time in which the server accepts no connection.
    package var outage = Duration.zero
    /// How the connections end.
    package var cause = ReconnectPolicy.Cause.announced
    /// The clients detect the end at times that are spread evenly over this duration, as with a server that stops
    /// answering pings.
    package var noticing = Duration.zero
    /// The connections that the server accepts per second; it refuses the others at once. nil: unlimited.
    package var capacity: Int?
    /// The server loses all its connections again and again, with this time in between; nil: only once.
    package var interval: Duration?
    /// How often it loses them, with an ``interval``.
    package var losses = 20
    package var seed: UInt64 = 1

    package init() {}

    /// The step of the simulated time, at most the shortest delay, so that no client arrives twice in one step.
    package static let step = ReconnectPolicy.shortestDelay
    private static let stepsInASecond = Int(.seconds(1) / step)

    package struct Result: Sendable {
        /// The connections in each step from the loss on, accepted or refused.
        package var arrivals: [Int] = []
        /// The accepted connections in each step.
        package var admissions: [Int] = []
        /// The average delay before an attempt.
        package var averageDelay: Duration { delays / max(1, attempts) }
        fileprivate var clients = 0
        fileprivate var firstStep = 0
        fileprivate var delays = Duration.zero
        fileprivate var attempts = 0

        /// The largest part of all clients that arrives within one second after the outage.
        package var largestShare: Double { Self.most(of: arrivals[firstStep...]) / Double(clients) }

        /// The largest part of all clients that arrives within one second during the outage; 0 without one.
        package var largestShareDuringOutage: Double { Self.most(of: arrivals[..<firstStep]) / Double(clients) }

        /// The time from the end of the outage until this part of the clients is accepted; nil: never.
        package func time(until share: Double) -> Duration? {
            var sum = 0
            for (index, count) in admissions.enumerated() {
                sum += count
                if Double(sum) >= share * Double(clients) { return FleetSimulation.step * (index + 1 - firstStep) }
            }
            return nil
        }

        /// The arrivals in each of the first seconds after the outage.
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

    /// The result is the same for the same seed.
    package func run() -> Result {
        var random = SeededGenerator(seed: seed)
        var result = Result(clients: clients, firstStep: Int((outage / Self.step).rounded(.up)))
        // The clients that arrive in each step, with their state.
        var steps: [[ReconnectPolicy]] = []
        // The connected clients, with the step of their connection, if they lose it again.
        var connected: [(client: ReconnectPolicy, since: Int)] = []
        func enter(_ client: ReconnectPolicy, at step: Int, after delay: Duration) {
            result.delays += delay
            result.attempts += 1
            while steps.count <= step { steps.append([]) }
            steps[step].append(client)
        }
        for _ in 0..<clients {
            var client = ReconnectPolicy()
            let wait = client.delay(after: cause, uptime: .seconds(600), jitter: random.share())
            enter(client, at: Int((noticing * random.share() + wait) / Self.step), after: wait)
        }
        let period = interval.map { max(1, Int($0 / Self.step)) }
        let lastLoss = (period ?? 0) * (losses - 1)
        var step = 0
        var admitted = 0
        while step < steps.count || step <= lastLoss {
            if step == steps.count { steps.append([]) }
            if let period, step > 0, step <= lastLoss, step.isMultiple(of: period) {
                for (var client, since) in connected {
                    let wait = client.delay(after: cause, uptime: Self.step * (step - since), jitter: random.share())
                    enter(client, at: step + max(1, Int(wait / Self.step)), after: wait)
                }
                connected = []
            }
            if step.isMultiple(of: Self.stepsInASecond) { admitted = 0 }
            let here = steps[step]
            steps[step] = []
            result.arrivals.append(here.count)
            var place = step < result.firstStep ? 0 : capacity.map { max(0, $0 - admitted) } ?? here.count
            place = min(place, here.count)
            admitted += place
            result.admissions.append(place)
            if interval != nil { connected += here[..<place].map { ($0, step) } }
            for var client in here[place...] {
                let wait = client.delay(after: .failed, jitter: random.share())
                enter(client, at: step + max(1, Int(wait / Self.step)), after: wait)
            }
            step += 1
        }
        return result
    }
}

extension SeededGenerator {
    /// 0 to 1, without 1.
    fileprivate mutating func share() -> Double { Double(next() >> 11) / Double(1 << 53) }
}
