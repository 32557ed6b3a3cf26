import Basics

/// The changes while requests were in flight, to be applied to their answers, which may be older.
struct Journal: Sendable {
    enum Entry: Sendable {
        /// The present state of a notification; nil: it was deleted.
        case update(String, InboxNotification?)
        /// All notifications of `scope` changed; nil: all of the user's.
        case all(StateChange, scope: StorePredicate?, at: Timestamp)
    }

    /// The maximum number of entries. A request from before the oldest one cannot be completed any more.
    static let capacity = 2_000

    private var entries: [Entry] = []
    /// The number of entries that were removed.
    private var removed = 0

    /// The position after the latest entry.
    var end: Int { removed + entries.count }

    /// - Parameter isNeeded: Whether a request is in flight; otherwise the entry is only counted.
    mutating func add(_ entry: Entry, isNeeded: Bool) {
        guard isNeeded else {
            removed += entries.count + 1
            entries = []
            return
        }
        entries.append(entry)
        guard entries.count > Self.capacity else { return }
        entries.removeFirst(Self.capacity / 2)
        removed += Self.capacity / 2
    }

    /// No request in flight is older than `position`.
    mutating func trim(before position: Int) {
        let count = min(max(0, position - removed), entries.count)
        entries.removeFirst(count)
        removed += count
    }

    /// The entries since `position`; nil: some of them were removed.
    func since(_ position: Int) -> ArraySlice<Entry>? {
        position < removed ? nil : entries[min(position - removed, entries.count)...]
    }
}
