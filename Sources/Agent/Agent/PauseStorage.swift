import Basics
import Logging

/// Stores the user's pause of popups.
struct PauseStorage: Sendable {
    let store: StateStore
    let logger: Logger

    /// The pause of the previous run.
    @concurrent  // returns to the caller's executor: CallerExecutorTests
    func load() async -> Pause {
        do throws(StoreError) {
            guard let end = try await store.pause() else { return Pause() }
            return Pause(isOn: true, until: end == 0 ? nil : Timestamp(milliseconds: end))
        } catch {
            logger.error("cannot read the pause of popups", metadata: ["reason": "\(error)"])
            return Pause()
        }
    }

    /// Returns when it is written.
    @concurrent  // returns to the caller's executor: CallerExecutorTests
    func save(_ pause: Pause) async {
        do throws(StoreError) {
            try await store.setPause(pause.isOn ? pause.until?.milliseconds ?? 0 : nil)
        } catch {
            logger.error("cannot write the pause of popups", metadata: ["reason": "\(error)"])
        }
    }
}
