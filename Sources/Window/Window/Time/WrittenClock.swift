import AgentInterface
import Basics
import VisibleText

/// A time of day in a form: users write and read it as in their locale, the configuration as `HH:MM`.
enum WrittenClock {
    /// nil: the text is no time of day.
    static func configured(_ text: String) -> String? {
        TimeReader.clock(UntilTime.words(text)).map { padded($0.hour) + ":" + padded($0.minute) }
    }

    /// - Parameter configured: A text of another form stays as it is.
    static func shown(_ configured: String) -> String {
        guard let clock = TimeReader.clock([configured]) else { return configured }
        return TimeForm.current.time(hour: clock.hour, minute: clock.minute)
    }

    static func problem(_ text: String) -> String {
        // Translators: Examples of times of day that users may type.
        TimeText.invalid(text, forms: translated("22:00, 10 pm"))
    }

    private static func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
