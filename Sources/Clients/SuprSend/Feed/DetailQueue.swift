/// A bounded queue between realtime events, which contain only an id, and the rows: it limits the concurrent requests
/// and returns the rows in the order of the events.
struct DetailQueue: Sendable, Equatable {
    /// A request for one row.
    struct Ticket: Sendable, Equatable {
        var id: String
        /// The time of the request: the response includes everything that happened before.
        var number: UInt64
    }

    /// The result of one request.
    struct Outcome: Sendable, Equatable {
        var id: String
        /// The number of the event.
        var arrived: UInt64
        /// The number of the request.
        var requestNumber: UInt64
        /// Whether the event announced a new notification or changed an older one.
        var isNew: Bool
        /// Nil: the row could not be loaded.
        var row: FeedNotification?
    }

    private struct Entry: Sendable, Equatable {
        var id: String
        var arrived: UInt64
        var requestNumber: UInt64 = 0
        var isNew: Bool
        var isStarted = false
        var isFinished = false
        /// The request failed once: later rows no longer wait for it.
        var isLate = false
    }

    /// The maximum number of concurrent requests.
    static let width = 4
    /// The maximum number of waiting events.
    static let capacity = 1024
    /// The maximum number of finished rows that wait for an earlier one.
    static let waitingLimit = 64

    /// In the order of the events. Entries with a started request come first.
    private var entries: [Entry] = []
    /// The rows of finished requests that wait for an earlier one, by `requestNumber`.
    private var rows: [UInt64: FeedNotification] = [:]

    var isEmpty: Bool { entries.isEmpty }

    /// Adds an event. False: the queue is full.
    mutating func add(_ id: String, isNew: Bool, at number: UInt64) -> Bool {
        if let index = entries.firstIndex(where: { $0.id == id && (isNew || !$0.isStarted) }) {
            // One request serves both events; the same new notification twice counts once.
            if isNew, !entries[index].isNew {
                entries[index].isNew = true
                entries[index].arrived = number
            }
            return true
        }
        guard entries.count < Self.capacity else { return false }
        entries.append(Entry(id: id, arrived: number, isNew: isNew))
        return true
    }

    /// The next request, if the limit allows one.
    mutating func start(_ number: UInt64) -> Ticket? {
        let started = entries.prefix(while: \.isStarted)
        guard started.endIndex < entries.endIndex, started.count(where: { !$0.isFinished }) < Self.width else {
            return nil
        }
        let index = started.endIndex
        entries[index].isStarted = true
        entries[index].requestNumber = number
        return Ticket(id: entries[index].id, number: entries[index].requestNumber)
    }

    /// The request failed and will be retried: later rows do not wait for it. Returns the rows that are ready.
    mutating func retry(_ ticket: Ticket) -> [Outcome] {
        guard let index = index(of: ticket) else { return [] }
        entries[index].isLate = true
        return take()
    }

    /// The request is sent again. False: it is not needed any more.
    mutating func again(_ ticket: Ticket, _ number: UInt64) -> Bool {
        guard let index = index(of: ticket) else { return false }
        entries[index].requestNumber = number
        return true
    }

    /// The request ended. Returns the rows that are ready, in the order of the events.
    mutating func finish(_ ticket: Ticket, _ row: FeedNotification?) -> [Outcome] {
        guard let index = index(of: ticket) else { return [] }
        entries[index].isFinished = true
        rows[ticket.number] = row
        return take()
    }

    /// Cancels all requests. Returns the ids of the new notifications in the queue, and the numbers of the unfinished
    /// requests.
    mutating func abandon() -> (newIDs: [String], tickets: [UInt64]) {
        defer { self = DetailQueue() }
        return (
            entries.filter(\.isNew).map(\.id), entries.filter { $0.isStarted && !$0.isFinished }.map(\.requestNumber)
        )
    }

    private func index(of ticket: Ticket) -> Int? {
        entries.prefix(while: \.isStarted).firstIndex { !$0.isFinished && $0.requestNumber == ticket.number }
    }

    private mutating func take() -> [Outcome] {
        let exceedsLimit = entries.prefix(while: \.isStarted).count(where: \.isFinished) > Self.waitingLimit
        var taken: [Outcome] = []
        var isBlocked = false
        var index = 0
        while index < entries.count, entries[index].isStarted {
            let entry = entries[index]
            // Only new notifications have an order; the state of a known row follows from the number of its request.
            if entry.isFinished, !entry.isNew || !isBlocked || exceedsLimit || entry.isLate {
                entries.remove(at: index)
                taken.append(
                    Outcome(
                        id: entry.id,
                        arrived: entry.arrived,
                        requestNumber: entry.requestNumber,
                        isNew: entry.isNew,
                        row: rows.removeValue(forKey: entry.requestNumber)
                    )
                )
            } else {
                if entry.isNew, !entry.isLate { isBlocked = true }
                index += 1
            }
        }
        return taken
    }
}
