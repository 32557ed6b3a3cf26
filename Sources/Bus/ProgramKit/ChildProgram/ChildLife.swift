import Glibc
import Synchronization

/// The process of a program, from its start until it was waited for. It is killed only in between: later, another
/// process may have its id.
final class ChildLife: Sendable {
    /// Whether the program leads a process group of its own, which is killed with it.
    let isGroupLeader: Bool

    private struct State {
        /// nil before the start, and after the end.
        var running: pid_t?
        var isCancelled = false
    }

    private let state = Mutex(State())

    init(isGroupLeader: Bool) { self.isGroupLeader = isGroupLeader }

    /// Whether ``cancel()`` was called.
    var isCancelled: Bool { state.withLock(\.isCancelled) }

    func started(_ child: pid_t) {
        state.withLock { state in
            state.running = child
            if state.isCancelled { kill(child) }
        }
    }

    /// Kills the program, also one that begins later.
    func cancel() {
        state.withLock { $0.isCancelled = true }
        end()
    }

    /// Kills the program if it is running.
    func end() { state.withLock { state in if let child = state.running { kill(child) } } }

    private func kill(_ child: pid_t) { _ = Glibc.kill(isGroupLeader ? -child : child, SIGKILL) }

    /// Whether the program has ended. It can still be waited for.
    var hasEnded: Bool {
        guard let child = state.withLock(\.running) else { return true }
        var information = siginfo_t()
        let result = waitid(P_PID, id_t(child), &information, Int32(WEXITED | WNOWAIT | WNOHANG))
        return result == 0 && information.si_signo == SIGCHLD
    }

    /// Waits for the end of the program, and returns the status of waitpid(2).
    func wait() -> Int32 {
        guard let child = state.withLock(\.running) else { return 0 }
        var information = siginfo_t()
        // Leaves the process as it is, so that its id stays its own.
        while waitid(P_PID, id_t(child), &information, Int32(WEXITED | WNOWAIT)) < 0, errno == EINTR {}
        return state.withLock { state in
            state.running = nil
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
            return status
        }
    }
}
