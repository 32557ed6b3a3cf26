import Inbox
import Synchronization

/// The fake service of each account that was begun; of a name the newest counts.
final class FakeProviders: Sendable {
    private let made = Mutex<(byName: [String: FakeProvider], count: Int)>(([:], 0))

    private let failures: [ProviderFailure]

    /// - Parameter failures: The first changes of each account fail in this order.
    init(failures: [ProviderFailure] = []) { self.failures = failures }

    /// How many accounts were begun.
    var count: Int { made.withLock { $0.count } }

    private let running = Mutex(0)

    /// How many accounts run.
    var runningCount: Int { running.withLock { $0 } }

    fileprivate func changeRunning(by change: Int) { running.withLock { $0 += change } }

    func make(_ name: String) -> FakeProvider {
        let provider = FakeProvider(failures: failures) { [weak self] in self?.changeRunning(by: $0 ? 1 : -1) }
        made.withLock { made in
            made.byName[name] = provider
            made.count += 1
        }
        return provider
    }

    subscript(name: String) -> FakeProvider? { made.withLock { $0.byName[name] } }
}
