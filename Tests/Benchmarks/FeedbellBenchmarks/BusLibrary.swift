import CBaseline
import DBus
import FoundationEssentials

/// Our bus library beside plain libdbus.
struct BusLibrary {
    /// How often each is measured; the best counts, since everything that disturbs makes it slower.
    static let rounds = 3

    let isQuick: Bool

    func measure(into table: Table) async throws {
        let calls = isQuick ? 2_000 : 20_000
        let signals = isQuick ? 5_000 : 50_000
        let address = ProcessInfo.processInfo.environment["DBUS_SESSION_BUS_ADDRESS"] ?? ""
        var best = (calls: 0.0, plainCalls: 0.0, signals: 0.0, plainSignals: 0.0)
        for _ in 0..<Self.rounds {
            best.plainCalls = max(best.plainCalls, Double(calls) / cbaseline_round_trips(address, Int32(calls)))
            best.calls = max(best.calls, Double(calls) / (try await roundTrips(calls) / .seconds(1)))
            best.plainSignals = max(best.plainSignals, Double(signals) / cbaseline_signals(address, Int32(signals)))
            best.signals = max(best.signals, Double(signals) / (try await received(signals) / .seconds(1)))
        }
        try add("round trips (`Ping` to the bus), one after the other", best.calls, best.plainCalls, table)
        try add("signals from one connection to another", best.signals, best.plainSignals, table)
    }

    private func add(_ what: String, _ own: Double, _ plain: Double, _ table: Table) throws {
        let (figure, other) = (Figure(own, .perSecond), Figure(plain, .perSecond))
        try table.add(
            "DBus library: \(what), best of \(Self.rounds)",
            figure,
            beside: "plain libdbus: \(other.text) (\(Figure.ratio(figure, to: other).text))"
        )
    }

    private func roundTrips(_ count: Int) async throws -> Duration {
        let bus = try await Bus.connect(to: .session)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await bus.run() }
            let proxy = Proxy(bus, .bus, BusInterface.path)
            let start = ContinuousClock.now
            for _ in 0..<count { try await proxy.call(PeerInterface.ping) }
            let duration = start.duration(to: .now)
            await bus.close()
            try await group.waitForAll()
            return duration
        }
    }

    private func received(_ count: Int) async throws -> Duration {
        let (sender, receiver) = (try await Bus.connect(to: .session), try await Bus.connect(to: .session))
        let rule = MatchRule(interface: Ticking.name)
        let signals = try await receiver.signals(matching: rule, buffering: .unbounded)
        let start = ContinuousClock.now
        async let sending: Void = {
            for index in 0..<UInt32(count) { try await sender.emit(Ticking.tick, index, from: Ticking.path) }
        }()
        var missing = count
        for await message in signals where try Ticking.tick.decode(message) != nil {
            missing -= 1
            if missing == 0 { break }
        }
        try await sending
        let duration = start.duration(to: .now)
        await sender.close()
        await receiver.close()
        return duration
    }
}

/// The signal that is sent: the same as that of the C baseline.
private enum Ticking: Interface {
    static let name: InterfaceName = "org.feedbell.Benchmark"
    static let path: ObjectPath = "/org/feedbell/Benchmark"
    static let tick = Signal("Tick", (Argument<UInt32>("number")))
    static let members: [any Member] = [tick]
}
