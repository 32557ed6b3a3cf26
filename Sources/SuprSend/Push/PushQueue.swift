import ClientKit
import Transport

/// What became of push notifications and is not yet told to the service: bounded, in order, each kept until it was taken in.
struct PushQueue: Sendable, Equatable {
    /// One thing to tell.
    struct Item: Sendable, Equatable {
        /// `$notification_delivered`, `$notification_clicked` or `$notification_dismiss`.
        var event: String
        /// The push notification's `nid`.
        var nid: String
        /// Keeps the service from counting it twice when an answer was lost.
        var insertID: String
        /// When it happened.
        var time: Milliseconds
    }

    /// What to do after an attempt.
    enum Step: Sendable, Equatable {
        /// It will never be taken in, and is dropped.
        case dropped
        /// Try again so much later.
        case wait(Duration)
    }

    /// Beyond it the oldest are dropped.
    static let capacity = 100

    private(set) var items: [Item] = []
    private var reconnect = Reconnect()

    init(_ items: [Item] = []) { self.items = items.suffix(Self.capacity) }

    /// False: the oldest had to go.
    mutating func add(_ item: Item) -> Bool {
        items.append(item)
        guard items.count > Self.capacity else { return true }
        items.removeFirst()
        return false
    }

    /// The service took it in.
    mutating func sent(_ item: Item) {
        remove(item)
        reconnect = Reconnect()
    }

    /// The service did not. What can never succeed must not stop the rest.
    mutating func failed(_ item: Item, _ error: SuprSendError, jitter: Double) -> Step {
        switch error.kind {
        case .unauthorized:
            return .wait(reconnect.delay(after: .refused, jitter: jitter))
        case _ where error.isRetryable, .cancelled:
            return .wait(reconnect.delay(after: .lost, retryAfter: error.retryAfter, jitter: jitter))
        default:
            remove(item)
            return .dropped
        }
    }

    private mutating func remove(_ item: Item) { items.removeAll { $0.insertID == item.insertID } }
}

/// As text, for the storage: a list of objects, of which the service's own clients write `event` and `nid` (suprsend.md §1.7).
extension PushQueue {
    var text: String {
        JSONValue.array(
            items.map {
                [
                    "event": .string($0.event), "nid": .string($0.nid),
                    "insert_id": .string($0.insertID), "time": .integer($0.time.value),
                ]
            }
        ).text
    }

    /// What `text` holds, as far as it makes sense. `makeID` and `now` complete items that other clients wrote.
    init(text: String, makeID: () -> String, now: Milliseconds) {
        let items = (try? JSONValue(parsing: text))?.array ?? []
        self.init(
            items.compactMap { item in
                guard let event = item["event"]?.string, let nid = item["nid"]?.string else { return nil }
                return Item(
                    event: event,
                    nid: nid,
                    insertID: item["insert_id"]?.string ?? makeID(),
                    time: item["time"]?.integer.map { Milliseconds($0) } ?? now
                )
            }
        )
    }
}
