import Basics
import MagicBell

/// The requests for single notifications after events: few at a time and not too many in a row, with results in the
/// order of the events.
struct SingleRequests: Sendable, Equatable {
    struct Request: Sendable, Equatable {
        var id: String
        /// The time of the request: the response includes everything that happened before.
        var number: UInt64
        /// Whether the event announced a new notification, or changed one.
        var isNew: Bool
    }

    struct Result: Sendable, Equatable {
        var request: Request
        var row: InboxNotification
    }

    private enum Progress: Sendable, Equatable {
        case waiting
        case inFlight
        /// Its request failed once: later ones no longer wait for it.
        case late
        /// nil: it could not be loaded.
        case finished(InboxNotification?)
    }

    private struct Entry: Sendable, Equatable {
        var request: Request
        var progress: Progress
    }

    /// The maximum number of entries.
    static let capacity = 8
    /// The maximum number of concurrent requests.
    static let width = 4
    /// In milliseconds, and the maximum number of requests within that time.
    static let window: (length: Int64, requests: Int) = (10_000, 8)

    /// In the order of the events.
    private var entries: [Entry] = []
    /// The times of the last events that needed a request.
    private var recent: [Timestamp] = []

    var isEmpty: Bool { entries.isEmpty }

    /// Whether a request for a new notification with this id is due or in flight.
    func isNew(_ id: String) -> Bool { entries.contains { $0.request.id == id && $0.request.isNew } }

    /// Adds an event. False: there are too many.
    mutating func add(_ id: String, isNew: Bool, now: Timestamp) -> Bool {
        if let index = entries.firstIndex(where: { $0.request.id == id && (isNew || $0.progress == .waiting) }) {
            // One request serves both events.
            if isNew { entries[index].request.isNew = true }
            return true
        }
        recent.removeAll { $0.advanced(milliseconds: Self.window.length) <= now || $0 > now }
        guard entries.count < Self.capacity, recent.count < Self.window.requests else { return false }
        recent.append(now)
        entries.append(Entry(request: Request(id: id, number: 0, isNew: isNew), progress: .waiting))
        return true
    }

    /// The next request, if the limit allows one.
    mutating func begin(_ number: UInt64) -> Request? {
        let active = entries.count { $0.progress == .inFlight || $0.progress == .late }
        guard active < Self.width, let index = entries.firstIndex(where: { $0.progress == .waiting }) else {
            return nil
        }
        entries[index].progress = .inFlight
        entries[index].request.number = number
        return entries[index].request
    }

    /// The request failed and will be sent again: later results do not wait for it.
    mutating func retry(_ request: Request) -> [Result] {
        guard let index = index(of: request) else { return [] }
        entries[index].progress = .late
        return take()
    }

    /// The request is sent again; nil: it is not needed any more.
    mutating func again(_ request: Request, _ number: UInt64) -> Request? {
        guard let index = index(of: request) else { return nil }
        entries[index].request.number = number
        return entries[index].request
    }

    /// The request ended; nil: without a notification. Returns the results that are ready, in the order of the events.
    mutating func finish(_ request: Request, _ row: InboxNotification?) -> [Result] {
        guard let index = index(of: request) else { return [] }
        entries[index].progress = .finished(row)
        return take()
    }

    /// Discards all. Returns the ids of the new notifications.
    mutating func abandon() -> [String] {
        defer { entries = [] }
        return entries.filter(\.request.isNew).map(\.request.id)
    }

    private func index(of request: Request) -> Int? {
        entries.firstIndex { $0.request.number == request.number && $0.progress != .waiting }
    }

    private mutating func take() -> [Result] {
        var results: [Result] = []
        var isBlocked = false
        entries.removeAll { entry in
            switch entry.progress {
            case .late: return false
            case .waiting, .inFlight:
                isBlocked = isBlocked || entry.request.isNew
                return false
            case .finished(let row):
                // Only new notifications have an order.
                if isBlocked, entry.request.isNew { return false }
                if let row { results.append(Result(request: entry.request, row: row)) }
                return true
            }
        }
        return results
    }
}
