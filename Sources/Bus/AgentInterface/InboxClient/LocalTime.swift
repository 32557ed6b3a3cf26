import Glibc

/// A time in the user's time zone.
package struct LocalTime {
    private let parts: tm

    /// - Parameter milliseconds: Since the Unix epoch.
    package init(_ milliseconds: Int64) {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        self.parts = parts
    }

    /// The present time in milliseconds since the Unix epoch. From now on, local times are in the present time zone:
    /// `localtime_r(3)` does not look for a change of it.
    package static var now: Int64 {
        tzset()
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// `09:12` on the day of `now`, otherwise `2026-11-20 09:12`.
    package func text(now: Int64) -> String {
        let today = LocalTime(now).parts
        let time = "\(Self.padded(parts.tm_hour)):\(Self.padded(parts.tm_min))"
        guard (parts.tm_year, parts.tm_yday) != (today.tm_year, today.tm_yday) else { return time }
        return "\(date) \(time)"
    }

    /// `2026-11-20`.
    package var date: String {
        "\(parts.tm_year + 1900)-\(Self.padded(parts.tm_mon + 1))-\(Self.padded(parts.tm_mday))"
    }

    private static func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
