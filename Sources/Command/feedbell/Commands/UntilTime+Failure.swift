import AgentInterface

extension UntilTime {
    /// Milliseconds since the Unix epoch.
    ///
    /// - Throws: ``Failure`` if the words are invalid or the time is past.
    static func required(_ words: [String], now: Int64) throws(Failure) -> Int64 {
        guard let time = parse(words, now: now) else { throw Failure(problem(words, now: now) ?? "", .usage) }
        return time
    }
}
