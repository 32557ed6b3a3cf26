import Basics
package import DBus
package import Logging

/// Reports whether the machine has a network, and its default route if it is known.
///
/// Sources, all optional, which may appear and vanish: NetworkManager, systemd-networkd, the desktop portal. The
/// network is available if one source reports it, and unavailable if a source says so and no other one contradicts. A
/// network that none of them manages is invisible here, so use the state only to retry early when a network appears,
/// and to explain a failure; never to skip an attempt to connect.
package struct NetworkWatch: Sendable {
    private let sources: [FollowedState<NetworkState>]
    private let logger: Logger

    /// - Parameter systemBus: nil if there is none.
    package init(systemBus: Bus?, sessionBus: Bus, logger: Logger) {
        let managers = systemBus.map { [NetworkSource.networkManager($0), NetworkSource.networkd($0)] }
        sources = (managers ?? []) + [NetworkSource.portal(sessionBus)]
        self.logger = logger
    }

    /// Reports the state when it is known, and every change, until the task is cancelled or the buses disconnect.
    package func run(_ receive: @Sendable (NetworkState) async -> Void) async {
        let reports = Mailbox<(source: Int, state: NetworkState)>()
        await withDiscardingTaskGroup { group in
            group.addTask {
                await withDiscardingTaskGroup { group in
                    for (index, source) in sources.enumerated() {
                        group.addTask {
                            do { try await source.run { reports.send((index, $0 ?? .unknown)) } } catch {
                                logger.debug(
                                    "cannot follow a source of network changes",
                                    metadata: ["error": "\(error)"]
                                )
                            }
                            reports.send((index, .unknown))
                        }
                    }
                }
                reports.close()
            }
            var states = Array(repeating: NetworkState.unknown, count: sources.count)
            var lastReported = NetworkState.unknown
            for await (source, state) in reports.messages {
                states[source] = state
                let new = NetworkState(states)
                guard new != lastReported else { continue }
                lastReported = new
                await receive(new)
            }
            group.cancelAll()
        }
    }
}
