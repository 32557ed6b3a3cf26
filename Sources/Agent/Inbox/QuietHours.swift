/// Hours of the week in which no popups are shown (`[quiet]`).
package struct QuietHours: Equatable, Sendable {
    package var hours: WeeklyHours
    package var letsCriticalThrough: Bool

    package init(hours: WeeklyHours, letsCriticalThrough: Bool = false) {
        self.hours = hours
        self.letsCriticalThrough = letsCriticalThrough
    }
}
