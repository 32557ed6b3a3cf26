import AgentInterface
import ArgumentParser
import DBus
import Glibc

struct Pause: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Hold popups back, until resumed or for a time",
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
            throw Failure(
                "\"\(time.joined(separator: " "))\" is not a valid time. Give 30s, 90m, 2h, 1d, or: until 18:00.",
                .usage
            )
        }
        try await timeout.root().call(AgentRoot.pause, until)
        if let notice = PauseTime.notice(time, until: until, now: now) { Output.text(notice) }
    }
}

/// The end of a pause, as it is written on the command line.
enum PauseTime {
    /// Milliseconds since the Unix epoch, 0 for "until resumed"; nil if the words are invalid.
    static func parse(_ words: [String], now: Int64) -> Int64? {
        switch words.count {
        case 0: return 0
        case 1: return seconds(words[0]).map { now + $0 * 1000 }
        case 2 where words[0] == "until": return next(words[1], now: now)
        default: return nil
        }
    }

    /// The notice about a time of day that has passed today; nil: none.
    static func notice(_ words: [String], until: Int64, now: Int64) -> String? {
        guard words.first == "until", words.count == 2 else { return nil }
        let time = LocalTime(until).text(now: now)
        return time.contains(" ") ? "\(words[1]) is past today: paused until tomorrow, \(time)." : nil
    }

    /// `90m`, `1h30m`: at least a second, at most a year.
    private static func seconds(_ text: String) -> Int64? {
        var total: Int64 = 0
        var digits = ""
        for character in text {
            if character.isASCII, character.isNumber {
                digits.append(character)
                if digits.count > 9 { return nil }
                continue
            }
            let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
            guard let unit = units[character], let number = Int64(digits) else { return nil }
            total += number * unit
            digits = ""
        }
        return digits.isEmpty && (1...366 * 86_400).contains(total) ? total : nil
    }

    /// The next local time `HH:MM`.
    private static func next(_ text: String, now: Int64) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, parts[1].count == 2, let hour = Int32(parts[0]), let minute = Int32(parts[1]),
            (0...23).contains(hour), (0...59).contains(minute)
        else { return nil }
        var seconds = time_t(now / 1000)
        var clock = tm()
        localtime_r(&seconds, &clock)
        (clock.tm_hour, clock.tm_min, clock.tm_sec, clock.tm_isdst) = (hour, minute, 0, -1)
        var end = Int64(mktime(&clock)) * 1000
        if end <= now {
            clock.tm_mday += 1
            clock.tm_isdst = -1
            end = Int64(mktime(&clock)) * 1000
        }
        return end
    }
}

struct Resume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Show popups again, those held back first",
        discussion: """
            Example:
              $ feedbell pause && present slides.pdf; feedbell resume
            """
    )
    @OptionGroup var timeout: TimeoutOptions

    func run() async throws {
        try await timeout.root().call(AgentRoot.resume)
    }
}

struct Reconnect: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reconnect",
        abstract: "Connect all disconnected accounts now",
        discussion: """
            Example:
              $ feedbell reconnect
            """
    )
    @OptionGroup var timeout: TimeoutOptions

    func run() async throws {
        try await timeout.root().call(AgentRoot.reconnect)
    }
}

struct Reload: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Read the configuration again",
        discussion: """
            Accounts that did not change keep their connections. A mistake is reported with file, line and key, and \
            the agent keeps its present configuration.

            Example:
              $ feedbell reload
            """
    )
    @OptionGroup var timeout: TimeoutOptions

    func run() async throws {
        try await timeout.root().call(AgentRoot.reload)
    }
}
