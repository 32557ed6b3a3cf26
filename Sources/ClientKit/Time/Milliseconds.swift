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

    /// The last millisecond of the year 9999, the latest that people and their programs write down.
    package static let latest: Milliseconds = 253_402_300_799_999

    /// When a row was made, of which the service says `raw`: not before the Unix epoch, not after the year 9999. Whatever is later than
    /// that is no number of milliseconds: it is taken for microseconds or nanoseconds.
    package init(created raw: Int64) {
        value = max(0, raw)
        while value > Self.latest.value { value /= 1000 }
    }

    /// The same moment, not before the Unix epoch and not after the year 9999: fit to be displayed.
    package var clamped: Milliseconds { min(max(self, 0), .latest) }

    /// So many milliseconds later; the ends of the range are not passed.
    package func advanced(by difference: Int64) -> Milliseconds {
        let (sum, isTooMuch) = value.addingReportingOverflow(difference)
        return Milliseconds(isTooMuch ? (difference < 0 ? .min : .max) : sum)
    }

    package var date: Date { Date(timeIntervalSince1970: Double(value) / 1000) }

    package static func < (a: Milliseconds, b: Milliseconds) -> Bool { a.value < b.value }

    /// How long from `self` to `later`, clamped to 0 … `limit`.
    package func duration(to later: Milliseconds, limit: Duration) -> Duration {
        let (difference, overflow) = later.value.subtractingReportingOverflow(value)
        if overflow { return later.value > value ? limit : .zero }
        return difference <= 0 ? .zero : min(.milliseconds(difference), limit)
    }
}
