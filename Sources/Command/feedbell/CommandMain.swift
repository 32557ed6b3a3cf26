import CLinux
import DBus
import ProgramKit
import VisibleText

/// The program `feedbell`, on one loop on the main thread.
@main
enum CommandMain {
    static func main() {
        // The memory contains tokens that are entered. Only the soft limit: programs of --exec may raise it again.
        feedbell_disable_core_files()
        // Before other threads start: setlocale(3) is not thread-safe.
        _ = CharacterSet.current
        runProgram(on: PollLoop.main) { await Feedbell.main() }
    }
}
