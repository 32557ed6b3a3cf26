import FoundationEssentials
import Glibc
import Subprocess

/// Where a `token_command` runs.
package enum CommandPlace: Equatable, Sendable {
    /// As a child of this process.
    case here
    /// As a transient unit of the user's service manager. The agent's own unit forbids what password managers need, such as writable
    /// and executable memory for a just-in-time compiler, or a program with the set-user-id bit; its children inherit that.
    case unit

    /// The place for the commands of an agent with this environment.
    ///
    /// - Parameter hasServiceManager: Whether the user's service manager can be reached.
    package init(environment: [String: String], processID: Int32, hasServiceManager: (String) -> Bool) {
        let isAService = environment["SYSTEMD_EXEC_PID"] == "\(processID)"
        let directory = environment["XDG_RUNTIME_DIR"] ?? ""
        self = isAService && hasServiceManager(directory + "/systemd/private") ? .unit : .here
    }

    /// The place for the commands of this process.
    package static let current = CommandPlace(
        environment: ProcessInfo.processInfo.environment,
        processID: getpid(),
        hasServiceManager: FileManager.default.fileExists(atPath:)
    )

    /// The place for the commands of the agent that runs in this session, if it runs as the unit that is installed.
    package static func ofTheAgent() async -> CommandPlace {
        let result = try? await Subprocess.run(
            .name("systemctl"),
            arguments: ["--user", "--quiet", "is-active", "feedbell.service"],
            output: .discarded,
            error: .discarded
        )
        return result?.terminationStatus.isSuccess == true ? .unit : .here
    }

    /// What is run for a command.
    func words(_ command: [String], deadline: Duration) -> [String] {
        switch self {
        case .here: command
        case .unit:
            [
                "systemd-run", "--user", "--pipe", "--wait", "--quiet", "--collect",
                // Not the words of the command, which the journal would show.
                "--description=Feedbell's token_command",
                "--property=RuntimeMaxSec=\(deadline.components.seconds)", "--property=LimitCORE=0", "--",
            ] + command
        }
    }
}
