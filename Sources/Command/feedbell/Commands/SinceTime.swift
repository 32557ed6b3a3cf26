import Glibc

/// The start of a period that ends now, as it is written on the command line.
enum SinceTime {
    /// Examples of accepted times.
    static let examples = "2h, 1d, 18:00, 2026-11-20, \"2026-11-20 18:00\""
    static let forms = "\(examples), or milliseconds since the Unix epoch"
    /// Examples of times before which a period ends.
    static let beforeExamples = "7d, 12h, 2026-11-20"
    static let beforeForms = "\(beforeExamples), or as of \"feedbell list --since\""

    /// Milliseconds since the Unix epoch.
    ///
    /// - Parameter forms: Examples for the failure.
    /// - Throws: ``Failure`` if the text is invalid.
    static func required(_ text: String, forms: String = examples, now: Int64) throws -> Int64 {
        guard let time = parse(text, now: now) else { throw Failure(TimeText.invalid(text, forms: forms), .usage) }
        return time
    }

    /// Milliseconds since the Unix epoch; nil if the text is invalid.
    static func parse(_ text: String, now: Int64) -> Int64? {
        if text.allSatisfy({ $0.isASCII && $0.isNumber }) { return Int64(text) }
        if let seconds = TimeText.seconds(text) { return max(0, now - seconds * 1000) }
        if let time = TimeText.timeOfDay(text) { return last(time, now: now) }
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard let date = TimeText.date(parts[0]), parts.count <= 2 else { return nil }
        if parts.count == 1 { return date.milliseconds(at: (0, 0)) }
        return TimeText.timeOfDay(parts[1]).map { date.milliseconds(at: $0) }
    }

    /// The last time of day: today or yesterday.
    private static func last(_ time: (hour: Int32, minute: Int32), now: Int64) -> Int64 {
        let today = tm(dateOf: now)
        let start = today.milliseconds(at: time)
        return start <= now ? start : today.milliseconds(at: time, days: -1)
    }
}
