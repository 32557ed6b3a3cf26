import CLinux
import ProgramLoop
import VisibleText

/// The program `feedbell-agent`, on one loop on the main thread.
@main
enum Program {
    static let loop = NetworkLoop()

    static func main() {
        // One heap: nearly all memory is the main thread's, and one for each thread needs some hundred kilobytes more.
        mallopt(M_ARENA_MAX, 1)
        // Before other threads start: setlocale(3) is not thread-safe.
        _ = CharacterSet.current
        runProgram(on: loop) { await FeedbellAgent.main() }
    }
}
