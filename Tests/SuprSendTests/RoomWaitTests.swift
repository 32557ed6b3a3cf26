import TestSupport
import Testing

@testable import SuprSend

/// Notifications that are published between the answer to CONNECT and `joined_room`.
@Suite(.timeLimit(.minutes(1))) struct RoomWaitTests {
    @Test(
        "What is published before joined_room is found after it, or after two seconds without it",
        arguments: [true, false]
    )
    func publishedBefore(isRoomAnnounced: Bool) async throws {
        let inbox = FakeInbox()
        await inbox.publish(row("first"))
        try await withFeed(FeedOptions(), [.join(pid: nil), .joinWithoutRoom], inbox: inbox) { world in
            await world.shows(["first"])
            // The wait for the room of the first connection, distinguished from that of the second.
            await world.clock.sleeper(for: RoomWait.limit)
            world.clock.advance(by: .seconds(1))
            let loads = await inbox.count("/notifications?")
            try await world.socket.connection(1).drop()
            _ = await world.offline()
            await world.feed.reconnect()
            await world.clock.sleeper(for: RoomWait.limit)
            #expect(await inbox.count("/notifications?") == loads, "what is loaded now may be outdated at once")
            await inbox.publish(row("between", age: -1))
            if isRoomAnnounced {
                try await world.socket.connection(2).push(frame: #"42["joined_room",{}]"#)
            } else {
                world.clock.advance(by: RoomWait.limit)
            }
            // After half a second, if the first load had not come to its end.
            await world.passing(.milliseconds(500)) { await world.shows(["between", "first"]) }
            #expect(await world.socket.attempts == 2)
        }
    }

    @Test("A resumed session does not wait for joined_room") func decisions() {
        var wait = RoomWait()
        let resumed = (wait.joined(resumed: true), wait.receive("joined_room"))
        #expect(resumed == (nil, false))
        let second = (wait.joined(resumed: false), wait.receive("new_notification"), wait.timedOut(1))
        #expect(second == (2, false, false))
        let answered = (wait.receive("joined_room"), wait.timedOut(2))
        #expect(answered == (true, false))
        // Later than the limit, it counts all the same.
        let late = (wait.joined(resumed: false), wait.timedOut(3), wait.timedOut(3), wait.receive("joined_room"))
        #expect(late == (3, true, false, true))
        let last = wait.joined(resumed: false)
        wait.left()
        let isTimedOut = wait.timedOut(4)
        #expect(last == 4 && !isTimedOut)
    }
}
