import AgentInterface
import DBus
import Testing

@testable import feedbell

/// Digest schedules and properties of preferences, in words and as JSON.
@Suite struct PreferenceTextTests {
    private static func digest(
        _ frequency: String,
        interval: UInt32 = 1,
        weekdays: [String]? = nil,
        monthdays: [DigestMonthDay]? = nil,
        time: String? = nil,
        start: String? = nil,
        editable: [String] = ["weekdays", "monthdays", "time", "start"]
    ) -> DigestRecord {
        var digest = DigestRecord()
        (digest.id, digest.frequency, digest.interval) = (frequency, frequency, interval)
        (digest.weekdays, digest.monthdays, digest.time, digest.start) = (weekdays, monthdays, time, start)
        digest.editable = editable
        return digest
    }

    @Test(
        "A digest schedule is a phrase",
        arguments: [
            (digest("weekly", weekdays: ["mo"], time: "09:00"), "weekly, Monday 9:00"),
            (
                digest("weekly", interval: 2, weekdays: ["mo", "th"], time: "14:30"),
                "every 2 weeks, Monday, Thursday 14:30"
            ),
            (digest("weekly_mo2fr", weekdays: ["mo", "tu"], time: "08:05"), "Monday to Friday, 8:05"),
            (digest("daily", time: "00:00", start: "2026-01-31"), "daily, 0:00, from 2026-01-31"),
            (digest("hourly", interval: 3), "every 3 hours"), (digest("instantly"), "at once"),
            (digest("minutely", interval: 0), "every minute"),
            (
                digest("monthly", monthdays: [DigestMonthDay(15), DigestMonthDay(-1)], time: "09:00"),
                "monthly, day 15, last day 9:00"
            ),
            (digest("monthly", monthdays: [DigestMonthDay(1, weekdays: ["mo"])]), "monthly, first Monday"),
            (
                digest("monthly", monthdays: [DigestMonthDay(-1, weekdays: ["sa", "su"])]),
                "monthly, last Saturday/Sunday"
            ),
            (digest("monthly", monthdays: [DigestMonthDay(5, weekdays: ["xx"])]), "monthly, 5. xx"),
            (digest("yearly\u{1B}[31m"), "yearly[31m"),
        ]
    ) func phrases(digest: DigestRecord, words: String) { #expect(digest.words == words) }

    @Test("The line of a schedule names what cannot be changed, and the id if that says more") func lines() {
        let all = Self.digest("daily", time: "09:00", start: "2026-01-31", editable: [])
        #expect(all.line == "digest: daily, 9:00, from 2026-01-31 (fixed)")
        var some = Self.digest("daily", time: "09:00", start: "2026-01-31", editable: ["time"])
        #expect(some.line == "digest: daily, 9:00, from 2026-01-31 (fixed: start)")
        (some.id, some.start) = ("morning", nil)
        #expect(some.line == "digest: daily, 9:00 [morning]")
    }

    @Test("JSON has objects in place of the bus's structures") func json() {
        var category = CategoryRecord()
        category.id = "builds"
        category.channels = [CategoryChannel(name: "inbox", preference: .on, isEditable: true)]
        category.digest = DigestRecord(["monthdays": Value([DigestMonthDay(1, weekdays: ["mo"])])]).values
        var property = PropertyRecord()
        (property.id, property.choices) = ("branches", [Structure("Main", Value.string("main"))])
        category.properties = [property.values]
        #expect(
            JSONText(category).text == """
                {"category":"builds","channels":[{"channel":"inbox","editable":true,"preference":"opt_in"}],\
                "digest":{"monthdays":[{"position":1,"weekdays":["mo"]}]},\
                "properties":[{"choices":[{"label":"Main","value":"main"}],"property":"branches"}]}
                """
        )
        #expect(JSONText(CategoryRecord(["category": .string("x")])).text == "{\"category\":\"x\"}")
    }
}
