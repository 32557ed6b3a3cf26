import Desktop
import Testing

@testable import Agent

@Suite struct MachineTests {
    /// A machine and its clocks, of which a test says what they do.
    private struct World {
        private(set) var clocks = ClockReading(wall: .seconds(1_000_000), awake: .seconds(100), total: .seconds(300))
        private var machine: Machine

        init() { machine = Machine(clocks: clocks) }

        /// An event, five seconds and a sleep after the last one; the clock was set meanwhile.
        mutating func meets(
            _ event: Machine.Event,
            afterSleep asleep: Duration = .zero,
            set: Duration = .zero
        ) -> [Machine.Effect] {
            let awake = Duration.seconds(5)
            clocks.awake += awake
            clocks.total += awake + asleep
            clocks.wall += awake + asleep + set
            return machine.receive(event, at: clocks)
        }
    }

    // MARK: Sleep

    @Test func anAnnouncedSleep() {
        var world = World()
        #expect(world.meets(.goingToSleep) == [.suspend])
        #expect(world.meets(.awake, afterSleep: .seconds(600)) == [.connectAnew])
        #expect(world.meets(.clocksJumped) == [], "the same sleep")
        #expect(world.meets(.goingToSleep) == [.suspend])
        #expect(world.meets(.awake) == [.connectAnew], "it did not come to sleep")
        #expect(world.meets(.awake) == [])
    }

    @Test func theClocksTellFirst() {
        var world = World()
        _ = world.meets(.goingToSleep)
        #expect(world.meets(.clocksJumped, afterSleep: .seconds(600)) == [.connectAnew])
        #expect(world.meets(.awake) == [], "the same sleep")
        _ = world.meets(.goingToSleep)
        #expect(world.meets(.network(.unavailable), afterSleep: .seconds(600)) == [.networkIsAway(true), .connectAnew])
        #expect(world.meets(.clocksJumped) == [])
        #expect(world.meets(.awake) == [])
    }

    @Test func aSleepThatNobodyAnnounced() {
        var world = World()
        #expect(world.meets(.clocksJumped, afterSleep: .seconds(600)) == [.connectAnew])
        #expect(world.meets(.clocksJumped) == [])
        #expect(world.meets(.clocksJumped, afterSleep: .milliseconds(999)) == [], "too short to break anything")
        #expect(world.meets(.clocksJumped, afterSleep: .milliseconds(1)) == [.connectAnew])
        #expect(world.meets(.goingToSleep, afterSleep: .seconds(2)) == [.suspend], "another one follows at once")
        #expect(world.meets(.awake) == [.connectAnew])
    }

    // MARK: The clock

    @Test(arguments: [Duration.seconds(3600), .seconds(-3600), .seconds(1)]) func theClockIsSet(_ change: Duration) {
        var world = World()
        #expect(world.meets(.clocksJumped, set: change) == [.clockWasSet(by: change)])
        #expect(world.meets(.clocksJumped) == [])
        #expect(
            world.meets(.clocksJumped, afterSleep: .seconds(60), set: change) == [
                .clockWasSet(by: change), .connectAnew,
            ]
        )
        #expect(world.meets(.goingToSleep) == [.suspend])
        #expect(world.meets(.awake, afterSleep: .seconds(60), set: change) == [.clockWasSet(by: change), .connectAnew])
    }

    @Test func smallStepsAddUp() {
        var world = World()
        #expect(world.meets(.clocksJumped, set: .milliseconds(400)) == [])
        #expect(world.meets(.clocksJumped, set: .milliseconds(-300)) == [])
        #expect(world.meets(.clocksJumped, set: .milliseconds(900)) == [.clockWasSet(by: .seconds(1))])
    }

    // MARK: The network

    @Test(
        arguments: [
            // What is known at first is no news, and what is unknown tells nothing.
            ([.available(route: "a")], []),
            ([.available(route: "a"), .unknown, .available(route: "a")], []),
            ([.unknown, .unknown], []),
            ([.available(route: nil), .available(route: nil)], []),
            // Away and back.
            ([.unavailable], [.networkIsAway(true)]),
            ([.unavailable, .unavailable], [.networkIsAway(true)]),
            ([.unavailable, .unknown], [.networkIsAway(true), .networkIsAway(false)]),
            (
                [.unavailable, .available(route: nil)],
                [.networkIsAway(true), .networkIsAway(false), .connectAnew]
            ),
            (
                [.available(route: "a"), .unavailable, .available(route: "a")],
                [.networkIsAway(true), .networkIsAway(false), .connectAnew]
            ),
            // Another way, also when a source that names none or nobody at all was heard in between.
            ([.available(route: "a"), .available(route: "b")], [.connectAnew]),
            ([.available(route: "a"), .available(route: nil), .available(route: "a")], []),
            ([.available(route: "a"), .available(route: nil), .available(route: "b")], [.connectAnew]),
            ([.available(route: "a"), .unknown, .available(route: "b")], [.connectAnew]),
        ] as [([NetworkState], [Machine.Effect])]
    )
    func network(_ states: [NetworkState], _ effects: [Machine.Effect]) {
        var world = World()
        #expect(states.flatMap { world.meets(.network($0)) } == effects)
    }

    @Test func theNetworkWhileTheMachineSleeps() {
        var world = World()
        _ = world.meets(.network(.available(route: "a")))
        _ = world.meets(.goingToSleep)
        #expect(world.meets(.network(.unavailable)) == [.networkIsAway(true)])
        #expect(world.meets(.network(.available(route: "b"))) == [.networkIsAway(false)], "not before it is awake")
        #expect(world.meets(.awake) == [.connectAnew])
        #expect(world.meets(.network(.available(route: "b"))) == [])
    }
}
