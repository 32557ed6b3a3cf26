import DBus
import Desktop
import Logging
import TestSupport
import Testing

/// Against a logind that python-dbusmock plays.
@Suite(.sessionBus, .timeLimit(.minutes(1))) struct SleepWatchTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// Runs a watch, and hands its events to `body`. Each of them has to be let go on.
    private func follow(
        clock: any Clock<Duration> = ContinuousClock(),
        _ body: (Happenings) async throws -> Void
    ) async throws {
        try await withBus(to: SessionBus.systemAddress) { bus in
            let watch = SleepWatch(bus: bus, clock: clock, logger: logger)
            let happenings = Happenings()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await watch.run { await happenings.receive($0) } }
                try await body(happenings)
                group.cancelAll()
            }
        }
    }

    private actor Happenings {
        private let events: AsyncStream<SleepWatch.Event>
        private let input: AsyncStream<SleepWatch.Event>.Continuation
        private var held: AsyncStream<Never>.Continuation?

        init() { (events, input) = AsyncStream.makeStream() }

        func receive(_ event: SleepWatch.Event) async {
            let (stream, continuation) = AsyncStream<Never>.makeStream()
            held = continuation
            input.yield(event)
            for await _ in stream {}
        }

        nonisolated func next() async -> SleepWatch.Event? { await events.next() }

        /// Lets the receiver of the last event return.
        func goOn() { held?.finish() }
    }

    @Test("The inhibitor delays sleep until the agent is ready") func inhibitor() async throws {
        try await SessionBus.withSystemBus {
            try await DBusMock.logind { logind in
                try await follow { happenings in
                    try await logind.inhibitors(1)
                    #expect(try await logind.inhibitors().first?.prefix(2) == ["sleep", "Feedbell"])
                    #expect(try await logind.inhibitors().first?.last == "delay")
                    for _ in 1...2 {
                        try await logind.prepareForSleep(true)
                        #expect(await happenings.next() == .goingToSleep)
                        #expect(try await logind.inhibitors().count == 1, "not yet done")
                        await happenings.goOn()
                        try await logind.inhibitors(0)
                        try await logind.prepareForSleep(false)
                        #expect(await happenings.next() == .awake)
                        await happenings.goOn()
                        try await logind.inhibitors(1)
                    }
                }
                try await logind.inhibitors(0)
            }
        }
    }

    @Test("The inhibitor is released after a timeout") func inhibitorTimeout() async throws {
        try await SessionBus.withSystemBus {
            try await DBusMock.logind { logind in
                let clock = ManualClock()
                try await follow(clock: clock) { happenings in
                    try await logind.inhibitors(1)
                    try await logind.prepareForSleep(true)
                    #expect(await happenings.next() == .goingToSleep)
                    await clock.sleeper(for: SleepWatch.timeout)
                    clock.advance(by: SleepWatch.timeout)
                    try await logind.inhibitors(0)
                }
            }
        }
    }

    @Test("logind may appear late and vanish during sleep") func lateLogind() async throws {
        try await SessionBus.withSystemBus {
            try await follow { happenings in
                try await DBusMock.logind { logind in
                    try await logind.inhibitors(1)
                    // A repeated signal has no effect.
                    try await logind.prepareForSleep(false)
                    try await logind.prepareForSleep(true)
                    #expect(await happenings.next() == .goingToSleep)
                    await happenings.goOn()
                    try await logind.prepareForSleep(true)
                }
                #expect(await happenings.next() == .awake)
                await happenings.goOn()
                try await DBusMock.logind { try await $0.inhibitors(1) }
            }
        }
    }

    /// One that gives no inhibitor, and is about to sleep when it is first seen.
    @Test func withoutAnInhibitor() async throws {
        try await SessionBus.withSystemBus {
            try await withBus(to: SessionBus.systemAddress) { bus in
                var manager = ExportedObject(LoginManager.path)
                manager.set(LoginManager.preparingForSleep, true)
                manager.handle(LoginManager.inhibit) { _, _, _, _ in
                    throw DBusError(.accessDenied, "Permission denied")
                }
                try await bus.export(manager)
                _ = try await bus.requestName(LoginManager.busName)
                try await follow { happenings in
                    #expect(await happenings.next() == .goingToSleep)
                    await happenings.goOn()
                    try await bus.emit(LoginManager.prepareForSleep, (false), from: LoginManager.path)
                    #expect(await happenings.next() == .awake)
                    await happenings.goOn()
                    try await bus.emit(LoginManager.prepareForSleep, (true), from: LoginManager.path)
                    #expect(await happenings.next() == .goingToSleep)
                }
            }
        }
    }
}
