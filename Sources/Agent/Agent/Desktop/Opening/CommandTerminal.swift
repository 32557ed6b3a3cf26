package import DBus
import FoundationEssentials
package import Logging
import ProgramKit

/// Runs the command `feedbell` in a terminal window.
package struct CommandTerminal: Sendable {
    /// A subcommand for the user to read.
    package enum Command: Sendable, Hashable {
        /// Shows the inbox of an account; nil: of any.
        ///
        /// - Parameter show: The notification to begin with.
        case inbox(account: String?, show: String? = nil)
        /// Checks the installation.
        case doctor
        /// Stores a new token of an account.
        case token(account: String)
        /// Adds an account with the values of a link or a file.
        case addAccount(link: String)

        var words: [String] {
            switch self {
            case .inbox(let account, let id):
                ["inbox"] + (account.map { ["--account=\($0)"] } ?? []) + (id.map { ["--show=\($0)"] } ?? [])
            case .doctor: ["doctor"]
            case .token(let account): ["accounts", "token", "--", account]
            case .addAccount(let link): ["accounts", "add", "--link=\(link)"]
            }
        }

        /// Whether the command ends when the user has read its output. The window of the others would close before.
        var isInteractive: Bool { if case .inbox = self { true } else { false } }
    }

    /// There is no terminal, or it cannot be started.
    package struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
        package var description: String
    }

    /// Programs that open a window with a command, and the arguments before the command: the proposed standard of
    /// freedesktop.org, Debian's alternative (Debian Policy 11.8.3), and the terminals of desktops.
    private static let known = [
        ["xdg-terminal-exec"], ["x-terminal-emulator", "-e"], ["gnome-terminal", "--"], ["kgx", "--"],
        ["ptyxis", "--"],
        ["konsole", "-e"], ["xfce4-terminal", "-x"], ["mate-terminal", "-x"], ["qterminal", "-e"], ["foot"], ["kitty"],
        ["alacritty", "-e"], ["xterm", "-e"],
    ]

    /// The terminal to use; nil: none is installed.
    ///
    /// - Parameter chosen: The user's choice, from the variable `TERMINAL`.
    static func terminal(chosen: String?, isInstalled: (String) -> Bool) -> [String]? {
        let name = chosen?.split(separator: "/").last.map(String.init)
        let arguments = known.first { $0[0] == name }?.dropFirst() ?? ["-e"]
        let own = chosen.map { [[$0] + arguments] } ?? []
        return (known.prefix(1) + own + known.dropFirst()).first { isInstalled($0[0]) }
    }

    private let bus: Bus
    private let prompt: String
    private let logger: Logger

    /// - Parameter prompt: Tells the user which key closes the window: Enter.
    package init(bus: Bus, prompt: String, logger: Logger) {
        self.bus = bus
        self.prompt = prompt
        self.logger = logger
    }

    /// Opens the window.
    ///
    /// - Parameter token: The activation token for the window.
    package func open(_ command: Command, token: String?) async throws(Failure) {
        let chosen = ProcessInfo.processInfo.environment["TERMINAL"]
        guard let terminal = Self.terminal(chosen: chosen, isInstalled: ChildProgram.isInstalled) else {
            throw Failure(description: "Cannot find a terminal. Install xdg-terminal-exec.")
        }
        let program = DetachedProgram(
            bus: bus,
            words: terminal + Self.words(command, program: Self.own("feedbell"), prompt: prompt),
            description: "Terminal opened by Feedbell",
            token: token
        )
        do {
            try await program.startInUnit()
        } catch {
            logger.debug("the service manager cannot open the terminal", metadata: ["error": "\(error)"])
            guard [nil, 0].contains(await program.startInProcess()) else {
                throw Failure(description: "Cannot start \(terminal[0]).")
            }
        }
    }

    /// Runs the subcommand. Waits for a key, because the window closes with the command; after an interactive one only
    /// if it failed.
    static func words(_ command: Command, program: String, prompt: String) -> [String] {
        let wait = #"{ printf '\n%s ' "$0"; read -r answer; }"#
        let script = #""$@" \#(command.isInteractive ? "||" : ";") \#(wait)"#
        return ["sh", "-c", script, prompt, program] + command.words
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
