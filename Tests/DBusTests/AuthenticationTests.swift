import DBus
import TestSupport
import Testing

/// How long it takes to be authenticated by a bus.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct AuthenticationTests {
    /// A loop that never runs work after a short delay.
    private final class LoopWithoutShortDelays: BusLoop {
        private let loop = PollLoop()

        init() { loop.start() }
        deinit { loop.stop() }

        func enqueue(_ work: LoopWork) { loop.enqueue(work) }
        func enqueue(_ work: LoopWork, after delay: Duration) {
            if delay > .milliseconds(10) { loop.enqueue(work, after: delay) }
        }
        func enqueue(_ job: consuming ExecutorJob) { loop.enqueue(job) }
        func executeBeforeWaiting(_ body: @escaping @Sendable () -> Void) { loop.executeBeforeWaiting(body) }
        func watch(
            _ descriptor: Int32,
            _ handler: @escaping @Sendable () -> Void
        ) throws(DBusError) -> any DescriptorWatch { try loop.watch(descriptor, handler) }
        func asUnownedSerialExecutor() -> UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
        func checkIsolated() { loop.checkIsolated() }
        func isIsolatingCurrentContext() -> Bool? { loop.isIsolatingCurrentContext() }
    }

    @Test("A connection is made without waiting for anything but the bus") func noDelay() async throws {
        let loop = LoopWithoutShortDelays()
        for _ in 0..<100 {
            let bus = try await Bus.connect(to: .address(SessionBus.address), loop: loop)
            #expect(await bus.uniqueName.text.hasPrefix(":"))
            await bus.close()
        }
    }
}
