package import FoundationEssentials

/// How far the service's clock is ahead of ours, from the `Date` headers of its responses (RFC 9110 §6.6.1).
package struct ClockSkew: Sendable, Equatable {
    /// In seconds; negative: behind. Zero until a response shows otherwise.
    package private(set) var offset: TimeInterval = 0
    /// Whether a response with a date was received.
    package private(set) var isKnown = false

    package init() {}

    /// Our clock was set forward by this many seconds; negative: back.
    package mutating func wallClockChanged(by change: TimeInterval) {
        if isKnown { offset -= change }
    }

    /// A response was made at `date`, in whole seconds, between `sent` and `received`.
    package mutating func record(_ date: Date, sent: Date, received: Date) {
        let least = date.timeIntervalSince(received)
        let most = date.timeIntervalSince(sent) + 1
        // The clock was set between the two: ignored.
        guard least <= most else { return }
        isKnown = true
        offset = min(max(offset, least), most)
    }
}
