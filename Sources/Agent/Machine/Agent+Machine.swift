import Inbox

extension Agent {
    /// Performs an effect on all accounts concurrently.
    func perform(_ effect: HostPowerState.Effect) async {
        let providers = accounts.map(\.session.provider)
        await withDiscardingTaskGroup { group in
            for provider in providers {
                group.addTask {
                    switch effect {
                    case .suspend: await provider.suspend()
                    case .reconnectNow: await provider.reconnectNow()
                    case .wallClockChanged(let change): await provider.wallClockChanged(by: change)
                    case .setNetworkUnavailable(let isAway): await provider.setNetworkUnavailable(isAway)
                    }
                }
            }
        }
        if case .wallClockChanged = effect { await clockChanged() }
    }
}
