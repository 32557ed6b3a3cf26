import AgentInterface
import ArgumentParser
import DBus
import Glibc
import VisibleText

struct PauseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        _superCommandName: Feedbell.name,
        abstract: "Pause popups until resumed, or for a time",
        usage: "feedbell pause [<time> | toggle | off]",
        discussion: """
            Notifications that arrive meanwhile are shown afterwards. The time is \(UntilTime.forms). "tomorrow", a \
            weekday and a date alone mean 9:00. Without a time, and with "on": until resumed. "off" is "feedbell \
            resume".

            With "toggle", resumes if popups are paused, and prints on a terminal which of both it did: for a key of \
            your desktop.

            Examples:
              $ feedbell pause
              $ feedbell pause 90m
              $ feedbell pause until 18:00
              $ feedbell pause monday 8:00
              $ feedbell pause toggle
            """
    )
    @Argument(help: "The time, \"toggle\", \"on\" or \"off\".", completion: .custom(ShellCompletion.pauses))
    var time: [String] = []
    @Flag(help: .pauseState) var json = false
    @OptionGroup var timeout: TimeoutOptions

    func run() async throws {
        if time == ["toggle"] { return try await toggle() }
        if time == ["off"] { return try await resume(try await timeout.object()) }
        let now = Int64(Glibc.time(nil)) * 1000
        // 0: until resumed.
        let until = time.isEmpty || time == ["on"] ? 0 : try UntilTime.required(time, now: now)
        let root = try await timeout.object()
        try await root.call(AgentRoot.pause, until)
        if json { return Output.json(try await root.pauseState()) }
        if let notice = UntilTime.notice(time, until: until, now: now) {
            Output.text(notice)
        } else if until != 0, Terminal.standardOutput != nil {
            Output.text(translated("Paused until {time}.", ["time": LocalTime(until).text(now: now)]))
        }
    }

    private func resume(_ root: AgentObject) async throws {
        try await root.call(AgentRoot.resume)
        if json { return Output.json(try await root.pauseState()) }
        if Terminal.standardOutput != nil { Output.text(translated("Popups are shown again.")) }
    }

    private func toggle() async throws {
        let root = try await timeout.object()
        if try await root.get(AgentRoot.paused) { return try await resume(root) }
        try await root.call(AgentRoot.pause, 0)
        if json { return Output.json(try await root.pauseState()) }
        if Terminal.standardOutput != nil { Output.text(translated("Popups are paused.")) }
    }
}

struct Resume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        _superCommandName: Feedbell.name,
        abstract: "Show popups again, those held back first",
        discussion: """
            Example:
              $ feedbell pause && present slides.pdf; feedbell resume
            """
    )
    @Flag(help: .pauseState) var json = false
    @OptionGroup var timeout: TimeoutOptions

    func run() async throws {
        let root = try await timeout.object()
        try await root.call(AgentRoot.resume)
        if json { Output.json(try await root.pauseState()) }
    }
}

struct HideText: AsyncParsableCommand {
    enum State: String, CaseIterable, ExpressibleByArgument {
        case on, off
    }

    static let configuration = CommandConfiguration(
        commandName: "hide-text",
        _superCommandName: Feedbell.name,
        abstract: "Hide the texts of popups, or show them again",
        discussion: """
            Hidden, popups have neither texts nor pictures nor buttons of the sender; they name the account. Open \
            popups change at once. This is the setting popups.text: it stays until it is changed.

            Example:
              $ feedbell hide-text on && present slides.pdf; feedbell hide-text off
            """
    )
    @Argument(help: "\"on\" or \"off\".") var state: State
    @OptionGroup var timeout: TimeoutOptions

    func run() async throws { try await timeout.object().call(AgentRoot.hideText, state == .on) }
}

extension ArgumentHelp {
    fileprivate static let pauseState: ArgumentHelp =
        "Print a JSON object: paused, and paused_until in milliseconds since the Unix epoch, 0 for none."
}

extension AgentObject {
    /// Whether popups are paused, and until when, of the agent's own object.
    fileprivate func pauseState() async throws -> JSONText {
        let root = try await properties(AgentRoot.self)
        return .object([
            "paused": .bool(try root.value(AgentRoot.paused) ?? false),
            "paused_until": .number(try root.value(AgentRoot.pausedUntil) ?? 0),
        ])
    }
}

struct Reconnect: OneCallCommand {
    static let configuration = CommandConfiguration(
        commandName: "reconnect",
        _superCommandName: Feedbell.name,
        abstract: "Connect all disconnected accounts now",
        discussion: """
            Reads refused tokens again, and ends a token_command that hangs and runs it again.

            Example:
              $ feedbell reconnect
            """
    )
    static let method = AgentRoot.reconnect
    @OptionGroup var target: TimeoutOptions
}

struct Refresh: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh",
        _superCommandName: Feedbell.name,
        abstract: "Load the inbox again from the service",
        discussion: """
            The agent keeps the inbox up to date by itself. This also unloads further pages. Without --account, of all \
            accounts.

            Example:
              $ feedbell refresh --account work
            """
    )
    @OptionGroup var account: AccountOptions

    func run() async throws {
        for inbox in try await account.objects() { try await inbox.call(AgentInbox.refresh) }
    }
}

struct Reload: OneCallCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        _superCommandName: Feedbell.name,
        abstract: "Read the configuration again",
        discussion: """
            The agent does this by itself when the file changes. Unchanged accounts keep their connections. If there \
            is an error, it is printed, and the agent keeps its current configuration.

            Example:
              $ feedbell reload
            """
    )
    static let method = AgentRoot.reload
    @OptionGroup var target: TimeoutOptions
}
