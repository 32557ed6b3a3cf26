package import Basics

extension WakeSignal {
    /// Calls `save` after each signal, until the task is cancelled. Signals within one second count as one.
    package func saveChanges(clock: any Clock<Duration>, _ save: () async -> Void) async {
        while !Task.isCancelled {
            await wait(clock: clock)
            guard (try? await clock.sleep(for: .seconds(1))) != nil else { return }
            await save()
        }
    }
}
