import Basics
import ClientKit
import Testing

@testable import SuprSend

@Suite struct EventQueueTests {
    @Test("A slow listener receives the latest state and every announcement")
    func slowListener() {
        var queue = EventQueue()
        let (empty, full) = (FeedState().data, FeedState(pageSize: 7).data)
        queue.add(.connection(.connecting))
        queue.add(.storeUpdate(empty))
        queue.add(.newNotification(row("a"), catchUp: false))
        queue.add(.storeUpdate(full))
        queue.add(.newNotification(row("b"), catchUp: true))
        queue.add(.connection(.online(since: base.date)))
        var events: [FeedEvent] = []
        while let event = queue.next() { events.append(event) }
        #expect(
            events == [
                .connection(.online(since: base.date)), .newNotification(row("a"), catchUp: false),
                .newNotification(row("b"), catchUp: true), .storeUpdate(full),
            ]
        )
    }

    @Test("A full queue drops its oldest announcements") func fullQueue() {
        var queue = EventQueue()
        var dropped = 0
        for number in 0..<EventQueue.capacity + 3 where !queue.add(.newNotification(row("\(number)"), catchUp: false)) {
            dropped += 1
        }
        #expect(dropped == 3)
        #expect(queue.next() == .newNotification(row("3"), catchUp: false))
    }

    @Test("The oldest recent id is dropped, also when it was inserted twice") func recentIDs() {
        var ids = RecentIDs(capacity: 3)
        for id in ["a", "b", "c", "a", "d"] { ids.insert(id) }
        #expect(!ids.contains("a"))
        #expect(ids.contains("b") && ids.contains("c") && ids.contains("d"))
        ids.remove("c")
        #expect(!ids.contains("c"))
    }
}
