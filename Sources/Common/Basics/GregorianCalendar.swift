/// Dates by arithmetic, because the format styles of Foundation take thirty times as long.
package enum GregorianCalendar {
    /// The number of days in a month, 1 to 12, of a year.
    package static func length(ofMonth month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1970-01-01 of a year from 0 to 9999. The year begins in March here, so that a leap day is its last.
    package static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        // 400 years of 146,097 days each are added, because the division rounds towards zero.
        let year = (month <= 2 ? year - 1 : year) + 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        // 1970-01-01 is day 719,468 of this count.
        return 365 * year + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468 - 146_097
    }

    /// Year, month and day of a number of days since 1970-01-01, for the years 0 to 9999.
    package static func date(days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468 + 146_097
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let civil = month < 10 ? month + 3 : month - 9
        let year = yearOfEra + era * 400 - 400 + (civil <= 2 ? 1 : 0)
        return (year, civil, dayOfYear - (153 * month + 2) / 5 + 1)
    }
}
