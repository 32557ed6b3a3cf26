import NIOCore

/// How much longer than usual the other side is waited for, as a value: on a link with a long round trip no connection
/// would ever be opened within the usual time.
struct Patience: Sendable, Equatable {
    /// 1, 2 or 4 times.
    private(set) var factor: Int64 = 1

    /// An attempt that could take ``factor`` times as long as usual took too long.
    mutating func ranOut(of factor: Int64) { if factor == self.factor, factor < 4 { self.factor *= 2 } }

    /// An attempt succeeded. One that took less than half the usual time shows that the link is good again.
    mutating func succeeded(in time: TimeAmount, usually limit: TimeAmount) { if time * 2 < limit { factor = 1 } }
}
