import DBus
import ProgramLoop
import VisibleText

/// The program `feedbell`, on one loop on the main thread.
@main
enum CommandMain {
    static func main() {
        // Before other threads start: setlocale(3) is not thread-safe.
        _ = CharacterSet.current
        runProgram(on: PollLoop.main) { await Feedbell.main() }
    }
}
