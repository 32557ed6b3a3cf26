import Basics
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

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func parse(_ text: String) -> Date? {
        let bytes = Array(text.utf8)
        guard bytes.count == 29, bytes[4] == space, bytes[7] == space, bytes[11] == space, bytes[16] == space,
            bytes[19] == colon, bytes[22] == colon, text.hasSuffix(" GMT"),
            let month = months.firstIndex(of: String(decoding: bytes[8..<11], as: UTF8.self)),
            let day = number(bytes[5..<7]), let year = number(bytes[12..<16]), let hour = number(bytes[17..<19]),
            let minute = number(bytes[20..<22]), let second = number(bytes[23..<25]),
            day >= 1, day <= GregorianCalendar.length(ofMonth: month + 1, year), hour < 24, minute < 60, second < 60
        else { return nil }
        let time = (hour * 60 + minute) * 60 + second
        let days = GregorianCalendar.days(year, month + 1, day)
        return Date(timeIntervalSince1970: Double(days * 86_400 + time))
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
}
