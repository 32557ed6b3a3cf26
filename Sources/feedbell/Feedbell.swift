import AgentInterface
import ArgumentParser

@main
struct Feedbell: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feedbell",
        abstract: "Asks and steers the Feedbell agent of this session.",
        discussion: """
            Exit codes: 0 done, 3 no agent is running (or there is no session bus), 4 an account needs your attention, \
            64 wrong options, 70 the agent failed to answer.
            """,
        version: AgentNames.version,
        subcommands: [Status.self]
    )
}

extension ExitCode {
    /// No agent is running, or there is no session bus.
    static let noAgent = ExitCode(3)
    /// An account needs its user.
    static let attentionNeeded = ExitCode(4)
    /// The agent failed to answer (`EX_SOFTWARE`).
    static let noAnswer = ExitCode(70)
}
