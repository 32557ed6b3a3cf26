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

            The time is \(UntilTime.forms). "tomorrow", a weekday and a date mean 9:00.

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
        guard let until = UntilTime.parse(time, now: now) else {
            throw Failure(TimeText.invalid(time.joined(separator: " "), forms: UntilTime.examples), .usage)
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
