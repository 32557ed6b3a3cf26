import Testing

@testable import Agent

@Suite struct HostPowerStateTests {
    /// A machine and its clocks, of which a test says what they do.
    private struct World {
        private(set) var clocks = ClockReading(wall: .seconds(1_000_000), awake: .seconds(100), total: .seconds(300))
        private var machine: HostPowerState

        init() { machine = HostPowerState(clocks: clocks) }

        /// An event, five seconds and a sleep after the last one; the clock was set meanwhile.
        mutating func meets(
            _ event: HostPowerState.Event,
            afterSleep asleep: Duration = .zero,
            set: Duration = .zero
        ) -> [HostPowerState.Effect] {
            let awake = Duration.seconds(5)
            clocks.awake += awake
            clocks.total += awake + asleep
            clocks.wall += awake + asleep + set
            return machine.receive(event, at: clocks)
        }
    }

    // MARK: Sleep

    @Test("An announced sleep suspends the accounts, and waking up reconnects them once") func announcedSleep() {
        var world = World()
        #expect(world.meets(.goingToSleep) == [.suspend])
        #expect(world.meets(.awake, afterSleep: .seconds(600)) == [.reconnectNow])
        #expect(world.meets(.clocksJumped) == [], "the same sleep")
        #expect(world.meets(.goingToSleep) == [.suspend])
        #expect(world.meets(.awake) == [.reconnectNow], "it did not come to sleep")
        #expect(world.meets(.awake) == [])
    }

    @Test("A clock jump before the wake-up signal reconnects once") func clocksFirst() {
        var world = World()
        _ = world.meets(.goingToSleep)
        #expect(world.meets(.clocksJumped, afterSleep: .seconds(600)) == [.reconnectNow])
        #expect(world.meets(.awake) == [], "the same sleep")
        _ = world.meets(.goingToSleep)
        #expect(
            world.meets(.network(.unavailable), afterSleep: .seconds(600)) == [
                .setNetworkUnavailable(true), .reconnectNow,
            ]
        )
        #expect(world.meets(.clocksJumped) == [])
        #expect(world.meets(.awake) == [])
    }

    @Test("An unannounced sleep is detected by the clocks") func unannouncedSleep() {
        var world = World()
        #expect(world.meets(.clocksJumped, afterSleep: .seconds(600)) == [.reconnectNow])
        #expect(world.meets(.clocksJumped) == [])
        #expect(world.meets(.clocksJumped, afterSleep: .milliseconds(999)) == [], "too short to break anything")
        #expect(world.meets(.clocksJumped, afterSleep: .milliseconds(1)) == [.reconnectNow])
        #expect(world.meets(.goingToSleep, afterSleep: .seconds(2)) == [.suspend], "another one follows at once")
        #expect(world.meets(.awake) == [.reconnectNow])
    }

    // MARK: The clock

    @Test(
        "A clock that is set is reported with its change",
        arguments: [Duration.seconds(3600), .seconds(-3600), .seconds(1)]
    ) func wallClockChange(_ change: Duration) {
        var world = World()
        #expect(world.meets(.clocksJumped, set: change) == [.wallClockChanged(by: change)])
        #expect(world.meets(.clocksJumped) == [])
        #expect(
            world.meets(.clocksJumped, afterSleep: .seconds(60), set: change) == [
                .wallClockChanged(by: change), .reconnectNow,
            ]
        )
        #expect(world.meets(.goingToSleep) == [.suspend])
        #expect(
            world.meets(.awake, afterSleep: .seconds(60), set: change) == [
                .wallClockChanged(by: change), .reconnectNow,
            ]
        )
    }

    @Test("Small steps of the clock add up to a reported change") func smallSteps() {
        var world = World()
        #expect(world.meets(.clocksJumped, set: .milliseconds(400)) == [])
        #expect(world.meets(.clocksJumped, set: .milliseconds(-300)) == [])
        #expect(world.meets(.clocksJumped, set: .milliseconds(900)) == [.wallClockChanged(by: .seconds(1))])
    }

    // MARK: The network

    @Test(
        "The network going away, coming back or changing its route has effects, other reports have none",
        arguments: [
            // The initial state is not a change, and an unknown state is ignored.
            ([.available(route: "a")], []),
            ([.available(route: "a"), .unknown, .available(route: "a")], []),
            ([.unknown, .unknown], []),
            ([.available(route: nil), .available(route: nil)], []),
            // Away and back.
            ([.unavailable], [.setNetworkUnavailable(true)]),
            ([.unavailable, .unavailable], [.setNetworkUnavailable(true)]),
            ([.unavailable, .unknown], [.setNetworkUnavailable(true), .setNetworkUnavailable(false)]),
            (
                [.unavailable, .available(route: nil)],
                [.setNetworkUnavailable(true), .setNetworkUnavailable(false), .reconnectNow]
            ),
            (
                [.available(route: "a"), .unavailable, .available(route: "a")],
                [.setNetworkUnavailable(true), .setNetworkUnavailable(false), .reconnectNow]
            ),
            // Another route, also after a source without route or no source in between.
            ([.available(route: "a"), .available(route: "b")], [.reconnectNow]),
            ([.available(route: "a"), .available(route: nil), .available(route: "a")], []),
            ([.available(route: "a"), .available(route: nil), .available(route: "b")], [.reconnectNow]),
            ([.available(route: "a"), .unknown, .available(route: "b")], [.reconnectNow]),
            // After a login page. An open connection stays.
            ([.limited(route: "a"), .limited(route: "a"), .available(route: "a")], [.retryNow]),
            ([.available(route: "a"), .limited(route: "a")], []),
            ([.limited(route: nil), .unknown, .available(route: nil), .available(route: nil)], [.retryNow]),
            ([.limited(route: "a"), .available(route: "b")], [.reconnectNow]),
            (
                [.unavailable, .limited(route: nil), .available(route: nil)],
                [.setNetworkUnavailable(true), .setNetworkUnavailable(false), .reconnectNow, .retryNow]
            ),
        ] as [([NetworkState], [HostPowerState.Effect])]
    )
    func networkStates(_ states: [NetworkState], _ effects: [HostPowerState.Effect]) {
        var world = World()
        #expect(states.flatMap { world.meets(.network($0)) } == effects)
    }

    @Test("Network changes during sleep take effect after it")
    func networkDuringSleep() {
        var world = World()
        _ = world.meets(.network(.available(route: "a")))
        _ = world.meets(.goingToSleep)
        #expect(world.meets(.network(.unavailable)) == [.setNetworkUnavailable(true)])
        #expect(
            world.meets(.network(.available(route: "b"))) == [.setNetworkUnavailable(false)],
            "not before it is awake"
        )
        #expect(world.meets(.awake) == [.reconnectNow])
        #expect(world.meets(.network(.available(route: "b"))) == [])
    }

    // MARK: Routes

    /// An attempt that is under way waits for what was away when it began.
    @Test("Changes of interfaces and routes have the connections checked, and after a new default route others begin")
    func routes() {
        func routes(_ gateway: String) -> DefaultRoutes {
            DefaultRoutes(v4: "wlan0 00000000 \(gateway) 0003 0 0 600 00000000 0 0 0", v6: "")
        }
        let none = DefaultRoutes(v4: "", v6: "")
        var world = World()
        #expect(world.meets(.routes(routes("0102A8C0"))) == [], "the first report")
        #expect(world.meets(.routes(routes("0102A8C0"))) == [.checkConnections(probes: false)])
        #expect(world.meets(.routes(routes("0103A8C0"))) == [.retryNow, .checkConnections(probes: true)])
        #expect(world.meets(.routes(none)) == [.checkConnections(probes: true)])
        #expect(world.meets(.routes(none)) == [.checkConnections(probes: false)], "an address")
        #expect(world.meets(.routes(routes("0103A8C0"))) == [.retryNow, .checkConnections(probes: true)])
        #expect(world.meets(.routes(routes("0103A8C0")), afterSleep: .seconds(60)) == [.reconnectNow])
        _ = world.meets(.goingToSleep)
        #expect(world.meets(.routes(routes("0104A8C0"))) == [], "there is no connection")
    }
}
