import Basics
import Testing

@testable import Inbox

@Suite struct DeliveryMarksTests {
    /// A service may have times of whole seconds.
    @Test("Notifications of the watermark's own time stay known by their ids") func ties() {
        var marks = DeliveryMarks(shown: ["before": 9, "same": 10, "after": 11])
        marks.raise(to: 10)
        #expect(marks == DeliveryMarks(watermark: 10, shown: ["same": 10, "after": 11]))
    }

    @Test("Any number of notifications of one time is bounded", arguments: [1_000, .max] as [Int64])
    func bound(latest: Int64) {
        var marks = DeliveryMarks()
        for number in 0...(3 * DeliveryMarks.capacity) {
            marks.add(NotificationID("\(number)"), created: 2_000, latest: Timestamp(milliseconds: latest))
            #expect(marks.shown.count <= DeliveryMarks.capacity)
        }
    }
}
