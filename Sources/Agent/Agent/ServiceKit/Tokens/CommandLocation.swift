import FoundationEssentials
import Glibc
import ProgramKit

/// Where a `token_command` runs.
package enum CommandLocation: Equatable, Sendable {
    /// As a child of this process.
    case here
    /// As a transient unit of the user's service manager. The sandbox of the agent's unit, which child processes
    /// inherit, denies features that password managers need: writable and executable memory for just-in-time compilers,
    /// and programs with the set-user-ID bit.
    case unit

    /// The place for the commands of a process with this environment.
    ///
    /// - Parameter hasServiceManager: Whether the user's service manager can be reached.
    package init(environment: [String: String], processID: Int32, hasServiceManager: (String) -> Bool) {
        let isAService = environment["SYSTEMD_EXEC_PID"] == "\(processID)"
        let directory = environment["XDG_RUNTIME_DIR"] ?? ""
        self = isAService && hasServiceManager(directory + "/systemd/private") ? .unit : .here
    }

    /// The place for the commands of this process.
    package static let current = CommandLocation(
        environment: ProcessInfo.processInfo.environment,
        processID: getpid(),
        hasServiceManager: FileManager.default.fileExists(atPath:)
    )

    /// The place for the commands of this session's agent.
    package static func ofTheAgent() async -> CommandLocation {
        let end = try? await ChildProgram(["systemctl", "--user", "--quiet", "is-active", "feedbell.service"]).run()
        return end?.status == .exited(0) ? .unit : .here
    }

    /// The command line that runs `command`.
    ///
    /// - Parameter unit: The name of the unit, if it runs in one.
    func words(_ command: [String], deadline: Duration, unit: String = Self.newUnit()) -> [String] {
        switch self {
        case .here: command
        case .unit:
            [
                "systemd-run", "--user", "--pipe", "--wait", "--quiet", "--collect", "--unit=\(unit)",
                // Without the command's arguments, which would be logged to the journal.
                "--description=Feedbell's token_command",
                "--property=RuntimeMaxSec=\(deadline.components.seconds)", "--property=LimitCORE=0",
                // For processes that the command leaves behind.
                "--property=TimeoutStopSec=5", "--",
            ] + Self.escaped(command)
        }
    }

    /// The command line that kills a command in a unit; empty: none is needed.
    func cleanup(unit: String) -> [String] {
        switch self {
        case .here: []
        case .unit: ["systemctl", "--user", "--quiet", "kill", "--signal=SIGKILL", unit]
        }
    }

    /// The name of a new unit.
    static func newUnit() -> String { "feedbell-token-\(String(UInt64.random(in: 0 ... .max), radix: 16)).service" }

    /// The service manager replaces "$$" by "$" and variables by their values in arguments (systemd.service(5)), but
    /// not in the program's path.
    static func escaped(_ command: [String]) -> [String] {
        let words = command[0].contains("$") ? ["env"] + command : command
        return words[..<1] + words.dropFirst().map { $0.replacing("$", with: "$$") }
    }
}
