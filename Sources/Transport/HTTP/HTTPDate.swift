package import FoundationEssentials

extension HTTPResponse {
    /// When the server made the response (`Date`, RFC 9110 §6.6.1), in whole seconds; nil: absent, or not an
    /// IMF-fixdate (RFC 9110 §5.6.7).
    package var date: Date? { header("Date").flatMap(HTTPDate.parse) }
}

enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`. By arithmetic, because every response has a date and the format styles
    /// take thirty times as long.
    static func parse(_ text: String) -> Date? {
        let bytes = Array(text.utf8)
        guard bytes.count == 29, bytes[4] == space, bytes[7] == space, bytes[11] == space, bytes[16] == space,
            bytes[19] == colon, bytes[22] == colon, text.hasSuffix(" GMT"),
            let month = months.firstIndex(of: String(decoding: bytes[8..<11], as: UTF8.self)),
            let day = number(bytes[5..<7]), let year = number(bytes[12..<16]), let hour = number(bytes[17..<19]),
            let minute = number(bytes[20..<22]), let second = number(bytes[23..<25]),
            day >= 1, day <= length(ofMonth: month + 1, year), hour < 24, minute < 60, second < 60
        else { return nil }
        let time = (hour * 60 + minute) * 60 + second
        return Date(timeIntervalSince1970: Double(days(year, month + 1, day) * 86_400 + time))
    }

    private static let space = UInt8(ascii: " ")
    private static let colon = UInt8(ascii: ":")

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var number = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return number
    }

    private static func length(ofMonth month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1970-01-01 in the Gregorian calendar. The year begins in March here, so that a leap day is its last.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        // 1970-01-01 is day 719,468 of this count.
        return 365 * year + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }
}
