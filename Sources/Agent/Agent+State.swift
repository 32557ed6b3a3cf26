import Inbox
import Logging
import Store

/// Whose the state file is, and what of it is still needed.
extension Agent {
    /// How long a predecessor may take to let go of the state file.
    private static let lockTimeout = Duration.seconds(5)
    private static let lockInterval = Duration.milliseconds(100)

    /// Throws ``AgentFailure/stateInUse(path:process:)`` if another agent does not let go of the state file.
    func lockState() async throws(AgentFailure) {
        var waited = Duration.zero
        while case .held(let path, let process) = await store.lock() {
            guard waited < Self.lockTimeout, (try? await surroundings.clock.sleep(for: Self.lockInterval)) != nil else {
                throw .stateInUse(path: path, process: process)
            }
            waited += Self.lockInterval
        }
    }

    /// Deletes what belongs to accounts that have not been configured for a while.
    func useState() async {
        do throws(StoreError) {
            try await store.use(accounts.map(\.session.identity.key), now: surroundings.now().milliseconds)
        } catch {
            logger.error("the state file cannot be tidied", metadata: ["reason": "\(error)"])
        }
    }
}
