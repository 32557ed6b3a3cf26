import ChildProgram
package import DBus
import FoundationEssentials
package import Logging

/// Runs the command `feedbell` in a terminal window.
package struct CommandTerminal: Sendable {
    /// A subcommand for the user to read.
    package enum Command: String, Sendable {
        /// Lists the notifications.
        case list
        /// Checks the installation.
        case doctor
    }

    /// There is no terminal, or it cannot be started.
    package struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
        package var description: String
    }

    /// Programs that open a window with a command, and the arguments before the command: the proposed standard of
    /// freedesktop.org, and Debian's alternative (Debian Policy 11.8.3).
    private static let terminals = [["xdg-terminal-exec"], ["x-terminal-emulator", "-e"]]

    private let bus: Bus
    private let logger: Logger

    package init(bus: Bus, logger: Logger) {
        self.bus = bus
        self.logger = logger
    }

    /// Opens the window.
    ///
    /// - Parameter token: The activation token for the window.
    package func open(_ command: Command, token: String?) async throws(Failure) {
        guard let terminal = Self.terminals.first(where: { ChildProgram.isInstalled($0[0]) }) else {
            throw Failure(description: "Cannot find a terminal. Install xdg-terminal-exec.")
        }
        let program = DetachedProgram(
            bus: bus,
            words: terminal + Self.words(command),
            description: "Terminal opened by Feedbell",
            token: token
        )
        do {
            try await program.startInUnit()
        } catch {
            logger.debug("the service manager cannot open the terminal", metadata: ["error": "\(error)"])
            guard await program.startInProcess() else {
                throw Failure(description: "Cannot start \(terminal[0]).")
            }
        }
    }

    /// Runs the subcommand and waits for a key, because the window closes with the command.
    private static func words(_ command: Command) -> [String] {
        let script = #""$0" "$1"; printf '\nPress Enter to close this window. '; read -r answer"#
        return ["sh", "-c", script, own("feedbell"), command.rawValue]
    }

    /// The program beside this one, if it exists.
    private static func own(_ name: String) -> String {
        guard let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
            let slash = own.lastIndex(of: "/")
        else { return name }
        let beside = own[...slash] + name
        return ChildProgram.isInstalled(String(beside)) ? String(beside) : name
    }
}
