import ClientKit
import FleetSimulation
import Testing

/// What ``Reconnect`` states of a fleet.
struct FleetTests {
    private static let statedShare = 0.06

    /// In seconds. The last one is long enough for the waits to be spread evenly, so fewer clients show it.
    @Test(arguments: [(0, 100_000), (10, 100_000), (29, 100_000), (31, 100_000), (45, 100_000), (600, 20_000)])
    func noSecondSeesMoreThanItsShare(outage: Int, clients: Int) {
        var fleet = FleetSimulation()
        fleet.outage = .seconds(outage)
        fleet.clients = clients
        let result = fleet.run()
        #expect(result.admissions.reduce(0, +) == clients, "all are in again")
        #expect(result.largestShare <= Self.statedShare)
        #expect(result.largestShareDuringOutage <= Self.statedShare)
    }

    /// The price of it for one that was put out alone.
    @Test func howSoonOneIsBack() {
        let result = FleetSimulation().run()
        #expect(result.time(until: 0.5).map { .seconds(14.8) ... .seconds(15.3) ~= $0 } == true)
        #expect(result.time(until: 1).map { $0 <= .seconds(30) } == true)
    }

    /// Those who are turned away do not come back sooner.
    @Test func aServerThatLetsInFew() {
        var fleet = FleetSimulation()
        fleet.capacity = 2000
        let result = fleet.run()
        #expect(result.admissions.reduce(0, +) == 100_000, "all are in again")
        #expect(result.largestShare <= Self.statedShare)
    }

    /// A server that lost its power is missed when its ping does not come, which is at another time for everybody.
    @Test func silence() {
        var fleet = FleetSimulation()
        (fleet.cause, fleet.noticing) = (.lost, .seconds(25))
        #expect(fleet.run().largestShare <= Self.statedShare)
    }

    /// That the simulation can tell: with the short window for everybody, nearly all come at once.
    @Test func theShortWindowWouldNotDo() {
        var fleet = FleetSimulation()
        fleet.cause = .lost
        #expect(fleet.run().largestShare > 0.99)
    }
}
