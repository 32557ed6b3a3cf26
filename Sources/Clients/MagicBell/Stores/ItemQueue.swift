/// The notifications that events named and that no store has loaded: each is requested once for all stores.
struct ItemQueue: Sendable {
    /// The maximum number of requests in flight.
    static let maximumInFlight = 4
    /// With more than this waiting, one list request per store is cheaper.
    static let maximumWaiting = 10
    /// How often a failed request is repeated.
    static let maximumRetries = 3

    private struct Request: Sendable {
        var number: UInt64
        /// Something happened to the notification since the request began: its answer may be older.
        var isTouched = false
    }

    private var waiting: [String] = []
    private var inFlight: [String: Request] = [:]
    /// The number of failures of what is in flight or waits for its retry.
    private var failures: [String: Int] = [:]

    /// Whether nothing waits, is in flight or waits for its retry.
    var isEmpty: Bool { waiting.isEmpty && inFlight.isEmpty && failures.isEmpty }

    /// Whether too many wait.
    var isOverflowing: Bool { waiting.count > Self.maximumWaiting }

    /// The notification has to be requested, again if it is in flight.
    mutating func add(_ id: String) {
        if inFlight[id] != nil {
            inFlight[id]?.isTouched = true
        } else if failures[id] == nil, !waiting.contains(id) {
            waiting.append(id)
        }
    }

    /// Something happened to the notification. An answer that is in flight may be older.
    mutating func touch(_ id: String) { inFlight[id]?.isTouched = true }

    /// The same for all notifications.
    mutating func touchAll() {
        for id in inFlight.keys { inFlight[id]?.isTouched = true }
    }

    /// The notification is gone: nothing about it is needed.
    mutating func remove(_ id: String) {
        waiting.removeAll { $0 == id }
        inFlight[id] = nil
        failures[id] = nil
    }

    /// Removes the waiting notifications, which are loaded by other means.
    mutating func removeWaiting() {
        for id in waiting { failures[id] = nil }
        waiting = []
    }

    mutating func removeAll() { self = ItemQueue() }

    /// The next notification to request; nil: none, or enough are in flight.
    mutating func begin(_ number: UInt64) -> String? {
        guard inFlight.count < Self.maximumInFlight, !waiting.isEmpty else { return nil }
        let id = waiting.removeFirst()
        inFlight[id] = Request(number: number)
        return id
    }

    /// Whether the answer to this request still counts.
    func isInFlight(_ id: String, _ number: UInt64) -> Bool { inFlight[id]?.number == number }

    /// The answer to the request in flight arrived. False: it may be older than what happened meanwhile, and is
    /// requested again.
    mutating func finish(_ id: String) -> Bool {
        let request = inFlight.removeValue(forKey: id)
        failures[id] = nil
        guard request?.isTouched == true else { return true }
        add(id)
        return false
    }

    /// The request in flight failed. Returns the number of its failures to retry it; nil: it is given up.
    mutating func fail(_ id: String) -> Int? {
        inFlight[id] = nil
        let count = (failures[id] ?? 0) + 1
        failures[id] = count <= Self.maximumRetries ? count : nil
        return failures[id]
    }

    /// The wait before a retry is over.
    mutating func retry(_ id: String) {
        guard failures[id] != nil, inFlight[id] == nil, !waiting.contains(id) else { return }
        waiting.append(id)
    }
}
