import AgentInterface
import ArgumentParser
import Glibc
import VisibleText

struct SnoozeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snooze",
        _superCommandName: Feedbell.name,
        abstract: "Let notifications pop up again later",
        usage: "feedbell snooze <id> ... <time> [--account <account>] [--timeout <seconds>]",
        discussion: """
            Until then they are not listed; see "feedbell list --snoozed". One that is read or archived meanwhile, \
            here or elsewhere, does not pop up. Snoozed notifications are recorded on this computer only.

            The time is \(UntilTime.forms). "tomorrow", a weekday and a date alone mean 9:00. With "off" instead of a \
            time, they are listed again, as by "feedbell unsnooze".

            Examples:
              $ feedbell snooze 01K1VN 1h
              $ feedbell snooze 01K1VN 01K1VP tomorrow
              $ feedbell snooze 01K1VN 14:30
              $ feedbell snooze 01K1VN monday 8:00
            """
    )
    @OptionGroup var account: AccountOptions
    @Argument(
        help: "Ids or unique prefixes of ids, and the time.",
        completion: .custom(ShellCompletion.snoozes)
    )
    var words: [String]

    func run() async throws {
        let now = Int64(time(nil)) * 1000
        let (ids, time) = Self.parts(words, now: now)
        if time == ["off"], !ids.isEmpty { return try await account.change(ids, by: AgentInbox.unsnooze) }
        let until = try UntilTime.required(time, now: now)
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

    /// The ids, and the words at the end that are the time. If none are one, those that were meant as such.
    static func parts(_ words: [String], now: Int64) -> (ids: [String], time: [String]) {
        let reader = TimeReader(direction: .future, now: now)
        let counts = (1...UntilTime.maximumWords).reversed().filter { $0 <= words.count }
        let isTime = counts.first { reader.read(Array(words.suffix($0))) != nil }
        let start = words.lastIndex(where: TimeReader.isPreposition).map { words.count - $0 }
        let count = isTime ?? start ?? min(1, words.count)
        return (Array(words.dropLast(count)), Array(words.suffix(count)))
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
