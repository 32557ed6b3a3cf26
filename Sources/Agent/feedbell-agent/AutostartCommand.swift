import Agent
import ArgumentParser
import FoundationEssentials
import ProgramKit
import VisibleText

/// `feedbell-agent autostart`, which `feedbell autostart` and the window run.
struct AutostartCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "autostart",
        abstract: "Show or change whether your sessions start the agent",
        discussion: """
            Prints "on" or "off". With one of these words, sessions start the agent or do not, by the systemd unit \
            and by the autostart entry; nothing is started or stopped now. D-Bus can start the agent in any case.

            Example:
              $ feedbell-agent autostart off

            Exit codes: 64 invalid options, 73 cannot change a file, or neither unit nor entry is installed.
            """
    )

    @Argument(help: "\"on\" or \"off\".", completion: .list(["on", "off"])) var word: String?

    func validate() throws {
        if let word, !["on", "off"].contains(word) { throw ValidationError("Give \"on\" or \"off\".") }
    }

    func run() async throws {
        let sessions = SessionStart(environment: ProcessInfo.processInfo.environment)
        guard let word else {
            StandardStream.output.write(sessions.isOn ? "on\n" : "off\n")
            return
        }
        do throws(SessionStart.Failure) {
            try sessions.set(word == "on")
        } catch {
            throw problem("\(error)", code: 73)
        }
        // A service manager that outlives the session has read the links. Where there is none, nothing has to be done.
        _ = try? await ChildProgram(["systemctl", "--user", "--quiet", "daemon-reload"]).run()
    }
}
