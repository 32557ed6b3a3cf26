package import FoundationEssentials

/// How far the service's clock is ahead of ours, from the `Date` headers of its answers (RFC 9110 §6.6.1).
package struct ClockSkew: Sendable, Equatable {
    /// In seconds; negative: behind. Zero as long as nothing contradicts it.
    package private(set) var offset: TimeInterval = 0
    /// Whether an answer has told.
    package private(set) var isKnown = false

    package init() {}

    /// Our clock was put forward, or back, by so many seconds.
    package mutating func clockWasSet(by change: TimeInterval) {
        if isKnown { offset -= change }
    }

    /// An answer was made at `date`, which has whole seconds, somewhen between `asked` and `received`.
    package mutating func heard(_ date: Date, asked: Date, received: Date) {
        let least = date.timeIntervalSince(received)
        let most = date.timeIntervalSince(asked) + 1
        // A clock that was set between the two says nothing.
        guard least <= most else { return }
        isKnown = true
        offset = min(max(offset, least), most)
    }
}
