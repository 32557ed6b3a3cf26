import Basics
import DBus

/// A state that is read from a service: when the service appears, and after each signal that announces a change.
struct FollowedState<State: Sendable>: Sendable {
    let bus: Bus
    /// The service's bus name.
    let owner: BusName
    /// The signals after which the state is read again.
    let changeSignal: MatchRule
    /// Reads the state; nil if the service does not answer.
    let read: @Sendable () async -> State?

    /// Reports the state at first and after each signal, nil while the service is absent, until the task is cancelled
    /// or the bus disconnects. Only the current state matters, so several signals may cause one read.
    func run(_ receive: @escaping @Sendable (State?) async -> Void) async throws(DBusError) {
        for await isPresent in try await bus.presence(of: owner, andSignals: changeSignal) {
            await receive(isPresent ? await inChildTask(read) : nil)
        }
    }
}
