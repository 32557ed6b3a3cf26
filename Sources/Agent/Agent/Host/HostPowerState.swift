import Inbox

/// Suspend, resume, clock changes and network state of the host, and their effects on the connections to services.
///
/// Each of two sources detects a suspend without the other: logind's `PrepareForSleep`, and the clocks afterwards. The
/// clocks are read at every event, and whichever source detects a resume first, each connection is reopened once.
struct HostPowerState: Sendable, Equatable {
    enum Event: Sendable, Equatable {
        /// The host suspends as soon as the effects are performed.
        case goingToSleep
        case awake
        /// The wall clock jumped: it was set, or the host was suspended.
        case clocksJumped
        case network(NetworkState)
        /// Interfaces, addresses or routes have changed; the default routes are these.
        case routes(DefaultRoutes)
    }

    enum Effect: Sendable, Equatable {
        /// Close all connections, and open none until ``reconnectNow``.
        case suspend
        /// Reopen all connections: they are closed, or probably broken without an error.
        case reconnectNow
        /// Find out which connections are broken without an error, and reopen all if there is one. `probes`: ask those
        /// that seem to work for a sign of life.
        case checkConnections(probes: Bool)
        /// Make an attempt to connect now, where there is no connection, instead of one that is under way: that one
        /// waits for what was away when it began.
        case retryNow
        /// The wall clock was set forward by this time; negative: back.
        case wallClockChanged(by: Duration)
        /// Whether the network is reported as unavailable.
        case setNetworkUnavailable(Bool)
    }

    /// The minimum suspend time and clock change with an effect. Shorter ones break no connection.
    static let threshold = Duration.seconds(1)

    private var clocks: ClockReading
    private var isAsleep = false
    private var isNetworkUnavailable = false
    private var isNetworkLimited = false
    /// The last known route to the network.
    private var route: String?
    private var defaultRoutes: DefaultRoutes?

    init(clocks: ClockReading) { self.clocks = clocks }

    /// Handles an event.
    ///
    /// - Parameter now: The clocks at this moment.
    mutating func receive(_ event: Event, at now: ClockReading) -> [Effect] {
        let hasSlept = now.slept(since: clocks) >= Self.threshold
        let set = now.set(since: clocks)
        var effects: [Effect] = []
        if abs(set) >= Self.threshold { effects.append(.wallClockChanged(by: set)) }
        // Changes below the threshold accumulate.
        if hasSlept || !effects.isEmpty { clocks = now }
        if hasSlept { isAsleep = false }
        switch event {
        case .goingToSleep:
            isAsleep = true
            return effects + [.suspend]
        case .awake:
            let wasAsleep = isAsleep
            isAsleep = false
            return effects + (hasSlept || wasAsleep ? [.reconnectNow] : [])
        case .clocksJumped:
            return effects + (hasSlept ? [.reconnectNow] : [])
        case .network(let state):
            let (wasUnavailable, wasLimited) = (isNetworkUnavailable, isNetworkLimited)
            let isNew = update(reported: state)
            let isOpen = if case .available = state { wasLimited } else { false }
            if isNetworkUnavailable != wasUnavailable {
                effects.append(.setNetworkUnavailable(isNetworkUnavailable))
            }
            if hasSlept || isNew && !isAsleep { return effects + [.reconnectNow] }
            return effects + (isOpen && !isAsleep ? [.retryNow] : [])
        case .routes(let new):
            let old = defaultRoutes
            defaultRoutes = new
            if hasSlept { return effects + [.reconnectNow] }
            guard let old, !isAsleep else { return effects }
            return effects + (new.hasRoute(notIn: old) ? [.retryNow] : []) + [.checkConnections(probes: new != old)]
        }
    }

    /// Returns whether the network is available by a new route, or again.
    private mutating func update(reported state: NetworkState) -> Bool {
        switch state {
        case .unknown:
            isNetworkUnavailable = false
            return false
        case .unavailable:
            isNetworkUnavailable = true
            return false
        case .limited(let new), .available(let new):
            isNetworkLimited = if case .limited = state { true } else { false }
            let isBack = isNetworkUnavailable
            isNetworkUnavailable = false
            guard let new else { return isBack }
            defer { route = new }
            return isBack || route != nil && new != route
        }
    }
}

private func abs(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }

extension InboxService {
    func perform(_ effect: HostPowerState.Effect) async {
        switch effect {
        case .suspend: await suspend()
        case .reconnectNow: await reconnectNow()
        case .checkConnections, .retryNow: break
        case .wallClockChanged(let change): await wallClockChanged(by: change)
        case .setNetworkUnavailable(let isAway): await setNetworkUnavailable(isAway)
        }
    }
}
