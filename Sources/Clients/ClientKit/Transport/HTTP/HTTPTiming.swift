import NIOCore

/// How long a request may take, as a value.
struct HTTPTiming: Sendable, Equatable {
    /// The total time of a request whose timeout restarts, in timeouts: five minutes.
    static let totalFactor = 15
    /// The factor for a divisible request.
    static let divisibleTotalFactor = 3

    /// The factor of a timeout that restarts.
    let factor: Int64
    private let timeout: TimeAmount
    private let restartsTimeout: Bool
    private let isDivisible: Bool
    private let started: NIODeadline
    /// When it was sent, or else started.
    private var sent: NIODeadline
    /// When it was sent, or the last part of the response arrived.
    private var progress: NIODeadline
    /// The size of the response so far, in bytes; decompressed, which makes a compressed one look faster.
    private var received = 0
    /// The size of the response that the server announced; nil: none.
    private var announced: Int?

    init(_ request: HTTPRequest, factor: Int64 = 1, now: NIODeadline) {
        self.factor = factor
        timeout = TimeAmount(request.timeout) * (request.restartsTimeout ? factor : 1)
        (restartsTimeout, isDivisible) = (request.restartsTimeout, request.isDivisible)
        (started, sent, progress) = (now, now, now)
    }

    mutating func sent(now: NIODeadline) { (sent, progress) = (now, now) }

    /// - Parameter announced: `Content-Length`.
    mutating func began(announced: Int?, now: NIODeadline) { (self.announced, progress) = (announced, now) }

    mutating func received(_ size: Int, now: NIODeadline) {
        received += size
        progress = now
    }

    /// When to look again; nil: it has taken too long.
    func nextCheck(now: NIODeadline) -> NIODeadline? {
        guard restartsTimeout else { return later(sent + timeout, now) }
        if isDivisible, let announced, received > 0, now >= started + timeout {
            let whole = Double((now - started).nanoseconds) * Double(announced) / Double(received)
            if whole > Double((timeout * Int64(Self.divisibleTotalFactor)).nanoseconds) { return nil }
        }
        let end = started + timeout * Int64(isDivisible ? Self.divisibleTotalFactor : Self.totalFactor)
        // The first look is at the timeout.
        let first = started + timeout
        return later(min(progress + timeout, end, first > now ? first : .distantFuture), now)
    }

    /// Whether a request for less may have its answer in time: a part of this one has arrived.
    var isTooSlow: Bool { isDivisible && received > 0 }

    private func later(_ deadline: NIODeadline, _ now: NIODeadline) -> NIODeadline? { deadline > now ? deadline : nil }
}
