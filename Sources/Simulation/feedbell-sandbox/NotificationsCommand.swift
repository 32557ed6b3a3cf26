import ArgumentParser
import DBus
import Glibc
import Sandbox

/// `feedbell-sandbox notifications`.
struct NotificationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notifications",
        abstract: "Run a notification server in the terminal",
        discussion: """
            Shows every popup as text. Type "click 1" to click popup 1, "button 1 2" for its second button, \
            "dismiss 1" to close it, "help" for all commands. Requires that no other notification server runs.
            """
    )

    @Option(help: "The width of popups in columns.")
    var width = 72

    func validate() throws {
        guard (20...400).contains(width) else { throw ValidationError("--width must be from 20 to 400.") }
    }

    func run() async throws {
        let lines = ProgramInput.events()
        let drawing = PopupDrawing(width: width, usesColor: isatty(STDOUT_FILENO) == 1)
        do {
            let bus = try await Bus.connect(to: .session)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await bus.run() }
                group.addTask {
                    let typed = lines.map(\.text)
                    try await TerminalServer.serveTerminal(
                        bus: bus,
                        drawing: drawing,
                        lines: typed,
                        output: ProgramInput.print
                    )
                }
                try await group.next()
                await bus.close()
                group.cancelAll()
            }
        } catch let error as DBusError {
            throw CommandMistake(error.message)
        }
    }
}

extension ProgramInput.Event {
    /// The typed line; `quit` for a signal.
    fileprivate var text: String {
        switch self {
        case .line(let line): line
        case .signal: "quit"
        }
    }
}
