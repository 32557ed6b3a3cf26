import DBus

/// Something that a service can be asked for, and that some of its signals tell to be different: asked for when the service comes, and
/// after each of those signals.
struct FollowedState<State: Sendable>: Sendable {
    let bus: Bus
    /// The service's name.
    let owner: BusName
    /// The signals.
    let news: MatchRule
    /// The question; nil for no answer.
    let ask: @Sendable () async -> State?

    /// Tells the state at first and after each signal, nil while the service is not there, until the task is cancelled or the bus is
    /// gone. Only the present state matters, so several signals may be one question.
    func run(_ receive: @escaping @Sendable (State?) async -> Void) async throws(DBusError) {
        let signals = try await bus.signals(matching: news, buffering: .bufferingNewest(1))
        let owners = try await bus.nameOwnerChanges(of: owner)
        let (looks, look) = AsyncStream<Bool>.makeStream(bufferingPolicy: .bufferingNewest(1))
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await _ in signals { look.yield(true) }
                look.finish()
            }
            group.addTask {
                for await change in owners { look.yield(change.new != nil) }
                look.finish()
            }
            for await isThere in looks { await receive(isThere ? await ask() : nil) }
            group.cancelAll()
        }
    }
}
