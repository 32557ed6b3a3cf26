package import Basics

/// The user's own changes, which the service reports as events, too: they bring nothing new, and may come after a later
/// change of the same notification.
package struct Echoes: Sendable, Equatable {
    /// Whether an event is the echo of one of the user's changes.
    package enum Match: Sendable, Equatable {
        /// Not the echo of a change.
        case none
        /// Of a change that still applies.
        case current
        /// Of a change that the user has undone or made once more since. The echo of the later change follows.
        case superseded
    }

    private struct Echo: Sendable, Equatable {
        var id: String
        /// nil: deleted.
        var change: StateChange?
        var time: Timestamp
    }

    /// In milliseconds: after this time an event is not an echo.
    private static let lifetime: Int64 = 10_000
    private static let capacity = 64

    private var expected: [Echo] = []

    package init() {}

    package mutating func add(_ id: String, _ change: StateChange?, now: Timestamp) {
        if expected.count >= Self.capacity { expected.removeFirst() }
        expected.append(Echo(id: id, change: change, time: now))
    }

    /// Whose echo an event is. Each change has one, and they come in order: those of earlier changes of the
    /// notification are not expected any more.
    package mutating func take(_ id: String, _ change: StateChange?, now: Timestamp) -> Match {
        expected.removeAll { $0.time.advanced(milliseconds: Self.lifetime) <= now }
        guard let index = expected.firstIndex(where: { $0.id == id && $0.change == change }) else { return .none }
        let isSuperseded = expected[(index + 1)...].contains { $0.id == id && Self.replaces($0.change, change) }
        var position = 0
        expected.removeAll { echo in
            defer { position += 1 }
            return position <= index && echo.id == id
        }
        return isSuperseded ? .superseded : .current
    }

    /// Whether a change leaves nothing of an earlier one; nil: deleted.
    private static func replaces(_ later: StateChange?, _ earlier: StateChange?) -> Bool {
        switch (later, earlier) {
        case (nil, _): true
        case (.read?, .read?), (.read?, .unread?), (.unread?, .read?), (.unread?, .unread?): true
        case (.archived?, .archived?), (.archived?, .unarchived?): true
        case (.unarchived?, .archived?), (.unarchived?, .unarchived?): true
        case (.seen?, .seen?), (.read?, .seen?): true
        case (.some, _): false
        }
    }
}
