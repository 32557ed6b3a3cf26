import FoundationEssentials
import Testing

@testable import Transport

@Suite struct HTTPDateTests {
    @Test(
        "The Date header is read in its current form only",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
            ("Mon, 04 Aug 2025 22:32:25 GMT", 1_754_346_745),
            ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            // The obsolete forms, other time zones, and invalid dates.
            ("Sunday, 06-Nov-94 08:49:37 GMT", nil), ("Sun Nov  6 08:49:37 1994", nil),
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

    @Test("A response without Date has no date") func missingDate() { #expect(HTTPResponse(status: 200).date == nil) }
}
