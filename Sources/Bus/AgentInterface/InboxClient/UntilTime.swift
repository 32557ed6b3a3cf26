import VisibleText

/// The end of a pause, of a mute or of a snooze, as the user writes it.
package enum UntilTime {
    package static let forms = """
        a duration (30m, 2h, 3d, 1w), a time of day (18:00), or tomorrow, a weekday or a date (YYYY-MM-DD), also with \
        a time of day
        """
    package static let examples = "30m, 2h, 3d, 1w, 14:30, tomorrow, monday 8:00, 2026-12-01"
    /// The maximum number of words, as in `until 2026-12-01 14:30`.
    package static let maximumWords = 3

    /// Milliseconds since the Unix epoch; nil if the words are invalid or the time is past.
    package static func parse(_ words: [String], now: Int64) -> Int64? {
        TimeReader(direction: .future, now: now).read(words).flatMap { $0 > now ? $0 : nil }
    }

    /// The words of a text that was typed as one.
    package static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

    /// Why words are no time that is to come, in a sentence; nil: they are one.
    package static func problem(_ words: [String], now: Int64) -> String? {
        let text = words.joined(separator: " ")
        guard let time = TimeReader(direction: .future, now: now).read(words) else {
            return TimeText.invalid(text, forms: examples)
        }
        return time > now ? nil : translated("The time \"{text}\" is past.", ["text": text])
    }

    /// The notice about a time of day that has passed today; nil: none.
    package static func notice(_ words: [String], until: Int64, now: Int64) -> String? {
        let bare = words.count == 2 && TimeReader.prepositions.contains(words[0]) ? Array(words.dropFirst()) : words
        guard bare.count == 1, let word = bare.first, TimeText.timeOfDay(word) != nil else { return nil }
        let time = LocalTime(until).text(now: now)
        return time.contains(" ") ? passed(word, next: time) : nil
    }

    private static func passed(_ time: String, next: String) -> String {
        translated("{time} is past today: paused until tomorrow, {next}.", ["time": time, "next": next])
    }
}
