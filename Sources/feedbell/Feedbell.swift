import AgentInterface
import ArgumentParser

@main
struct Feedbell: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feedbell",
        abstract: "Asks and steers the Feedbell agent of this session.",
        discussion: """
            Exit codes: 0 done, 3 no agent is running (or there is no session bus), 4 an account needs your attention (or \
            doctor found a problem), 5 there is no such thing, 6 the service refuses, 7 the service cannot be reached, \
            64 wrong options, 70 the agent failed to answer.
            """,
        version: AgentNames.version,
        subcommands: [
            Status.self, List.self, Show.self, Open.self, Read.self, Unread.self, Seen.self, Archive.self,
            Unarchive.self,
            Delete.self, ReadAll.self, Badge.self, Stores.self, More.self, Preferences.self, Pause.self, Resume.self,
            Reconnect.self, Reload.self, Doctor.self,
        ]
    )
}

extension ExitCode {
    /// No agent is running, or there is no session bus.
    static let noAgent = ExitCode(3)
    /// An account needs its user.
    static let attentionNeeded = ExitCode(4)
    /// There is no such account, notification or store.
    static let notFound = ExitCode(5)
    /// The service refuses.
    static let refused = ExitCode(6)
    /// The service cannot be reached.
    static let offline = ExitCode(7)
    /// Wrong options (`EX_USAGE`).
    static let usage = ExitCode(64)
    /// The agent failed to answer (`EX_SOFTWARE`).
    static let noAnswer = ExitCode(70)
}
