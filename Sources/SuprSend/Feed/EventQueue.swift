/// What waits for one listener, in bounded memory: the latest state of things, and the notifications it has not seen yet.
struct EventQueue: Sendable {
    /// Announcements (new and changed notifications) kept for a listener that is behind; beyond it the oldest are dropped.
    static let capacity = 1_024

    private var connection: ConnectionState?
    private var announcements: [FeedEvent] = []
    private var update: FeedData?

    /// Takes in an event. False: an older announcement had to go.
    @discardableResult
    mutating func add(_ event: FeedEvent) -> Bool {
        switch event {
        case .connection(let state): connection = state
        case .storeUpdate(let data): update = data
        case .newNotification, .notificationUpdate, .allRead:
            announcements.append(event)
            if announcements.count > Self.capacity {
                announcements.removeFirst()
                return false
            }
        }
        return true
    }

    /// Hands out one. A notification is announced before the update that contains it.
    mutating func next() -> FeedEvent? {
        if let state = connection {
            connection = nil
            return .connection(state)
        }
        if !announcements.isEmpty { return announcements.removeFirst() }
        if let data = update {
            update = nil
            return .storeUpdate(data)
        }
        return nil
    }
}
