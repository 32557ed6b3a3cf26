package import FoundationEssentials
package import Logging
import Synchronization

/// The context that all requests of a client share.
package protocol ClientContext: Sendable {
    associatedtype Failure: LibraryError

    var environment: ClientEnvironment { get }
    var logger: Logger { get }
    var lifetime: ClientLifetime { get }
}

/// The service's time and the end of a client, shared by all copies of its context.
package final class ClientLifetime: Sendable {
    fileprivate let time = ServiceTime()
    fileprivate let hasEnded = Mutex(false)

    package init() {}
}

extension ClientContext {
    /// Whether the client was shut down: nothing is sent any more.
    package var isShutDown: Bool { lifetime.hasEnded.withLock(\.self) }

    package func shutDown() { lifetime.hasEnded.withLock { $0 = true } }

    package func checkNotShutDown() throws(Failure) {
        if isShutDown { throw .shutDown }
    }

    /// The service's present time, corrected by its responses: this computer's clock may be wrong.
    package var now: Date { lifetime.time.corrected(environment.now()) }

    /// How far the service's clock is ahead of this computer's, in seconds; nil: unknown.
    package var clockOffset: TimeInterval? { lifetime.time.offset }

    /// Our clock was set forward by `change` (negative: back); the service's was not.
    package func wallClockChanged(by change: Duration) { lifetime.time.wallClockChanged(by: change / .seconds(1)) }

    /// Updates the clock offset from the `Date` of a response of the service to a request that was `sent` at this
    /// time.
    package func recordTime(_ date: Date?, sent: Date) {
        if let date { lifetime.time.record(date, sent: sent, received: environment.now()) }
    }
}
