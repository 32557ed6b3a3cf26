import InboxPresentation
import Translation

/// The end of a pause or of a snooze, as it is written on the command line.
enum UntilTime {
    static let forms = """
        a duration (30m, 2h, 3d, 1w), a time of day (18:00), or tomorrow, a weekday or a date (YYYY-MM-DD), also with \
        a time of day
        """
    static let examples = "30m, 2h, 3d, 1w, 14:30, tomorrow, monday 8:00, 2026-12-01"
    /// The maximum number of words, as in `until 2026-12-01 14:30`.
    static let maximumWords = 3

    /// Milliseconds since the Unix epoch; nil if the words are invalid or the time is past.
    static func parse(_ words: [String], now: Int64) -> Int64? {
        TimeReader(direction: .future, now: now).read(words).flatMap { $0 > now ? $0 : nil }
    }

    /// Milliseconds since the Unix epoch.
    ///
    /// - Throws: ``Failure`` if the words are invalid or the time is past.
    static func required(_ words: [String], now: Int64) throws(Failure) -> Int64 {
        if let time = parse(words, now: now) { return time }
        let text = words.joined(separator: " ")
        guard TimeReader(direction: .future, now: now).read(words) != nil else {
            throw Failure(TimeText.invalid(text, forms: examples), .usage)
        }
        throw Failure(translated("The time \"{text}\" is past.", ["text": text]), .usage)
    }

    /// The notice about a time of day that has passed today; nil: none.
    static func notice(_ words: [String], until: Int64, now: Int64) -> String? {
        let bare = words.count == 2 && TimeReader.prepositions.contains(words[0]) ? Array(words.dropFirst()) : words
        guard bare.count == 1, let word = bare.first, TimeText.timeOfDay(word) != nil else { return nil }
        let time = LocalTime(until).text(now: now)
        return time.contains(" ") ? passed(word, next: time) : nil
    }

    private static func passed(_ time: String, next: String) -> String {
        translated("{time} is past today: paused until tomorrow, {next}.", ["time": time, "next": next])
    }
}
