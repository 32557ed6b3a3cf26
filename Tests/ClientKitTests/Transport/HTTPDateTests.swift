import Basics
import FoundationEssentials
import Testing

@testable import ClientKit

@Suite struct HTTPDateTests {
    @Test(
        "The Date header is read as servers send it",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
            ("Mon, 04 Aug 2025 22:32:25 GMT", 1_754_346_745),
            ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            // A leap second.
            ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
            // Obsolete forms, other time zones, and invalid dates.
            ("Sunday, 06-Nov-94 08:49:37 GMT", nil), ("Sun Nov  6 08:49:37 1994", nil),
            ("Sunday, 06 Nov 94 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 08:49 GMT", nil),
            ("Sun, 06 Nov 1994 08:49:37 UTC", nil), ("Sun, 06 Nov 1994 08:49:37 +00", nil),
            ("Sun, 6 Nov 1994 08:49:37 GMT", nil), ("Sun, 06 nov 1994 08:49:37 GMT", nil),
            ("Sun, 31 Feb 2024 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 25:49:37 GMT", nil),
            ("Sun, 06 Nov 1994 08:49:xx GMT", nil), ("Sun, ½6 Nov 1994 08:49:37 GM", nil),
            ("", nil), ("                             ", nil), (String(repeating: "9", count: 29), nil),
        ] as [(String, Int?)]
    )
    func formats(text: String, seconds: Int?) {
        let response = HTTPResponse(status: 200, headers: [HTTPField("date", text)])
        #expect(response.date == seconds.map { Date(timeIntervalSince1970: Double($0)) })
    }

    /// Our clock is at 08:50:00 of the same day.
    private let now = Date(timeIntervalSince1970: 784_111_800)

    @Test(
        "Retry-After is a number of seconds, or a date by the clock of the response's Date",
        arguments: [
            ("7", nil, 7), ("0", nil, 0), ("999999", nil, 86_400),
            ("Sun, 06 Nov 1994 08:50:20 GMT", nil, 20),
            ("Sun, 06 Nov 1994 08:50:20 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", 43),
            // An hour fast, as is its Date.
            ("Sun, 06 Nov 1994 09:50:20 GMT", "Sun, 06 Nov 1994 09:49:37 GMT", 43),
            ("Sun, 06 Nov 1994 08:50:20 GMT", "yesterday", 20),
            ("Sun, 06 Nov 1994 08:00:00 GMT", nil, 0), ("Fri, 31 Dec 9999 23:59:59 GMT", nil, 86_400),
            ("-1", nil, nil), ("1.5", nil, nil), ("soon", nil, nil), ("", nil, nil),
        ] as [(String, String?, Int?)]
    )
    func retryAfter(value: String, date: String?, seconds: Int?) {
        #expect(RetryAfter.parse(value, date: date, now: now) == seconds.map { .seconds($0) })
        if let date {
            let headers = [HTTPField("Retry-After", value), HTTPField("Date", date)]
            let delay = HTTPResponse(status: 429, headers: headers).retryAfter
            #expect(date == "yesterday" || delay == seconds.map { .seconds($0) })
        }
    }

    @Test("A response without Date has no date") func missingDate() { #expect(HTTPResponse(status: 200).date == nil) }
}
