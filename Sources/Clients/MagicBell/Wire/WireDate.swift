import Basics
import ClientKit

/// The forms of a time in the service's JSON: a number since the Unix epoch (the REST API), or ISO 8601 (the user API).
enum WireDate {
    /// A number of seconds, with or without a fraction; beyond 10¹¹ of milliseconds, beyond 10¹⁴ of microseconds,
    /// beyond 10¹⁷ of nanoseconds. Nil: not positive.
    static func timestamp(_ number: Double) -> Timestamp? {
        guard number > 0 else { return nil }
        let milliseconds =
            switch number {
            case ...1e11: number * 1e3
            case ...1e14: number
            case ...1e17: number / 1e3
            default: number / 1e6
            }
        return Timestamp(milliseconds: Int64(min(milliseconds, 1e18).rounded())).clamped
    }

    /// A time in UTC with milliseconds, for `Timestamp(iso8601:)`.
    static func text(_ time: Timestamp) -> String {
        let (days, rest) = Int(time.clamped.milliseconds).quotientAndRemainder(dividingBy: 86_400_000)
        let date = GregorianCalendar.date(days: days)
        let (seconds, milliseconds) = rest.quotientAndRemainder(dividingBy: 1_000)
        return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))T\(padded(seconds / 3_600, 2)):"
            + "\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2)).\(padded(milliseconds, 3))Z"
    }

    /// A time in any of the forms; nil: none of them.
    static func timestamp(_ value: JSONValue) -> Timestamp? {
        value.number.flatMap(timestamp) ?? value.string.flatMap(Timestamp.init(iso8601:))
    }

    private static func padded(_ number: Int, _ length: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, length - digits.utf8.count)) + digits
    }
}

extension KeyedDecodingContainer where Key == WireKey {
    /// A time in any of the service's forms; nil: absent, null, or none of them.
    func date(_ key: WireKey) -> Timestamp? {
        if let number = value(key, as: Double.self) { return WireDate.timestamp(number) }
        return value(key, as: String.self).flatMap(Timestamp.init(iso8601:))
    }
}
