import Basics
import DBus
import Logging
import TestSupport
import Testing

@testable import Agent

/// With logind simulated by python-dbusmock.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct SleepWatchTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// Runs a watch, and passes its events to `body`, which must finish each one.
    private func follow(
        clock: any Clock<Duration> = ContinuousClock(),
        _ body: (SleepEvents) async throws -> Void
    ) async throws {
        try await withBus(to: SessionBus.systemAddress) { bus in
            let watch = SleepWatch(bus: bus, clock: clock, logger: logger)
            let events = SleepEvents()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await watch.run { await events.receive($0) } }
                try await body(events)
                group.cancelAll()
            }
        }
    }

    private actor SleepEvents {
        private nonisolated let queue = Mailbox<SleepWatch.Event>()
        private var current: Completion?

        func receive(_ event: SleepWatch.Event) async {
            let end = Completion()
            current = end
            queue.send(event)
            await end.wait()
        }

        nonisolated func next() async -> SleepWatch.Event? { await queue.messages.next() }

        /// Ends the handling of the last event.
        func finish() { current?.finish() }
    }

    @Test("The inhibitor delays sleep until the agent is ready") func inhibitor() async throws {
        try await SessionBus.withSystemBus {
            try await DBusMock.logind { logind in
                try await follow { events in
                    try await logind.inhibitors(1)
                    #expect(try await logind.inhibitors().first?.prefix(2) == ["sleep", "Feedbell"])
                    #expect(try await logind.inhibitors().first?.last == "delay")
                    for _ in 1...2 {
                        try await logind.prepareForSleep(true)
                        #expect(await events.next() == .goingToSleep)
                        #expect(try await logind.inhibitors().count == 1, "not yet done")
                        await events.finish()
                        try await logind.inhibitors(0)
                        try await logind.prepareForSleep(false)
                        #expect(await events.next() == .awake)
                        await events.finish()
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
                try await follow(clock: clock) { events in
                    try await logind.inhibitors(1)
                    try await logind.prepareForSleep(true)
                    #expect(await events.next() == .goingToSleep)
                    await clock.sleeper(for: SleepWatch.timeout)
                    clock.advance(by: SleepWatch.timeout)
                    try await logind.inhibitors(0)
                }
            }
        }
    }

    @Test("logind may appear late and vanish during sleep") func lateLogind() async throws {
        try await SessionBus.withSystemBus {
            try await follow { events in
                try await DBusMock.logind { logind in
                    try await logind.inhibitors(1)
                    // A repeated signal has no effect.
                    try await logind.prepareForSleep(false)
                    try await logind.prepareForSleep(true)
                    #expect(await events.next() == .goingToSleep)
                    await events.finish()
                    try await logind.prepareForSleep(true)
                }
                #expect(await events.next() == .awake)
                await events.finish()
                try await DBusMock.logind { try await $0.inhibitors(1) }
            }
        }
    }

    @Test("Sleep is reported without an inhibitor, and when it was announced before") func refusedInhibitor()
        async throws
    {
        try await SessionBus.withSystemBus {
            try await withBus(to: SessionBus.systemAddress) { bus in
                var manager = ExportedObject(LoginManager.path)
                manager.set(LoginManager.preparingForSleep, true)
                manager.handle(LoginManager.inhibit) { _, _, _, _ in
                    throw DBusError(.accessDenied, "Permission denied")
                }
                try await bus.export(manager)
                _ = try await bus.requestName(LoginManager.busName)
                try await follow { events in
                    #expect(await events.next() == .goingToSleep)
                    await events.finish()
                    try await bus.emit(LoginManager.prepareForSleep, (false), from: LoginManager.path)
                    #expect(await events.next() == .awake)
                    await events.finish()
                    try await bus.emit(LoginManager.prepareForSleep, (true), from: LoginManager.path)
                    #expect(await events.next() == .goingToSleep)
                }
            }
        }
    }
}
