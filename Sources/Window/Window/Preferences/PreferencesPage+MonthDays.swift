import AgentInterface
import DBus
import VisibleText

/// The days of the month on which a digest is sent. Each is a number, or a week and days of it: the first Monday.
extension PreferencesPage {
    /// The weeks that a row lets the user choose from; -1: the last one.
    private static let weeks: [Int32] = [1, 2, 3, 4, -1]

    private static var weekNames: [String] {
        [
            // Translators: The week of a month in which a digest is sent, as in "the first Monday".
            translated("First"), translated("Second"), translated("Third"), translated("Fourth"), translated("Last"),
        ]
    }

    func monthDayRows(_ digest: DigestRecord, of category: String) -> [Row] {
        let isEditable = digest.editable.contains("monthdays")
        return (digest.monthdays ?? []).prefix(Self.partLimit).enumerated().flatMap { index, day in
            let isWeek = !day.weekdays.isEmpty
            let position = Row(
                .monthDay(category: category, index),
                title: isWeek ? translated("Digest: Week of the Month") : translated("Digest: Day of the Month"),
                text: isEditable ? "" : Self.fixed,
                value: isWeek ? .choice(Self.weeks.firstIndex(of: day.position)) : .number(Int64(day.position)),
                choices: isWeek ? Self.weekNames : [],
                isEditable: isEditable
            )
            guard isWeek else { return [position] }
            let names = Row(
                .monthDayNames(category: category, index),
                title: translated("Digest: Days"),
                text: isEditable ? "" : Self.fixed,
                value: .several(Weekday.codes.indices(of: day.weekdays)),
                choices: Weekday.allCases.map(\.title),
                isEditable: isEditable
            )
            return [position, names]
        }
    }

    /// The change that gives a row of ``monthDayRows(_:of:)`` this value; nil: the row cannot have it.
    func monthDayChange(_ row: PreferenceRow, _ value: FormValue, in account: String) -> DigestChangeRecord? {
        guard let id = row.category, let known = contents[account],
            let category = known.categories.first(where: { $0.id == id }),
            var days = DigestRecord(category.digest).monthdays
        else { return nil }
        // The user's changes that are not confirmed yet stay.
        for index in days.indices {
            for row in [PreferenceRow.monthDay(category: id, index), .monthDayNames(category: id, index)] {
                if let value = known.set[row] { _ = Self.apply(value, to: row, of: &days) }
            }
        }
        guard Self.apply(value, to: row, of: &days) else { return nil }
        var change = DigestChangeRecord()
        change.monthdays = days
        return change
    }

    private static func apply(_ value: FormValue, to row: PreferenceRow, of days: inout [DigestMonthDay]) -> Bool {
        switch (row, value) {
        case (.monthDay(_, let index), .number(let day)) where days.indices.contains(index):
            days[index].position = Int32(clamping: day)
        case (.monthDay(_, let index), .choice(let week?)) where days.indices.contains(index):
            days[index].position = weeks[week]
        // Without a day it would be another kind of position.
        case (.monthDayNames(_, let index), .several(let names)) where days.indices.contains(index) && !names.isEmpty:
            days[index].weekdays = Weekday.codes.elements(at: names)
        default: return false
        }
        return true
    }
}
