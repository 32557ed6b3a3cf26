package import FoundationEssentials

/// A point in time as the service writes it: whole milliseconds since the Unix epoch.
package struct Milliseconds: Sendable, Hashable, Comparable, ExpressibleByIntegerLiteral {
    package var value: Int64

    package init(_ value: Int64) { self.value = value }

    package init(integerLiteral value: Int64) { self.value = value }

    /// The date's millisecond; dates beyond the range of `Int64` become its ends.
    package init(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        value = Int64(exactly: milliseconds) ?? (milliseconds > 0 ? .max : .min)
    }

    package var date: Date { Date(timeIntervalSince1970: Double(value) / 1000) }

    package static func < (a: Milliseconds, b: Milliseconds) -> Bool { a.value < b.value }

    /// How long from `self` to `later`, clamped to 0 … `limit`.
    func duration(to later: Milliseconds, limit: Duration) -> Duration {
        let (difference, overflow) = later.value.subtractingReportingOverflow(value)
        if overflow { return later.value > value ? limit : .zero }
        return difference <= 0 ? .zero : min(.milliseconds(difference), limit)
    }
}
