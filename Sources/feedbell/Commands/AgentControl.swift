import AgentInterface
import ArgumentParser
import DBus
import Glibc

struct Pause: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        _superCommandName: Feedbell.name,
        abstract: "Pause popups until resumed, or for a time",
        usage: "feedbell pause [<duration> | until <time>]",
        discussion: """
            Notifications that arrive meanwhile are shown afterwards.

            Examples:
              $ feedbell pause
              $ feedbell pause 90m
              $ feedbell pause until 18:00
            """
    )
    @Argument(help: "A duration (30s, 90m, 2h, 1d, 1h30m) or \"until HH:MM\". Without it: until resumed.")
    var time: [String] = []
    @OptionGroup var timeout: TimeoutOptions

    func run() async throws {
        let now = Int64(Glibc.time(nil)) * 1000
        guard let until = PauseTime.parse(time, now: now) else {
            throw Failure(TimeText.invalid(time.joined(separator: " "), forms: "30s, 90m, 2h, 1d, until 18:00"), .usage)
        }
        try await timeout.object().call(AgentRoot.pause, until)
        if let notice = PauseTime.notice(time, until: until, now: now) { Output.text(notice) }
    }
}

struct Resume: OneCallCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        _superCommandName: Feedbell.name,
        abstract: "Show popups again, those held back first",
        discussion: """
            Example:
              $ feedbell pause && present slides.pdf; feedbell resume
            """
    )
    static let method = AgentRoot.resume
    @OptionGroup var target: TimeoutOptions
}

struct Reconnect: OneCallCommand {
    static let configuration = CommandConfiguration(
        commandName: "reconnect",
        _superCommandName: Feedbell.name,
        abstract: "Connect all disconnected accounts now",
        discussion: """
            Example:
              $ feedbell reconnect
            """
    )
    static let method = AgentRoot.reconnect
    @OptionGroup var target: TimeoutOptions
}

struct Reload: OneCallCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        _superCommandName: Feedbell.name,
        abstract: "Read the configuration again",
        discussion: """
            Unchanged accounts keep their connections. An error names file, line and key, and the agent keeps its \
            current configuration.

            Example:
              $ feedbell reload
            """
    )
    static let method = AgentRoot.reload
    @OptionGroup var target: TimeoutOptions
}
