import Inbox

extension Agent {
    /// Tells every account what the machine does to its link.
    func perform(_ effect: Machine.Effect) async {
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
    }
}
