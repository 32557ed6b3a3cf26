import AgentInterface
import VisibleText

/// The time until which a notification is snoozed, as the user writes it.
package struct WrittenTime: Equatable, Sendable {
    /// Milliseconds since the Unix epoch; nil: the text is no time that is to come.
    package let time: Int64?
    /// A sentence to show while the text is typed: the time that it means, or examples of times.
    package let meaning: String
    /// Why the text cannot be chosen, in a sentence; nil: it can.
    package let problem: String?

    /// - Parameter now: Milliseconds since the Unix epoch.
    package init(_ text: String, now: Int64) {
        let words = UntilTime.words(text)
        time = UntilTime.parse(words, now: now)
        problem = UntilTime.problem(words, now: now)
        meaning =
            time.map { translated("Until {time}", ["time": LocalTime($0).text(now: now)]) }
            ?? translated("Examples: {examples}", ["examples": UntilTime.examples])
    }
}
