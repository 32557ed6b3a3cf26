/// The events that wait for one listener, in bounded memory: the latest state, and the notifications not yet delivered.
struct EventQueue: Sendable {
    /// The maximum number of announcements (new and changed notifications); beyond it the oldest are discarded.
    static let capacity = 1_024

    private var connection: ConnectionState?
    private var announcements: [FeedEvent] = []
    private var update: FeedData?

    /// Adds an event. False: the oldest announcement was discarded.
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

    /// The next event. A notification is announced before the update that contains it.
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
