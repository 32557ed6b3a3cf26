import AgentInterface
import ArgumentParser
import CLinux
import DBus
import GTK
import ProgramKit
import VisibleText
import Window

/// The program `feedbell-window`, on GLib's loop on the main thread.
@main
enum WindowMain {
    nonisolated static func main() {
        // The memory contains tokens that are entered. Only the soft limit: a browser may raise it again.
        feedbell_disable_core_files()
        // One heap for all threads, before any starts: GTK's own do little, and each would have its own.
        mallopt(M_ARENA_MAX, 1)
        // Before other threads start: setlocale(3) is not thread-safe.
        _ = CharacterSet.current
        let command = WindowCommand.parseOrExit()
        Language.useEnvironment()
        let loop = ApplicationLoop(command.start)
        runProgram(on: loop) { await WindowProgram(loop: loop).run() }
    }
}

extension WindowCommand {
    fileprivate nonisolated var start: Application.Start {
        Application.Start(
            id: WindowNames.application,
            desktopEntry: WindowNames.desktopEntry,
            name: WindowNames.name,
            styleSheet: StyleSheet.text,
            isService: isService,
            actions: WindowAction.parameters,
            action: action.map { Application.Action(name: $0.name, texts: $0.texts) }
        )
    }
}

nonisolated enum WindowNames {
    /// The bus name of the window's program.
    static let application = AgentNames.windowName.text
    /// The entry of the menu, which is the agent's.
    static let desktopEntry = AgentNames.applicationName.text
    static let name = "Feedbell"
}
