import Basics
import Synchronization

@testable import MagicBell

/// A realtime feed that reports what the test sends.
final class FakeRealtime: RealtimeSource {
    private let updates = Mailbox<(RealtimeUpdate, Completion)>()
    private let running = Mutex(0)

    /// How many runs are in progress.
    var runs: Int { running.withLock { $0 } }

    func run(_ report: @escaping @Sendable (RealtimeUpdate) async -> Void) async {
        running.withLock { $0 += 1 }
        defer { running.withLock { $0 -= 1 } }
        for await (update, completion) in updates.messages {
            await report(update)
            completion.finish()
        }
    }

    func reconnect() async {}

    /// Sends updates, and returns when they were received.
    func send(_ all: RealtimeUpdate...) async {
        for update in all {
            let completion = Completion()
            updates.send((update, completion))
            await completion.wait()
        }
    }

    func send(_ events: [InboxEvent]) async {
        for event in events { await send(.event(event)) }
    }
}
