package import FoundationEssentials

/// A moment of wall-clock time: whole milliseconds since the Unix epoch. Arithmetic and conversions are clamped to the
/// range of the type.
package struct Timestamp: Sendable, Hashable, Comparable, ExpressibleByIntegerLiteral {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package let milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    package init(integerLiteral milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The date, rounded to milliseconds.
    package init(_ date: Date) {
        let exact = (date.timeIntervalSince1970 * 1000).rounded()
        milliseconds = Int64(exactly: exact) ?? (exact > 0 ? .max : .min)
    }

    /// The creation time of a notification, as a service sends it: between the Unix epoch and ``latest``. A later value
    /// is interpreted as microseconds or nanoseconds.
    package init(created raw: Int64) {
        var value = max(0, raw)
        while value > Self.latest.milliseconds { value /= 1000 }
        milliseconds = value
    }

    /// The last millisecond of the year 9999, the latest that common date formats can write.
    package static let latest: Timestamp = 253_402_300_799_999

    /// In milliseconds: how far the clocks of this computer and of a service may be apart. A time that a service gives
    /// is wrong if it is later than now by more than this.
    package static let clockTolerance: Int64 = 300_000

    /// This time for display: between the Unix epoch and ``latest``.
    package var clamped: Timestamp { min(max(self, 0), .latest) }

    package var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

    /// The moment `difference` milliseconds later.
    package func advanced(milliseconds difference: Int64) -> Timestamp {
        let (sum, isTooMuch) = milliseconds.addingReportingOverflow(difference)
        return Timestamp(milliseconds: isTooMuch ? (difference < 0 ? .min : .max) : sum)
    }

    /// The duration from this moment to another one; negative if that one is earlier.
    package func duration(to other: Timestamp) -> Duration {
        .milliseconds(other.milliseconds) - .milliseconds(milliseconds)
    }

    package static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }
}
