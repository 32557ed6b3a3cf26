/// The queue between the service's "something about this id" and the row itself: bounded, a few requests at a time, answers handed
/// out in the order in which the events came.
struct Arrivals: Sendable, Equatable {
    /// One request for one row.
    struct Ticket: Sendable, Equatable {
        var id: String
        /// When it was asked for: an answer knows at least what happened before.
        var number: UInt64
    }

    /// One row that came, or did not.
    struct Outcome: Sendable, Equatable {
        var id: String
        /// When the event came.
        var arrived: UInt64
        /// When the row was asked for.
        var asked: UInt64
        /// Whether it is news, or a change of something older.
        var isNew: Bool
        /// Nil: it could not be had.
        var row: FeedNotification?
    }

    private struct Entry: Sendable, Equatable {
        var id: String
        var arrived: UInt64
        var asked: UInt64 = 0
        var isNew: Bool
        var isStarted = false
        var isFinished = false
        /// It failed once: others need not wait for it any longer.
        var isLate = false
    }

    /// Requests under way at once.
    static let width = 4
    /// Events waiting.
    static let capacity = 1024
    /// Finished rows that wait for an earlier one before they stop waiting.
    static let patience = 64

    /// In the order of the events. Those whose request was started come first.
    private var entries: [Entry] = []
    /// The rows of finished requests that wait for an earlier one, by `asked`.
    private var rows: [UInt64: FeedNotification] = [:]

    var isEmpty: Bool { entries.isEmpty }

    /// Takes in an event. False: there is no room.
    mutating func add(_ id: String, isNew: Bool, at number: UInt64) -> Bool {
        if let index = entries.firstIndex(where: { $0.id == id && (isNew || !$0.isStarted) }) {
            // One request serves both; the same news twice is one piece of news.
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

    /// The next request to make now, if one may be made.
    mutating func start(_ number: UInt64) -> Ticket? {
        let started = entries.prefix(while: \.isStarted)
        guard started.endIndex < entries.endIndex, started.count(where: { !$0.isFinished }) < Self.width else {
            return nil
        }
        let index = started.endIndex
        entries[index].isStarted = true
        entries[index].asked = number
        return Ticket(id: entries[index].id, number: entries[index].asked)
    }

    /// The request failed and is made again: later ones need not wait for it. Returns what can be handed out.
    mutating func retry(_ ticket: Ticket) -> [Outcome] {
        guard let index = index(of: ticket) else { return [] }
        entries[index].isLate = true
        return take()
    }

    /// The request ended. Returns what can be handed out, in the order of the events.
    mutating func finish(_ ticket: Ticket, _ row: FeedNotification?) -> [Outcome] {
        guard let index = index(of: ticket) else { return [] }
        entries[index].isFinished = true
        rows[ticket.number] = row
        return take()
    }

    /// Gives up everything. Returns the ids of the news among it, and the numbers of the requests that will not be finished.
    mutating func abandon() -> (news: [String], tickets: [UInt64]) {
        defer { self = Arrivals() }
        return (
            entries.filter(\.isNew).map(\.id), entries.filter { $0.isStarted && !$0.isFinished }.map(\.asked)
        )
    }

    private func index(of ticket: Ticket) -> Int? {
        entries.prefix(while: \.isStarted).firstIndex { !$0.isFinished && $0.asked == ticket.number }
    }

    private mutating func take() -> [Outcome] {
        let isImpatient = entries.prefix(while: \.isStarted).count(where: \.isFinished) > Self.patience
        var taken: [Outcome] = []
        var isBlocked = false
        var index = 0
        while index < entries.count, entries[index].isStarted {
            let entry = entries[index]
            // Only news has an order; what is known of a row follows from when it was asked for.
            if entry.isFinished, !entry.isNew || !isBlocked || isImpatient || entry.isLate {
                entries.remove(at: index)
                taken.append(
                    Outcome(
                        id: entry.id,
                        arrived: entry.arrived,
                        asked: entry.asked,
                        isNew: entry.isNew,
                        row: rows.removeValue(forKey: entry.asked)
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
