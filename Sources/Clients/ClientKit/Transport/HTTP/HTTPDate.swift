import Basics
package import FoundationEssentials

extension HTTPResponse {
    /// When the server made the response (`Date`, RFC 9110 §6.6.1), in whole seconds; nil: absent or invalid.
    package var date: Date? { header("Date").flatMap { HTTPDate.parse($0) } }
}

/// A date of HTTP in each of its three forms (RFC 9110 §5.6.7).
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    // The forms. #: a digit, _: a digit or a space, ?: a letter.
    private static let fixdate = Array("???, ## ??? #### ##:##:## GMT".utf8)
    private static let asctime = Array("??? ??? _# ##:##:## ####".utf8)
    /// After the name of the day.
    private static let rfc850 = Array(", ##-???-## ##:##:## GMT".utf8)

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`.
    ///
    /// - Parameter now: A year of two digits is within fifty years of it.
    static func parse(_ text: String, now: Date = Date()) -> Date? {
        let bytes = Array(text.utf8)
        switch bytes.count {
        case fixdate.count where matches(bytes[...], fixdate):
            return date(year: number(bytes[12..<16]), month: bytes[8..<11], day: bytes[5..<7], time: bytes[17..<25])
        case asctime.count where matches(bytes[...], asctime):
            return date(year: number(bytes[20..<24]), month: bytes[4..<7], day: bytes[8..<10], time: bytes[11..<19])
        case rfc850.count + 6...rfc850.count + 9:
            let rest = bytes.suffix(rfc850.count)
            let start = rest.startIndex
            guard matches(rest, rfc850), bytes[..<start].allSatisfy(isLetter) else { return nil }
            return date(
                year: year(number(rest[(start + 9)..<(start + 11)]), near: now),
                month: rest[(start + 5)..<(start + 8)],
                day: rest[(start + 2)..<(start + 4)],
                time: rest[(start + 12)..<(start + 20)]
            )
        default: return nil
        }
    }

    /// - Parameter time: `08:49:37`.
    private static func date(year: Int, month: ArraySlice<UInt8>, day: ArraySlice<UInt8>, time: ArraySlice<UInt8>)
        -> Date?
    {
        let (day, start) = (number(day), time.startIndex)
        let hour = number(time[start..<(start + 2)])
        let minute = number(time[(start + 3)..<(start + 5)])
        let second = number(time[(start + 6)..<(start + 8)])
        guard let month = months.firstIndex(of: String(decoding: month, as: UTF8.self)),
            day >= 1, day <= GregorianCalendar.length(ofMonth: month + 1, year), hour < 24, minute < 60, second < 60
        else { return nil }
        let seconds = (hour * 60 + minute) * 60 + second
        return Date(timeIntervalSince1970: Double(GregorianCalendar.days(year, month + 1, day) * 86_400 + seconds))
    }

    /// The year with these last two digits that is at most fifty years from now.
    private static func year(_ digits: Int, near now: Date) -> Int {
        let days = Timestamp(now).clamped.milliseconds / 86_400_000
        let current = GregorianCalendar.date(days: Int(days)).year
        let year = current - current % 100 + digits
        if year > current + 50 { return year - 100 }
        return year <= current - 50 ? year + 100 : year
    }

    private static func matches(_ bytes: ArraySlice<UInt8>, _ form: [UInt8]) -> Bool {
        zip(bytes, form).allSatisfy { byte, kind in
            switch kind {
            case UInt8(ascii: "#"): isDigit(byte)
            case UInt8(ascii: "_"): isDigit(byte) || byte == UInt8(ascii: " ")
            case UInt8(ascii: "?"): isLetter(byte)
            default: byte == kind
            }
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// The number of digits after spaces.
    private static func number(_ text: ArraySlice<UInt8>) -> Int {
        text.reduce(0) { isDigit($1) ? $0 * 10 + Int($1 - UInt8(ascii: "0")) : $0 }
    }
}

/// The `Retry-After` header (RFC 9110 §10.2.3).
enum RetryAfter {
    private static let longest = 86_400

    /// The delay that it asks for, at most one day; nil: invalid.
    ///
    /// - Parameters:
    ///   - date: The header `Date` of the same response: a date of `Retry-After` is one of the same clock.
    ///   - now: By the client's clock, for a response without a valid `Date`.
    static func parse(_ value: String, date: String?, now: Date = Date()) -> Duration? {
        if let seconds = Int(value) { return seconds < 0 ? nil : .seconds(min(seconds, longest)) }
        guard let end = HTTPDate.parse(value, now: now) else { return nil }
        let start = date.flatMap { HTTPDate.parse($0, now: now) } ?? now
        return .seconds(min(max(0, end.timeIntervalSince(start)), Double(longest)))
    }
}
