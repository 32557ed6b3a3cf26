import Basics
import Inbox

/// What the agent has saved. While nothing can be written, the agent continues in memory, and writes later.
struct SimulatedDisk {
    struct Contents {
        var changes: [Int64: TimestampedChange] = [:]
        var lastNumber: Int64 = 0
        var marks = DeliveryMarks()
        var popups: [String: [UInt32: SavedPopup]] = [:]
    }

    /// The state as the present run sees it, with what could not be written.
    private(set) var contents = Contents()
    /// The state that is in the file: the next run begins with it.
    private(set) var saved = Contents()
    private(set) var isFull = false

    mutating func write(_ body: (inout Contents) -> Void) {
        body(&contents)
        if !isFull { saved = contents }
    }

    mutating func set(isFull: Bool) {
        self.isFull = isFull
        if !isFull { saved = contents }
    }

    /// The agent is killed: the next run finds what was saved.
    mutating func restart() { contents = saved }
}

extension SimulatedDisk.Contents {
    /// Whether it is known that a notification was shown.
    func hasShown(_ id: NotificationID, _ created: Timestamp) -> Bool {
        marks.contains(id) || marks.watermark.map { created <= $0 } ?? false
    }
}
