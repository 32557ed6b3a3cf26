import Basics
import VisibleText

/// The words of a time that a user writes: in English and in the user's language.
enum TimeWords: CaseIterable {
    case until, at, span, ago
    case yesterday, today, tomorrow
    case seconds, minutes, hours, days, weeks
    case hour, beforeNoon, afterNoon

    /// Folded; those of several words have spaces.
    var all: [String] {
        let (english, own) =
            switch self {
            // Translators: What users may type, as in "until tomorrow". Separate words of one meaning by commas.
            case .until: ("until, till", translated("until, till"))
            // Translators: As in "tomorrow at 9", "on monday".
            case .at: ("at, on", translated("at, on"))
            // Translators: As in "in 20 minutes", which in some languages follows the duration.
            case .span: ("in, for", translated("in, for"))
            // Translators: As in "20 minutes ago", which in some languages precedes the duration.
            case .ago: ("ago, earlier", translated("ago, earlier"))
            case .yesterday: ("yesterday", translated("yesterday"))
            case .today: ("today", translated("today"))
            // Translators: A word that users may type; also other spellings, separated by commas.
            case .tomorrow: ("tomorrow, tmr", translated("tomorrow, tmr"))
            // Translators: Units that users may type after a number, separated by commas.
            case .seconds: ("s, sec, secs, second, seconds", translated("s, sec, secs, second, seconds"))
            case .minutes: ("m, min, mins, minute, minutes", translated("m, min, mins, minute, minutes"))
            // Translators: Units that users may type after a number, separated by commas.
            case .hours: ("h, hr, hrs, hour, hours", translated("h, hr, hrs, hour, hours"))
            case .days: ("d, day, days", translated("d, day, days"))
            case .weeks: ("w, week, weeks", translated("w, week, weeks"))
            // Translators: Words after the hour of a time of day, as in "9 o'clock", separated by commas.
            case .hour: ("h, o'clock", translated("h, o'clock"))
            // Translators: As in "9 am", before or after the hour, separated by commas.
            case .beforeNoon: ("am, a.m.", translated("am, a.m."))
            // Translators: As in "6 pm", before or after the hour, separated by commas.
            case .afterNoon: ("pm, p.m.", translated("pm, p.m."))
            }
        return "\(english),\(own)".split(separator: ",").map { String($0).trimmed.folded }.filter { !$0.isEmpty }
    }

    /// The number of words at the beginning that are one of these; nil: none.
    func count(beginning words: [String]) -> Int? {
        all.map { $0.split(separator: " ").map(String.init) }.filter { words.starts(with: $0) }.map(\.count).max()
    }

    func contains(_ word: String) -> Bool { all.contains(word) }

    /// The seconds of a unit; nil: it is none.
    static func unit(_ word: String) -> Int64? {
        let units: [(TimeWords, Int64)] = [
            (.seconds, 1), (.minutes, 60), (.hours, 3600), (.days, 86_400), (.weeks, 604_800),
        ]
        return units.first { $0.0.contains(word) }?.1
    }

    /// The number of a weekday, by its name or the first letters of it; Sunday is 0.
    static func weekday(_ text: String) -> Int32? {
        let word = text.hasSuffix(".") ? String(text.dropLast()) : text
        let english = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
        if word.count >= 3, let day = english.firstIndex(where: { $0.hasPrefix(word) }) { return Int32(day) }
        // Two letters, or one character of another script.
        guard word.utf8.count >= 2 else { return nil }
        let own: [Weekday] = [.su, .mo, .tu, .we, .th, .fr, .sa]
        return own.map(\.ownName).firstIndex { $0.hasPrefix(word) }.map(Int32.init)
    }
}

extension Weekday {
    /// Folded; empty in English, where three letters are needed.
    fileprivate var ownName: String {
        let name = name.folded
        return Self.english.contains(name) ? "" : name
    }

    private static let english: Set = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
}
