import ProgramLoop
import VisibleText

/// The program `feedbell-agent`, on one loop on the main thread.
@main
enum Program {
    static let loop = NetworkLoop()

    static func main() {
        // Before other threads start: setlocale(3) is not thread-safe.
        _ = CharacterSet.current
        runProgram(on: loop) { await FeedbellAgent.main() }
    }
}
