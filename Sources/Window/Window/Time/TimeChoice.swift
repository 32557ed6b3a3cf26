import AgentInterface
import Glibc
import VisibleText

/// The time until which a notification is snoozed, as the user chooses it: a day of a calendar with a time of day, or
/// words for both.
package struct TimeChoice: Equatable, Sendable {
    /// A date of the calendar.
    package struct Day: Equatable, Sendable {
        package var (year, month, day): (Int, Int, Int)

        package init(year: Int, month: Int, day: Int) { (self.year, self.month, self.day) = (year, month, day) }

        init(of time: Int64) {
            let date = tm(dateOf: time)
            self.init(year: Int(date.tm_year) + 1900, month: Int(date.tm_mon) + 1, day: Int(date.tm_mday))
        }

        fileprivate var date: tm {
            var date = tm()
            (date.tm_year, date.tm_mon, date.tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(day))
            return date
        }
    }

    /// A time that is offered.
    package struct Offer: Equatable, Sendable {
        package var title: String
        /// Milliseconds since the Unix epoch.
        package var time: Int64
        /// In the form of the user's locale.
        package var clock: String { LocalTime(time).clock }
    }

    package private(set) var text: String
    /// The day of the calendar, if the text is a time of day; nil: the next one.
    private var picked: Day?

    /// Tomorrow at nine.
    ///
    /// - Parameter now: Milliseconds since the Unix epoch, as everywhere below.
    package init(now: Int64) {
        let time = SnoozeChoice.tomorrow.until(now: now)
        (text, picked) = (LocalTime(time).clock, Day(of: time))
    }

    package mutating func type(_ text: String, now: Int64) {
        self.text = text
        // Words for a day replace that of the calendar.
        if let reading = reading(now: now), !reading.isTimeOfDay { picked = nil }
    }

    package mutating func pick(_ day: Day, now: Int64) {
        if let reading = reading(now: now), !reading.isTimeOfDay { text = LocalTime(reading.time).clock }
        picked = day
    }

    /// The day that a calendar shows.
    package func day(now: Int64) -> Day { picked ?? Day(of: reading(now: now)?.time ?? now) }

    /// nil: it is none that is to come.
    package func time(now: Int64) -> Int64? { any(now: now).flatMap { $0 > now ? $0 : nil } }

    /// What the text means, or examples of texts, in a sentence.
    package func meaning(now: Int64) -> String {
        time(now: now).map { translated("Until {time}", ["time": LocalTime($0).shown(now: now)]) }
            ?? translated("Examples: {examples}", ["examples": UntilTime.dialogExamples])
    }

    /// Why it cannot be chosen, in a sentence; nil: it can.
    package func problem(now: Int64) -> String? {
        guard let time = any(now: now) else { return TimeText.invalid(text, forms: UntilTime.dialogExamples) }
        return time > now ? nil : UntilTime.past(LocalTime(time).shown(now: now))
    }

    private func reading(now: Int64) -> TimeReader.Reading? {
        TimeReader(direction: .future, hours: .timeOfDay, now: now).reading(UntilTime.words(text))
    }

    private func any(now: Int64) -> Int64? {
        guard let reading = reading(now: now) else { return nil }
        guard reading.isTimeOfDay, let picked else { return reading.time }
        let clock = tm(dateOf: reading.time)
        return picked.date.milliseconds(at: (clock.tm_hour, clock.tm_min))
    }

    /// This evening, tomorrow morning and Monday morning, as far as they are to come.
    package static func offers(now: Int64) -> [Offer] {
        let evening = tm(dateOf: now).milliseconds(at: (18, 0))
        let (tomorrow, monday) = (SnoozeChoice.tomorrow.until(now: now), SnoozeChoice.nextWeek.until(now: now))
        return [
            // Translators: A choice of when a notification pops up again; the time of day stands beside it.
            evening > now ? Offer(title: translated("This Evening"), time: evening) : nil,
            // Translators: As before.
            Offer(title: translated("Tomorrow"), time: tomorrow),
            monday > tomorrow ? Offer(title: Weekday.mo.title, time: monday) : nil,
        ].compactMap(\.self)
    }
}
