package import DBus
package import Logging

/// Tells whether the machine has a network, and by which way, as far as anybody knows.
///
/// Sources, none of which is needed, and each of which may come and go: NetworkManager, systemd-networkd, the desktop portal. The
/// first one that knows of a network is believed; that there is none is believed only if nobody knows of one. Even then it is no
/// reason not to try: a network that none of them manages may be there all the same. So what is told here is fit to cut a
/// wait when a network comes, and to explain a failure, and for nothing else.
package struct NetworkWatch: Sendable {
    private let sources: [FollowedState<NetworkState>]
    private let logger: Logger

    /// - Parameter systemBus: nil: there is none.
    package init(systemBus: Bus?, sessionBus: Bus, logger: Logger) {
        let managers = systemBus.map { [NetworkSource.networkManager($0), NetworkSource.networkd($0)] }
        sources = (managers ?? []) + [NetworkSource.portal(sessionBus)]
        self.logger = logger
    }

    /// Tells the state when it is known, and every other one, until the task is cancelled or the buses are gone.
    package func run(_ receive: @Sendable (NetworkState) async -> Void) async {
        let (reports, report) = AsyncStream.makeStream(of: (Int, NetworkState).self)
        await withDiscardingTaskGroup { group in
            group.addTask {
                await withDiscardingTaskGroup { group in
                    for (index, source) in sources.enumerated() {
                        group.addTask {
                            do { try await source.run { report.yield((index, $0 ?? .unknown)) } } catch {
                                logger.debug("a source of network changes is lost", metadata: ["error": "\(error)"])
                            }
                            report.yield((index, .unknown))
                        }
                    }
                }
                report.finish()
            }
            var states = Array(repeating: NetworkState.unknown, count: sources.count)
            var told = NetworkState.unknown
            for await (index, state) in reports {
                states[index] = state
                let new = NetworkState(states)
                guard new != told else { continue }
                told = new
                await receive(new)
            }
            group.cancelAll()
        }
    }
}
