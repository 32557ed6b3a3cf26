import Basics
import Glibc

/// A time as the user writes it, in English or in the user's language. Pauses, snoozes, rules and periods of lists
/// take the same forms, towards the future or the past.
package struct TimeReader {
    package enum Direction {
        /// A duration is that long ago, a day begins at midnight.
        case past
        /// A duration begins now, a day is its morning at nine.
        case future
    }

    /// What a number of hours alone means, such as `18h`. After a word such as "until" it is a time of day, after "in"
    /// a duration.
    package enum Hours { case duration, timeOfDay }

    /// What a text means.
    package struct Reading: Equatable {
        /// Milliseconds since the Unix epoch.
        package var time: Int64
        /// Whether the text is a time of day alone: the next or the last one.
        package var isTimeOfDay = false
    }

    /// What a word before the time asks for.
    private enum Form { case any, timeOrDay, duration }

    private let direction: Direction
    private let hours: Hours
    private let now: Int64

    private static let longest: Int64 = 366 * 86_400

    /// - Parameter now: Milliseconds since the Unix epoch.
    package init(direction: Direction, hours: Hours = .duration, now: Int64) {
        (self.direction, self.hours, self.now) = (direction, hours, now)
    }

    /// Milliseconds since the Unix epoch; nil if the words are invalid. A day in the future may be past.
    package func read(_ words: [String]) -> Int64? { reading(words)?.time }

    /// nil if the words are invalid. A day in the future may be past.
    package func reading(_ words: [String]) -> Reading? {
        guard !words.contains(where: \.isEmpty) else { return nil }
        var (parts, form) = bare(words.map { $0.folded.withPlainDigits })
        guard let first = parts.first else { return nil }
        if form == .duration { return duration(parts) }
        if parts.count == 1, let time = number(first) { return Reading(time: time) }
        let isTimeOfDay = form == .timeOrDay || hours == .timeOfDay
        if isTimeOfDay, let clock = TimeText.clock(parts, isBare: true) { return nearest(clock) }
        if form == .any, let duration = duration(parts) { return duration }
        if let clock = TimeText.clock(parts, isBare: isTimeOfDay) { return nearest(clock) }
        parts.removeFirst()
        if let count = TimeWords.at.count(beginning: parts) { parts.removeFirst(count) }
        if parts.isEmpty { return day(first, at: nil).map { Reading(time: $0) } }
        guard let clock = TimeText.clock(parts, isBare: true) else { return nil }
        return day(first, at: clock).map { Reading(time: $0) }
    }

    /// The hour and minute of a time of day alone; nil: the words are none.
    package static func clock(_ words: [String]) -> TimeText.Clock? {
        TimeText.clock(words.map { $0.folded.withPlainDigits }, isBare: true)
    }

    /// Whether a word says what those before or after it are, such as "until".
    package static func isPreposition(_ word: String) -> Bool {
        [.until, .at, .span].contains { (words: TimeWords) in words.contains(word.folded) }
    }

    /// The words without those before and after the time, and a date with a time as two.
    private func bare(_ words: [String]) -> ([String], Form) {
        var (parts, form) = (words[...], Form.any)
        let forms: [(TimeWords, Form)] =
            direction == .past
            ? [(.ago, .duration), (.at, .timeOrDay)]
            : [(.until, .timeOrDay), (.at, .timeOrDay), (.span, .duration)]
        while let (count, found) = forms.lazy.compactMap({ words, form in
            words.count(beginning: Array(parts)).map { ($0, form) }
        }).first {
            (parts, form) = (parts.dropFirst(count), found)
        }
        // In some languages they follow. One like "at" would be taken for the "am" of another language.
        let last = parts.count > 1 ? parts.last : nil
        if let last, let (_, found) = forms.first(where: { $0.0 != .at && $0.0.contains(last) }) {
            (parts, form) = (parts.dropLast(), found)
        }
        return (parts.flatMap(Self.parts), form)
    }

    /// A date and a time of day as two words, also those of a script without spaces.
    private static func parts(_ word: String) -> [String] {
        let halves = word.split(separator: "t", omittingEmptySubsequences: false)
        if halves.count == 2, TimeText.date(halves[0]) != nil { return halves.map(String.init) }
        let day = word.prefix { !$0.isASCII }
        return day.isEmpty || day.count == word.count ? [word] : [String(day), String(word[day.endIndex...])]
    }

    private func number(_ word: String) -> Int64? {
        if direction == .past, word == "now" { return now }
        guard word.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        // A short number has lost its unit.
        return direction == .past || word.count > 10 ? Int64(word) : nil
    }

    private func duration(_ parts: [String]) -> Reading? {
        guard let seconds = TimeText.seconds(parts.joined(separator: " ")) else { return nil }
        guard direction == .future else { return Reading(time: max(0, now - seconds * 1000)) }
        return seconds <= Self.longest ? Reading(time: now + seconds * 1000) : nil
    }

    /// The next or the last local time `HH:MM`.
    private func nearest(_ clock: TimeText.Clock) -> Reading {
        let today = tm(dateOf: now)
        let time = today.milliseconds(at: clock)
        let nearest =
            switch direction {
            case .future: time > now ? time : today.milliseconds(at: clock, days: 1)
            case .past: time <= now ? time : today.milliseconds(at: clock, days: -1)
            }
        return Reading(time: nearest, isTimeOfDay: true)
    }

    /// A time of `yesterday`, `today`, `tomorrow`, a weekday or a date.
    ///
    /// - Parameter clock: nil: midnight or nine, as of the direction.
    private func day(_ word: String, at clock: TimeText.Clock?) -> Int64? {
        let today = tm(dateOf: now)
        let time = clock ?? (direction == .future ? (9, 0) : (0, 0))
        // In Hindi, one word means yesterday and tomorrow.
        let relative: [(TimeWords, Int32)] =
            direction == .future
            ? [(.tomorrow, 1), (.today, 0), (.yesterday, -1)] : [(.yesterday, -1), (.today, 0), (.tomorrow, 1)]
        if let (_, days) = relative.first(where: { $0.0.contains(word) }) {
            return today.milliseconds(at: time, days: days)
        }
        if let weekday = TimeWords.weekday(word) {
            if direction == .future { return today.milliseconds(at: time, days: (weekday - today.tm_wday + 6) % 7 + 1) }
            let days = (today.tm_wday - weekday + 7) % 7
            let last = today.milliseconds(at: time, days: -days)
            return last <= now ? last : today.milliseconds(at: time, days: -days - 7)
        }
        return TimeText.date(word).map { $0.milliseconds(at: time) }
    }
}

extension String {
    /// The text with the decimal digits of all scripts as those of ASCII.
    fileprivate var withPlainDigits: String {
        var text = ""
        for scalar in unicodeScalars {
            if !scalar.isASCII, scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue {
                text += "\(Int(value))"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
