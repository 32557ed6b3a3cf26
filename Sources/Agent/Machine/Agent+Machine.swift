import Inbox

extension Agent {
    /// Does what the machine makes necessary: every account is told, all at once.
    func perform(_ effect: Machine.Effect) async {
        let providers = accounts.map(\.session.provider)
        await withDiscardingTaskGroup { group in
            for provider in providers {
                group.addTask {
                    switch effect {
                    case .suspend: await provider.suspend()
                    case .connectAnew: await provider.connectAnew()
                    case .clockWasSet(let change): await provider.clockWasSet(by: change)
                    case .networkIsAway(let isAway): await provider.networkIsAway(isAway)
                    }
                }
            }
        }
        if case .clockWasSet = effect { await clockChanged() }
    }
}
