package import FoundationEssentials

/// A time in the service's form: whole milliseconds since the Unix epoch.
package struct Milliseconds: Sendable, Hashable, Comparable, ExpressibleByIntegerLiteral {
    package var value: Int64

    package init(_ value: Int64) { self.value = value }

    package init(integerLiteral value: Int64) { self.value = value }

    /// The date's millisecond; dates out of the range of `Int64` are clamped.
    package init(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        value = Int64(exactly: milliseconds) ?? (milliseconds > 0 ? .max : .min)
    }

    /// The last millisecond of the year 9999, the latest that common date formats can write.
    package static let latest: Milliseconds = 253_402_300_799_999

    /// The creation time of a row from the service's `raw`: between the Unix epoch and the year 9999. A later value is
    /// interpreted as microseconds or nanoseconds.
    package init(created raw: Int64) {
        value = max(0, raw)
        while value > Self.latest.value { value /= 1000 }
    }

    /// This time, clamped to the Unix epoch … the year 9999 for display.
    package var clamped: Milliseconds { min(max(self, 0), .latest) }

    /// This time plus `difference` milliseconds, clamped to the range of `Int64`.
    package func advanced(by difference: Int64) -> Milliseconds {
        let (sum, isTooMuch) = value.addingReportingOverflow(difference)
        return Milliseconds(isTooMuch ? (difference < 0 ? .min : .max) : sum)
    }

    package var date: Date { Date(timeIntervalSince1970: Double(value) / 1000) }

    package static func < (a: Milliseconds, b: Milliseconds) -> Bool { a.value < b.value }

    /// The time from `self` to `later`, clamped to 0 … `limit`.
    package func duration(to later: Milliseconds, limit: Duration) -> Duration {
        let (difference, overflow) = later.value.subtractingReportingOverflow(value)
        if overflow { return later.value > value ? limit : .zero }
        return difference <= 0 ? .zero : min(.milliseconds(difference), limit)
    }
}
