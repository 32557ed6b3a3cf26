import NIOCore

/// The factor of the default timeouts, as a value: on a link with a long round trip no connection is opened within
/// them.
struct TimeoutScale: Sendable, Equatable {
    /// 1, 2 or 4 times.
    private(set) var factor: Int64 = 1

    /// An attempt with this factor timed out.
    mutating func timedOut(at factor: Int64) { if factor == self.factor, factor < 4 { self.factor *= 2 } }

    /// An attempt succeeded. One that took less than half the default timeout shows that the link is good again.
    mutating func succeeded(in time: TimeAmount, default limit: TimeAmount) { if time * 2 < limit { factor = 1 } }
}
