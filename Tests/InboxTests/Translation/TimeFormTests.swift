import Glibc
import Testing

@testable import VisibleText

/// The formats are those of glibc 2.36.
@Suite struct TimeFormTests {
    private static func form(_ dateAndTime: String, _ time: String, halves: [String] = ["", ""]) -> TimeForm {
        TimeForm(dateAndTime: dateAndTime, date: "%x", time: time, halves: halves)
    }

    @Test(
        "A day is written in the order of the locale",
        arguments: [
            ("%a %b %e %H:%M:%S %Z %Y", "%b %-d"), ("%a %-d. %b %H:%M:%S %Z %Y", "%-d. %b"),
            ("%a %d %b %Y %T %Z", "%-d %b"), ("%Y年 %b %e日 %A %H:%M:%S %Z", "%b %-d日"), ("%c", "%-d %b"),
        ]
    )
    func days(dateAndTime: String, expected: String) { #expect(Self.form(dateAndTime, "%T").day == expected) }

    @Test("There are 12 or 24 hours as the locale says, or as the desktop does") func hours() {
        let day = Self.form("", "%T")
        #expect(day.time(hour: 18, minute: 5) == "18:05" && day.time(hour: 0, minute: 0) == "0:00")
        let english = Self.form("", "%r", halves: ["AM", "PM"])
        #expect(english.time(hour: 18, minute: 5) == "6:05 PM" && english.time(hour: 0, minute: 0) == "12:00 AM")
        #expect(english.time(hour: 12, minute: 0) == "12:00 PM")
        let german = TimeForm(dateAndTime: "", date: "", time: "%T", halves: ["", ""], isTwelveHours: true)
        #expect(german.time(hour: 9, minute: 0) == "9:00 AM", "its locale has no words for them")
    }

    @Test("In the locale C, a date is written in its order") func date() {
        var date = tm()
        (date.tm_year, date.tm_mon, date.tm_mday) = (126, 10, 5)
        #expect(TimeForm.current.date(date, hasYear: false) == "Nov 5")
        #expect(TimeForm.current.date(date, hasYear: true) == "11/05/26")
    }
}
