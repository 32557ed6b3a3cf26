import Basics

/// The loaded notifications of a store: newest first, each once.
struct StoreRows: Sendable, Equatable {
    private(set) var all: [InboxNotification] = []

    init() {}

    /// The rows among `notifications`, of which the first with an id counts.
    init(_ notifications: some Sequence<InboxNotification>) {
        var ids: Set<String> = []
        all = notifications.filter { ids.insert($0.id).inserted }.sorted { Place($0) < Place($1) }
    }

    subscript(id: String) -> InboxNotification? { all.first { $0.id == id } }

    /// Removes the row with this id, if there is one.
    mutating func remove(_ id: String) { all.removeAll { $0.id == id } }

    /// Adds a row, or replaces the one with its id.
    mutating func put(_ notification: InboxNotification) {
        if let index = all.firstIndex(where: { $0.id == notification.id }) {
            if all[index].sent == notification.sent {
                all[index] = notification
                return
            }
            all.remove(at: index)
        }
        let place = Place(notification)
        all.insert(notification, at: all.firstIndex { place < Place($0) } ?? all.endIndex)
    }

    /// The place of a notification in every list: newer ones come first, those of one millisecond in the order of ids.
    struct Place: Sendable, Equatable, Comparable {
        var sent: Int64
        var id: String

        init(_ notification: InboxNotification) {
            sent = notification.sent.milliseconds
            id = notification.id
        }

        static func < (left: Place, right: Place) -> Bool {
            left.sent != right.sent ? left.sent > right.sent : left.id < right.id
        }
    }
}
