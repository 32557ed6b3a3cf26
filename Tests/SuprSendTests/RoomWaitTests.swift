import ClientKit
import TestSupport
import Testing

@testable import SuprSend

/// Notifications that are published between the answer to CONNECT and `joined_room`.
@Suite(.timeLimit(.minutes(5))) struct RoomWaitTests {
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
            await world.clock.sleeper(for: ConnectedSession.roomLimit)
            world.clock.advance(by: .seconds(1))
            let loads = await inbox.count("/notifications?")
            try await world.socket.connection(1).drop()
            _ = await world.offline()
            await world.feed.reconnect()
            await world.clock.sleeper(for: ConnectedSession.roomLimit)
            #expect(await inbox.count("/notifications?") == loads, "what is loaded now may be outdated at once")
            await inbox.publish(row("between", age: -1))
            if isRoomAnnounced {
                try await world.socket.connection(2).push(frame: #"42["joined_room",{}]"#)
            } else {
                world.clock.advance(by: ConnectedSession.roomLimit)
            }
            // After half a second, if the first load had not come to its end.
            await world.passing(.milliseconds(500)) { await world.shows(["between", "first"]) }
            #expect(await world.socket.attempts == 2)
        }
    }

    /// A session that has joined, and its steps.
    private func joined(resuming recovery: Recovery? = nil, pid: String = "p") -> (ConnectedSession, [String]) {
        var session = ConnectedSession(recovery: recovery)
        _ = session.receive(.opened)
        let open = #"0{"sid":"s","upgrades":[],"pingInterval":25000,"pingTimeout":20000,"maxPayload":1000000}"#
        _ = session.receive(.text(open))
        _ = session.receive(.answer(.success([:])))
        let steps = session.receive(.text(#"40{"sid":"s","pid":"\#(pid)"}"#))
        return (session, Self.words(steps))
    }

    /// The steps that concern the room, in words.
    private static func words(
        _ steps: [SocketStep<ConnectedSession.Timer, ConnectedSession.Output, ConnectedSession.End>]
    )
        -> [String]
    {
        steps.compactMap { step in
            switch step {
            case .output(.event(.synchronized(let isRecovered))): isRecovered ? "resumed" : "load"
            case .startTimer(.room, let delay): "wait \(delay)"
            default: nil
            }
        }
    }

    private let room = #"42["joined_room",{}]"#

    @Test("A resumed session does not wait for joined_room") func resumed() {
        var (session, steps) = joined(resuming: Recovery(pid: "p", offset: "1"))
        #expect(steps == ["resumed"])
        #expect(Self.words(session.receive(.text(room))) == [])
        #expect(Self.words(session.receive(.timerFired(.room))) == [])
    }

    @Test("The list is loaded once joined_room arrives, and not again at the limit") func inTime() {
        var (session, steps) = joined()
        #expect(steps == ["wait \(ConnectedSession.roomLimit)"])
        #expect(Self.words(session.receive(.text(#"42["new_notification",{"n_id":"1"}]"#))) == [])
        #expect(Self.words(session.receive(.text(room))) == ["load"])
        #expect(Self.words(session.receive(.timerFired(.room))) == [])
    }

    @Test("The list is loaded once at the limit, and again if joined_room arrives later") func late() {
        var (session, _) = joined()
        #expect(Self.words(session.receive(.timerFired(.room))) == ["load"])
        #expect(Self.words(session.receive(.timerFired(.room))) == [])
        #expect(Self.words(session.receive(.text(room))) == ["load"])
    }
}
