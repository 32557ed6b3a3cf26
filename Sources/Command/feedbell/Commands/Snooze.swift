import AgentInterface
import ArgumentParser
import Glibc
import InboxPresentation
import Translation

struct SnoozeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snooze",
        _superCommandName: Feedbell.name,
        abstract: "Let notifications pop up again later",
        usage: "feedbell snooze <id> ... <time> [--account <account>] [--timeout <seconds>]",
        discussion: """
            Until then they are not listed; see "feedbell list --snoozed". One that is read or archived meanwhile, \
            here or elsewhere, does not pop up. Snoozed notifications are recorded on this computer only.

            The time is \(SnoozeTime.forms). "tomorrow", a weekday and a date mean 9:00.

            Examples:
              $ feedbell snooze 01K1VN 1h
              $ feedbell snooze 01K1VN 01K1VP tomorrow
              $ feedbell snooze 01K1VN until 14:30
            """
    )
    @OptionGroup var account: AccountOptions
    @Argument(
        help: "Ids or unique prefixes of ids, and the time.",
        completion: .custom(ShellCompletion.notifications)
    )
    var words: [String]

    func run() async throws {
        let now = Int64(time(nil)) * 1000
        let timeCount = words.dropLast().last == "until" ? 2 : 1
        let (ids, time) = (Array(words.dropLast(timeCount)), Array(words.suffix(timeCount)))
        guard let until = SnoozeTime.parse(time, now: now) else {
            throw Failure(TimeText.invalid(time.joined(separator: " "), forms: SnoozeTime.examples), .usage)
        }
        if ids.isEmpty {
            throw Failure(translated("Give the id of a notification before the time."), .usage)
        }
        for found in try await account.notifications(ids) {
            try await found.using { try await $0.call(AgentInbox.snooze, $1, until) }
        }
        if Terminal.standardOutput != nil {
            Output.text(translated("Snoozed until {time}.", ["time": LocalTime(until).text(now: now)]))
        }
    }
}

struct UnsnoozeCommand: NotificationActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "unsnooze",
        _superCommandName: Feedbell.name,
        abstract: "List snoozed notifications again, without a popup",
        discussion: """
            Example:
              $ feedbell unsnooze 01K1VN
            """
    )
    static let method = AgentInbox.unsnooze
    @OptionGroup var notifications: NotificationOptions
}

/// When a snoozed notification pops up again, as it is written on the command line.
enum SnoozeTime {
    static let forms = "a duration (30m, 2h, 3d), tomorrow, a weekday, or until HH:MM or YYYY-MM-DD"
    static let examples = "30m, 2h, 3d, tomorrow, monday, until 14:30, until 2026-12-01"

    private static let morning: (hour: Int32, minute: Int32) = (9, 0)
    private static let weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]

    /// Milliseconds since the Unix epoch; nil if the words are invalid or the time is past.
    static func parse(_ words: [String], now: Int64) -> Int64? {
        let today = tm(dateOf: now)
        switch words.count {
        case 1 where words[0].lowercased() == "tomorrow": return today.milliseconds(at: morning, days: 1)
        case 1:
            if let seconds = TimeText.seconds(words[0]), seconds <= 366 * 86_400 { return now + seconds * 1000 }
            guard let weekday = weekday(words[0]) else { return nil }
            return today.milliseconds(at: morning, days: (weekday - today.tm_wday + 6) % 7 + 1)
        case 2 where words[0] == "until":
            if let date = TimeText.date(words[1]) {
                let time = date.milliseconds(at: morning)
                return time > now ? time : nil
            }
            return PauseTime.parse(words, now: now)
        default: return nil
        }
    }

    /// The number of a weekday, by its name or the first letters of it; Sunday is 0.
    private static func weekday(_ text: String) -> Int32? {
        guard text.count >= 3 else { return nil }
        return weekdays.firstIndex { $0.hasPrefix(text.lowercased()) }.map(Int32.init)
    }
}
