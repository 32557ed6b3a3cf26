import AgentInterface

/// The start of a period that ends now, as it is written on the command line.
enum SinceTime {
    /// Examples of accepted times.
    static let examples = "2h, 1d, 1w, 18:00, yesterday, monday, 2026-11-20, \"2026-11-20 18:00\""
    static let forms = "\(examples), or milliseconds since the Unix epoch"
    /// Examples of times before which a period ends.
    static let beforeExamples = "7d, 12h, yesterday, 2026-11-20"
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
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        return TimeReader(direction: .past, now: now).read(words)
    }
}
