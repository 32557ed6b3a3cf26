import Basics
import Inbox
import Logging
import Store

/// The lock of the state file, and the removal of state that is no longer needed.
extension Agent {
    /// The time that a previous agent may take to release the state file.
    private static let lockTimeout = Duration.seconds(5)
    private static let lockInterval = Duration.milliseconds(100)

    /// Throws ``AgentFailure/stateInUse(path:process:)`` if another agent holds the state file for longer than
    /// the timeout.
    func lockState() async throws(AgentFailure) {
        var waited = Duration.zero
        while case .held(let path, let process) = await store.lock() {
            guard waited < Self.lockTimeout, (try? await environment.clock.sleep(for: Self.lockInterval)) != nil else {
                throw .stateInUse(path: path, process: process)
            }
            waited += Self.lockInterval
        }
    }

    /// Deletes the state of accounts that have not been configured for a while.
    func useState() async {
        do throws(StoreError) {
            try await store.use(accounts.map(\.session.identity.key), now: environment.now().milliseconds)
        } catch {
            logger.error("cannot delete old state", metadata: ["reason": "\(error)"])
        }
    }
}
