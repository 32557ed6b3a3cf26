import Agent
import CLinux
import ProgramKit
import Synchronization
import VisibleText

/// The program `feedbell-agent`, on one loop on the main thread.
@main
enum AgentMain {
    static let loop = NetworkLoop()
    /// nil: none started this program.
    static let serviceManager = ServiceManager.take()
    /// The running agent; nil while there is none.
    static let agent = Mutex<Agent?>(nil)

    static func main() {
        // The memory contains tokens. Only the soft limit: a browser inherits both, and its user may raise the soft one
        // again. The systemd unit sets both, as it starts browsers elsewhere.
        feedbell_disable_core_files()
        // One heap: nearly all memory is the main thread's, and one for each thread needs some hundred kilobytes more.
        mallopt(M_ARENA_MAX, 1)
        // Before other threads start: setlocale(3) and unsetenv(3) are not thread-safe.
        _ = CharacterSet.current
        _ = serviceManager
        runProgram(on: loop) { await FeedbellAgent.main() }
    }
}
