import Basics
import MagicBell

/// The user's own changes, which the service reports as events, too: they bring nothing new, and may come after a later
/// change of the same notification.
struct Echoes: Sendable, Equatable {
    /// What an event is.
    enum Match: Sendable, Equatable {
        /// Not the echo of a change.
        case none
        /// Of the last change of the notification.
        case last
        /// Of a change that the user has changed again since.
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

    mutating func add(_ id: String, _ change: StateChange?, now: Timestamp) {
        if expected.count >= Self.capacity { expected.removeFirst() }
        expected.append(Echo(id: id, change: change, time: now))
    }

    /// Whose echo an event is. Each change has one, and they come in order: those of earlier changes of the
    /// notification are not expected any more.
    mutating func take(_ id: String, _ change: StateChange?, now: Timestamp) -> Match {
        expected.removeAll { $0.time.advanced(milliseconds: Self.lifetime) <= now }
        guard let index = expected.firstIndex(where: { $0.id == id && $0.change == change }) else { return .none }
        let isSuperseded = expected[(index + 1)...].contains { $0.id == id }
        var position = 0
        expected.removeAll { echo in
            defer { position += 1 }
            return position <= index && echo.id == id
        }
        return isSuperseded ? .superseded : .last
    }
}
