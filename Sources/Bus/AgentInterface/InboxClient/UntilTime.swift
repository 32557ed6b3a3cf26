import VisibleText

/// The end of a pause, of a mute or of a snooze, as the user writes it.
package enum UntilTime {
    package static let forms = """
        a duration (30m, 2h, 3d, 1w), a time of day (18:00, 6pm, until 18h), or tomorrow, a weekday or a date \
        (YYYY-MM-DD), also with a time of day
        """
    package static let examples = "30m, 2h, 3d, 1w, 14:30, tomorrow, monday 8:00, 2026-12-01"
    /// Times as a dialog takes them.
    package static var dialogExamples: String {
        // Translators: Examples of times that users may type, in words that were translated for that.
        translated("18:00, 6 pm, tomorrow, fri 9, in 20 minutes")
    }
    /// The maximum number of words, as in `in 1 hour 30 minutes`.
    package static let maximumWords = 5

    /// Milliseconds since the Unix epoch; nil if the words are invalid or the time is past.
    package static func parse(_ words: [String], hours: TimeReader.Hours = .duration, now: Int64) -> Int64? {
        TimeReader(direction: .future, hours: hours, now: now).read(words).flatMap { $0 > now ? $0 : nil }
    }

    /// The words of a text that was typed as one.
    package static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

    /// Why words are no time that is to come, in a sentence; nil: they are one.
    package static func problem(_ words: [String], hours: TimeReader.Hours = .duration, now: Int64) -> String? {
        let text = words.joined(separator: " ")
        guard let time = TimeReader(direction: .future, hours: hours, now: now).read(words) else {
            return TimeText.invalid(text, forms: hours == .duration ? examples : dialogExamples)
        }
        return time > now ? nil : past(text)
    }

    /// The sentence about a time that is past.
    package static func past(_ text: String) -> String {
        translated("The time \"{text}\" is past.", ["text": text])
    }

    /// The notice about a time of day that has passed today; nil: none.
    package static func notice(_ words: [String], until: Int64, now: Int64) -> String? {
        guard TimeReader(direction: .future, now: now).reading(words)?.isTimeOfDay == true else { return nil }
        let next = LocalTime(until).text(now: now)
        guard next.contains(" ") else { return nil }
        let time = LocalTime(until).text(now: until)
        return translated("{time} is past today: paused until tomorrow, {next}.", ["time": time, "next": next])
    }
}
