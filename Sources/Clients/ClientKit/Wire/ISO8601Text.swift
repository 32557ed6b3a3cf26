package import Basics

extension Timestamp {
    /// `2026-01-01T00:00:00.125Z` (ISO 8601, RFC 3339): with or without a fraction of any length, which is cut to
    /// milliseconds, with a blank or a small "t" in the middle, with a zone as `Z`, `+01:00`, `+0100`, `+01` or none,
    /// which means UTC, or the date alone. Nil: another text.
    package init?(iso8601 text: String) {
        guard text.utf8.count <= 64 else { return nil }
        var reader = Reader(rest: Array(text.utf8)[...])
        guard let days = reader.date() else { return nil }
        var milliseconds = Int64(days) * 86_400_000
        if !reader.rest.isEmpty {
            guard reader.take("T") || reader.take("t") || reader.take(" "), let time = reader.time(),
                let zone = reader.zone(), reader.rest.isEmpty
            else { return nil }
            milliseconds += Int64(time - zone * 60_000)
        }
        self = Timestamp(milliseconds: milliseconds).clamped
    }
}

/// Reads a time from its beginning.
private struct Reader {
    var rest: ArraySlice<UInt8>

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    /// Days since the Unix epoch.
    mutating func date() -> Int? {
        guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2),
            1...12 ~= month, day >= 1, day <= GregorianCalendar.length(ofMonth: month, year)
        else { return nil }
        return GregorianCalendar.days(year, month, day)
    }

    /// Milliseconds since midnight. Seconds may be left out; a leap second is the first one of the next minute.
    mutating func time() -> Int? {
        guard let hour = number(2), take(":"), let minute = number(2), hour < 24, minute < 60 else { return nil }
        var milliseconds = (hour * 60 + minute) * 60_000
        guard take(":") else { return milliseconds }
        guard let second = number(2), second <= 60 else { return nil }
        milliseconds += second * 1_000
        guard take(".") || take(",") else { return milliseconds }
        let digits = rest.prefix { 0x30...0x39 ~= $0 }
        guard !digits.isEmpty else { return nil }
        rest = rest.dropFirst(digits.count)
        var scale = 100
        for digit in digits.prefix(3) {
            milliseconds += Int(digit - 0x30) * scale
            scale /= 10
        }
        return milliseconds
    }

    /// Minutes east of UTC.
    mutating func zone() -> Int? {
        if rest.isEmpty || take("Z") || take("z") { return 0 }
        let sign = take("+") ? 1 : take("-") ? -1 : 0
        guard sign != 0, let hour = number(2), hour < 24 else { return nil }
        let hasColon = take(":")
        guard hasColon || !rest.isEmpty else { return sign * hour * 60 }
        guard let minute = number(2), minute < 60 else { return nil }
        return sign * (hour * 60 + minute)
    }

    private mutating func number(_ length: Int) -> Int? {
        let digits = rest.prefix(length)
        guard digits.count == length, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        rest = rest.dropFirst(length)
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
