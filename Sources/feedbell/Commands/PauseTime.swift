import Glibc

/// The end of a pause, as it is written on the command line.
enum PauseTime {
    /// Milliseconds since the Unix epoch, 0 for "until resumed"; nil if the words are invalid.
    static func parse(_ words: [String], now: Int64) -> Int64? {
        switch words.count {
        case 0: return 0
        case 1: return seconds(words[0]).map { now + $0 * 1000 }
        case 2 where words[0] == "until": return next(words[1], now: now)
        default: return nil
        }
    }

    /// The notice about a time of day that has passed today; nil: none.
    static func notice(_ words: [String], until: Int64, now: Int64) -> String? {
        guard words.first == "until", words.count == 2 else { return nil }
        let time = LocalTime(until).text(now: now)
        return time.contains(" ") ? "\(words[1]) is past today: paused until tomorrow, \(time)." : nil
    }

    /// `90m`, `1h30m`: at least a second, at most a year.
    private static func seconds(_ text: String) -> Int64? {
        var total: Int64 = 0
        var digits = ""
        for character in text {
            if character.isASCII, character.isNumber {
                digits.append(character)
                if digits.count > 9 { return nil }
                continue
            }
            let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
            guard let unit = units[character], let number = Int64(digits) else { return nil }
            total += number * unit
            digits = ""
        }
        return digits.isEmpty && (1...366 * 86_400).contains(total) ? total : nil
    }

    /// The next local time `HH:MM`.
    private static func next(_ text: String, now: Int64) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, parts[1].count == 2, let hour = Int32(parts[0]), let minute = Int32(parts[1]),
            (0...23).contains(hour), (0...59).contains(minute)
        else { return nil }
        var seconds = time_t(now / 1000)
        var clock = tm()
        localtime_r(&seconds, &clock)
        (clock.tm_hour, clock.tm_min, clock.tm_sec, clock.tm_isdst) = (hour, minute, 0, -1)
        var end = Int64(mktime(&clock)) * 1000
        if end <= now {
            clock.tm_mday += 1
            clock.tm_isdst = -1
            end = Int64(mktime(&clock)) * 1000
        }
        return end
    }
}
