/// Decides which reports the service manager gets: each status once, and none after the end has begun.
struct ServiceReports: Equatable, Sendable {
    enum Event: Equatable, Sendable {
        /// The bus name is owned.
        case ready
        /// The present status, changed or not.
        case status(String)
        /// The configuration is being read, at this time of `CLOCK_MONOTONIC`.
        case reloading(since: Duration)
        /// The configuration was read, or rejected.
        case reloaded
        case stopping
    }

    private enum Phase { case starting, running, reloading, stopping }

    private var phase = Phase.starting
    private var status = ""

    mutating func receive(_ event: Event) -> [ServiceNotification] {
        switch (phase, event) {
        case (.stopping, _): return []
        case (_, .stopping):
            phase = .stopping
            return [.stopping]
        case (_, .status(let new)):
            guard new != status else { return [] }
            status = new
            return [.status(new)]
        case (.starting, .ready), (.reloading, .reloaded):
            phase = .running
            return [.ready]
        case (.running, .reloading(let time)):
            phase = .reloading
            return [.reloading(since: time)]
        case (.starting, _), (.running, _), (.reloading, _): return []
        }
    }
}
