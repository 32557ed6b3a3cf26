import Basics
import ClientKit

/// Reports about push notifications that the service has not accepted yet: bounded and in order.
struct PushQueue: Sendable, Equatable {
    /// One report.
    struct Item: Sendable, Equatable {
        /// `$notification_delivered`, `$notification_clicked` or `$notification_dismiss`.
        var event: String
        /// The push notification's `nid`.
        var nid: String
        /// Lets the service ignore a duplicate after a lost response.
        var insertID: String
        /// The time of the event.
        var time: Timestamp
    }

    /// The next step after a failed attempt.
    enum Step: Sendable, Equatable {
        /// Refused permanently: it is discarded.
        case dropped
        /// Retry after this delay.
        case wait(Duration)
    }

    /// The maximum number of reports; beyond it the oldest are discarded.
    static let capacity = 100

    private(set) var items: [Item] = []
    private var reconnect = ReconnectPolicy()

    init(_ items: [Item] = []) { self.items = items.suffix(Self.capacity) }

    /// False: the oldest report was discarded.
    mutating func add(_ item: Item) -> Bool {
        items.append(item)
        guard items.count > Self.capacity else { return true }
        items.removeFirst()
        return false
    }

    /// The service accepted it.
    mutating func sent(_ item: Item) {
        remove(item)
        reconnect.startOver()
    }

    /// The service did not accept it. A report that can never succeed must not block the others.
    mutating func failed(_ item: Item, _ error: SuprSendError, jitter: Double) -> Step {
        switch error.kind {
        case .unauthorized:
            return .wait(reconnect.delay(after: .refused, jitter: jitter))
        case _ where error.isRetryable, .cancelled:
            return .wait(reconnect.delay(after: .failed, retryAfter: error.retryAfter, jitter: jitter))
        default:
            remove(item)
            return .dropped
        }
    }

    private mutating func remove(_ item: Item) { items.removeAll { $0.insertID == item.insertID } }
}

/// The queue as text for the storage: a list of objects, of which the service's own SDKs write `event` and `nid`.
extension PushQueue {
    var text: String {
        JSONValue.array(
            items.map {
                [
                    "event": .string($0.event), "nid": .string($0.nid),
                    "insert_id": .string($0.insertID), "time": .integer($0.time.milliseconds),
                ]
            }
        ).text
    }

    /// Parses `text` and ignores invalid items. `makeID` and `now` complete items that the service's own SDKs wrote.
    init(text: String, makeID: () -> String, now: Timestamp) {
        let items = (try? JSONValue(parsing: text))?.array ?? []
        self.init(
            items.compactMap { item in
                guard let event = item["event"]?.string, let nid = item["nid"]?.string else { return nil }
                return Item(
                    event: event,
                    nid: nid,
                    insertID: item["insert_id"]?.string ?? makeID(),
                    time: item["time"]?.integer.map { Timestamp(milliseconds: $0) } ?? now
                )
            }
        )
    }
}
