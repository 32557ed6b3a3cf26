import Basics
import ClientKit
import FoundationEssentials
import TestSupport
import Testing

@testable import MagicBell

@Suite("Times of the service")
struct WireDateTests {
    @Test(
        "A number is in seconds, and a large one in milliseconds, microseconds or nanoseconds",
        arguments: [
            (1_767_225_600, 1_767_225_600_000), (1_767_225_600.25, 1_767_225_600_250), (1, 1_000),
            (1e11, 100_000_000_000_000), (1_767_225_600_123, 1_767_225_600_123),
            (1_767_225_600_123_456, 1_767_225_600_123), (1_767_225_600_123_456_768, 1_767_225_600_123),
            (1e300, 253_402_300_799_999), (0, nil), (-1, nil), (-1e300, nil),
        ] as [(Double, Int64?)]
    )
    func numbers(number: Double, milliseconds: Int64?) {
        #expect(WireDate.timestamp(number)?.milliseconds == milliseconds)
    }

    @Test(
        "A text is in ISO 8601",
        arguments: [
            ("2026-01-01T00:00:00Z", 1_767_225_600_000), ("2026-01-01T00:00:00.125Z", 1_767_225_600_125),
            ("2026-01-01T00:00:00.1Z", 1_767_225_600_100), ("2026-01-01T00:00:00.123999Z", 1_767_225_600_123),
            ("2026-01-01T00:00:00.000000Z", 1_767_225_600_000), ("2026-01-01 00:00:00", 1_767_225_600_000),
            ("2026-01-01t01:00:00+01:00", 1_767_225_600_000), ("2025-12-31T18:30:00-0530", 1_767_225_600_000),
            ("2026-01-01T01:00:00+01", 1_767_225_600_000), ("2026-01-01T00:00Z", 1_767_225_600_000),
            ("2026-01-01", 1_767_225_600_000), ("2024-02-29T12:00:00Z", 1_709_208_000_000),
            ("2016-12-31T23:59:60Z", 1_483_228_800_000), ("1970-01-01T00:00:00Z", 0), ("1969-01-01T00:00:00Z", 0),
            ("9999-12-31T23:59:59.999Z", 253_402_300_799_999), ("9999-12-31T23:59:59-01:00", 253_402_300_799_999),
            ("0000-01-01T00:00:00Z", 0),
        ] as [(String, Int64)]
    )
    func texts(text: String, milliseconds: Int64) {
        #expect(Timestamp(iso8601: text)?.milliseconds == milliseconds)
    }

    @Test(
        "Another text is no time",
        arguments: [
            "", "now", "2026", "2026-13-01", "2026-00-01", "2026-02-29", "2026-04-31T00:00:00Z", "2026-01-00",
            "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z", "2026-01-01T00:00:00.Z",
            "2026-01-01T00:00:00X", "2026-01-01T00:00:00Z ", "2026-01-01T", "2026-1-1", "+026-01-01", "2026-01-01T00",
            "2026-01-01T00:00:00+1", "2026-01-01T00:00:00+01:", "2026-01-01T00:00:00+24:00", "１２34-01-01",
            "2026-01-01T00:00:00." + String(repeating: "0", count: 100_000) + "Z",
        ]
    )
    func otherTexts(text: String) {
        #expect(Timestamp(iso8601: text) == nil)
    }

    @Test("Every day of four centuries is the one after the day before", arguments: [0, 1_900, 9_600])
    func calendar(first: Int) {
        var date = (year: first, month: 1, day: 1)
        var wrong = 0
        for days in GregorianCalendar.days(first, 1, 1)...GregorianCalendar.days(first + 399, 12, 31) {
            let isSame = GregorianCalendar.days(date.year, date.month, date.day) == days
            if !isSame || GregorianCalendar.date(days: days) != date { wrong += 1 }
            date.day += 1
            if date.day > GregorianCalendar.length(ofMonth: date.month, date.year) {
                date = date.month == 12 ? (date.year + 1, 1, 1) : (date.year, date.month + 1, 1)
            }
        }
        #expect(wrong == 0 && date == (first + 400, 1, 1))
    }

    @Test("A time is written as it is read here and by Foundation")
    func againstFoundation() throws {
        var generator = SeededGenerator(seed: 3)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for _ in 0..<1_000 {
            let time = Timestamp(
                milliseconds: Int64.random(in: 0...Timestamp.latest.milliseconds, using: &generator)
            )
            let text = WireDate.text(time)
            #expect(Timestamp(iso8601: text) == time)
            #expect(Timestamp(try style.parse(text)) == time)
        }
    }

    @Test("A mutated time is read without a trap, and in range")
    func mutations() {
        var generator = SeededGenerator(seed: 5)
        let samples = ["2026-01-01T00:00:00.125Z", "2026-01-01 01:00:00+01:00", "2024-02-29"].map { Array($0.utf8) }
        let bytes = Array("0123456789-:.+TZt ,é".utf8)
        for _ in 0..<20_000 {
            guard var text = samples.randomElement(using: &generator) else { return }
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: text.indices, using: &generator)
                text[index] = bytes.randomElement(using: &generator) ?? 0
            }
            guard let time = Timestamp(iso8601: String(decoding: text, as: UTF8.self)) else { continue }
            if time < 0 || time > .latest { Issue.record("\(text) is \(time.milliseconds)") }
        }
    }
}
