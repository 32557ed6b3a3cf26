import Inbox
import Synchronization

/// The fake service of each account that was begun; of a name the newest counts.
final class FakeServices: Sendable {
    private let made = Mutex<(byName: [String: FakeService], count: Int)>(([:], 0))

    private let failures: [ServiceFailure]
    private let missing: Capabilities

    /// - Parameters:
    ///   - failures: The first changes of each account fail in this order.
    ///   - missing: What the services cannot do.
    init(failures: [ServiceFailure] = [], lacking missing: Capabilities = []) {
        self.failures = failures
        self.missing = missing
    }

    /// How many accounts were begun.
    var count: Int { made.withLock { $0.count } }

    private let running = Mutex(0)

    /// How many accounts run.
    var runningCount: Int { running.withLock { $0 } }

    fileprivate func changeRunning(by change: Int) { running.withLock { $0 += change } }

    func make(_ name: String) -> FakeService {
        let service = FakeService(failures: failures, lacking: missing) { [weak self] in
            self?.changeRunning(by: $0 ? 1 : -1)
        }
        made.withLock { made in
            made.byName[name] = service
            made.count += 1
        }
        return service
    }

    subscript(name: String) -> FakeService? { made.withLock { $0.byName[name] } }
}
