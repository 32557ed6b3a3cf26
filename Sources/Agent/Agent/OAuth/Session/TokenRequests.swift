import Basics
import Synchronization

/// The requests of sign-ins whose answers must not be lost, even if nobody waits for them any longer: after a refresh
/// the old refresh token is dead, and only the answer has the new one.
package final class TokenRequests: Sendable {
    private struct State {
        var count = 0
        var waiters = Waiters()
    }

    private let requests = Mailbox<@Sendable () async -> Void>()
    private let state = Mutex(State())

    package init() {}

    /// Sends requests until the task is cancelled, which cancels those under way.
    package func run() async {
        await withDiscardingTaskGroup { group in
            for await request in requests.messages {
                group.addTask {
                    await request()
                    self.state.withLock { state in
                        state.count -= 1
                        state.waiters.wakeAll()
                    }
                }
            }
            group.cancelAll()
        }
    }

    /// Starts a request. The caller may be cancelled, the request goes on.
    func start(_ request: @escaping @Sendable () async -> Void) {
        state.withLock { $0.count += 1 }
        requests.send(request)
    }

    /// Waits for the answers to all requests, for `limit` at most.
    package func finish(within limit: Duration, clock: any Clock<Duration>) async {
        await withTimeLimit(limit, clock: clock) {
            while let wait = self.state.withLock({ $0.count == 0 ? nil : $0.waiters.add() }), !Task.isCancelled {
                await wait.wait()
            }
        }
    }
}
