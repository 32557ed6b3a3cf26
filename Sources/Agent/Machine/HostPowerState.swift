import Desktop

/// What happens to the machine, and what that means for the links to the services: an event in, effects out.
///
/// A sleep is known in two ways, and each must do without the other: logind announces its beginning and its end, and the clocks show
/// it afterwards. So the clocks are read at every event; whichever tells first of the end of a sleep, the links are made
/// anew once.
struct HostPowerState: Sendable, Equatable {
    enum Event: Sendable, Equatable {
        /// The machine sleeps as soon as the effects are performed.
        case goingToSleep
        case awake
        /// The wall clock jumped: it was set, or the machine slept.
        case clocksJumped
        case network(NetworkState)
    }

    enum Effect: Sendable, Equatable {
        /// Close every link and stay away.
        case suspend
        /// Make every link anew, now: there is none, or it is likely to be dead without knowing it.
        case reconnectNow
        /// The wall clock was put forward, or back, by so much.
        case wallClockChanged(by: Duration)
        /// Whether there is said to be no network.
        case setNetworkUnavailable(Bool)
    }

    /// Shorter sleeps break no connection, and smaller steps of the clock change nothing that counts in seconds.
    static let threshold = Duration.seconds(1)

    private var clocks: ClockReading
    private var isAsleep = false
    private var isNetworkAway = false
    /// The last known way to the network.
    private var route: String?

    init(clocks: ClockReading) { self.clocks = clocks }

    /// Takes in an event.
    ///
    /// - Parameter now: The clocks at this moment.
    mutating func receive(_ event: Event, at now: ClockReading) -> [Effect] {
        let hasSlept = now.slept(since: clocks) >= Self.threshold
        let set = now.set(since: clocks)
        var effects: [Effect] = []
        if abs(set) >= Self.threshold { effects.append(.wallClockChanged(by: set)) }
        // What is too little to count adds up.
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
            let wasAway = isNetworkAway
            let isNew = takeIn(state)
            if isNetworkAway != wasAway { effects.append(.setNetworkUnavailable(isNetworkAway)) }
            return effects + (hasSlept || isNew && !isAsleep ? [.reconnectNow] : [])
        }
    }

    /// Whether this is a way to the network that was not there before.
    private mutating func takeIn(_ state: NetworkState) -> Bool {
        switch state {
        case .unknown:
            isNetworkAway = false
            return false
        case .unavailable:
            isNetworkAway = true
            return false
        case .available(let new):
            let isBack = isNetworkAway
            isNetworkAway = false
            guard let new else { return isBack }
            defer { route = new }
            return isBack || route != nil && new != route
        }
    }
}

private func abs(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }
