import Glibc

/// A time as the user writes it. Pauses, snoozes and periods of lists take the same forms, towards the
/// future or the past.
package struct TimeReader {
    package enum Direction {
        /// A duration is that long ago, a day begins at midnight.
        case past
        /// A duration begins now, a day is its morning at nine.
        case future
    }

    private let direction: Direction
    private let now: Int64

    private static let longest: Int64 = 366 * 86_400
    private static let weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
    /// Words that may stand before a time in the future.
    package static let prepositions = ["until", "at", "in"]

    /// - Parameter now: Milliseconds since the Unix epoch.
    package init(direction: Direction, now: Int64) {
        self.direction = direction
        self.now = now
    }

    /// Milliseconds since the Unix epoch; nil if the words are invalid. A day in the future may be past.
    package func read(_ words: [String]) -> Int64? {
        let parts = bare(words)
        return switch parts.count {
        case 1: time(parts[0])
        case 2: TimeText.timeOfDay(parts[1]).flatMap { day(parts[0], at: $0) }
        default: nil
        }
    }

    /// The lower-case words without preposition, and a date with a time as two.
    private func bare(_ words: [String]) -> [String] {
        var parts = words.map { $0.lowercased() }
        if direction == .future, let first = parts.first, Self.prepositions.contains(first) { parts.removeFirst() }
        if direction == .past, parts.count == 2, parts[1] == "ago" { parts.removeLast() }
        guard parts.count == 1 else { return parts }
        let halves = parts[0].split(separator: "t", omittingEmptySubsequences: false)
        return halves.count == 2 && TimeText.date(halves[0]) != nil ? halves.map(String.init) : parts
    }

    private func time(_ word: String) -> Int64? {
        if direction == .past, word == "now" { return now }
        if !word.isEmpty, word.allSatisfy({ $0.isASCII && $0.isNumber }) {
            // A short number has lost its unit.
            return direction == .past || word.count > 10 ? Int64(word) : nil
        }
        if let seconds = TimeText.seconds(word) {
            guard direction == .future else { return max(0, now - seconds * 1000) }
            return seconds <= Self.longest ? now + seconds * 1000 : nil
        }
        if let clock = TimeText.timeOfDay(word) { return nearest(clock) }
        return day(word, at: nil)
    }

    /// The next or the last local time `HH:MM`.
    private func nearest(_ clock: TimeText.Clock) -> Int64 {
        let today = tm(dateOf: now)
        let time = today.milliseconds(at: clock)
        return switch direction {
        case .future: time > now ? time : today.milliseconds(at: clock, days: 1)
        case .past: time <= now ? time : today.milliseconds(at: clock, days: -1)
        }
    }

    /// A time of `yesterday`, `today`, `tomorrow`, a weekday or a date.
    ///
    /// - Parameter clock: nil: midnight or nine, as of the direction.
    private func day(_ word: String, at clock: TimeText.Clock?) -> Int64? {
        let today = tm(dateOf: now)
        let time = clock ?? (direction == .future ? (9, 0) : (0, 0))
        let relative: [String: Int32] = ["yesterday": -1, "today": 0, "tomorrow": 1]
        if let days = relative[word] { return today.milliseconds(at: time, days: days) }
        if let weekday = weekday(word) {
            if direction == .future { return today.milliseconds(at: time, days: (weekday - today.tm_wday + 6) % 7 + 1) }
            let days = (today.tm_wday - weekday + 7) % 7
            let last = today.milliseconds(at: time, days: -days)
            return last <= now ? last : today.milliseconds(at: time, days: -days - 7)
        }
        return TimeText.date(word).map { $0.milliseconds(at: time) }
    }

    /// The number of a weekday, by its name or the first letters of it; Sunday is 0.
    private func weekday(_ text: String) -> Int32? {
        guard text.count >= 3 else { return nil }
        return Self.weekdays.firstIndex { $0.hasPrefix(text) }.map(Int32.init)
    }
}
