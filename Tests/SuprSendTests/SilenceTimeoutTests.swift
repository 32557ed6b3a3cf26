import ClientKit
import Logging
import SuprSend
import Synchronization
import TestSupport
import Testing

/// The sleep of the driver for the server's silence, which every frame moves.
@Suite(.timeLimit(.minutes(5))) struct SilenceTimeoutTests {
    /// A WebSocket whose server is the test.
    private final class Server: WebSocketTransport, WebSocketConnection {
        private let messages = AsyncStream.makeStream(of: String.self)
        /// The number of times that the driver has waited for a message.
        private let reads = Mutex(0)

        func withConnection<Result: Sendable>(
            to url: String,
            timeout: Duration,
            _ body: (any WebSocketConnection) async throws -> Result
        ) async throws -> Result { try await body(self) }

        func send(_ text: String) async throws(TransportError) {}

        func ping() async throws(TransportError) {}

        func receive() async throws(TransportError) -> WebSocketMessage? {
            reads.withLock { $0 += 1 }
            for await text in messages.stream { return .text(text) }
            throw TransportError(.cancelled, "The test is over.")
        }

        var closeCode: UInt16? { get async { nil } }

        func close(code: UInt16) async {}

        /// Sends a frame, and returns when the driver has handled it.
        func say(_ text: String) async {
            let before = reads.withLock { $0 }
            messages.continuation.yield(text)
            while reads.withLock({ $0 }) == before, !Task.isCancelled { await Task.yield() }
        }

        func waitForReader() async {
            while reads.withLock({ $0 }) == 0, !Task.isCancelled { await Task.yield() }
        }
    }

    /// Runs `body` beside a driver that has joined.
    ///
    /// - Parameter body: Gets the timeout for the server's silence.
    private func joined(_ body: (Server, ManualClock, Duration) async -> Void) async {
        let (server, clock) = (Server(), ManualClock())
        await withTaskGroup { group in
            group.addTask {
                let driver = SessionDriver(webSocket: server, clock: clock, logger: Logger(label: "test"))
                var recovery: Recovery?
                try? await driver.run(url: "", credentials: { [:] }, recovery: &recovery) { _ in }
            }
            await server.waitForReader()
            await server.say(#"0{"sid":"a","pingInterval":25000,"pingTimeout":20000}"#)
            await server.say(#"40{"sid":"b"}"#)
            // The wait for the room, and then the rest of the timeout.
            await clock.sleeper(for: ConnectedSession.roomLimit)
            clock.advance(by: ConnectedSession.roomLimit)
            let rest = await clock.sleeper(within: .seconds(43) ... .seconds(58))
            await body(server, clock, rest + ConnectedSession.roomLimit)
            group.cancelAll()
        }
    }

    @Test("A ping replaces the sleep, so that only one deadline can wake the process") func ping() async {
        await joined { server, clock, silence in
            for _ in 1...5 {
                clock.advance(by: .seconds(25))
                await server.say("2")
                await clock.sleeper(for: silence)
                while clock.sleeperCount > 1, !Task.isCancelled { await Task.yield() }
                #expect(clock.sleeperCount == 1)
            }
        }
    }

    @Test("A frame soon after another one begins no sleep") func frames() async {
        await joined { server, clock, silence in
            while clock.sleeperCount > 1, !Task.isCancelled { await Task.yield() }
            for _ in 1...8 {
                clock.advance(by: .seconds(1))
                await server.say("2")
            }
            #expect(clock.sleeperCount == 1)
            #expect(
                clock.remaining(within: .zero ... .seconds(100)) == silence - ConnectedSession.roomLimit - .seconds(8)
            )
        }
    }
}
