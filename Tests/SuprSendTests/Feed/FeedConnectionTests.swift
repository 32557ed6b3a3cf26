import Basics
import ClientKit
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import SuprSend

/// Known mistakes of other clients in realtime connections.
@Suite(.timeLimit(.minutes(5))) struct FeedConnectionTests {
    @Test("Notifications published during a lost connection are caught up")
    func gap() async throws {
        let inbox = FakeInbox()
        await inbox.publish(row("old", age: 1000))
        try await withFeed(inbox: inbox) { world in
            await world.shows(["old"])
            try await world.socket.connection(1).drop()
            await inbox.publish(row("missed"))
            let next = try #require(await world.offline()).next.timeIntervalSince(base.date)
            #expect(next > 29 && next <= 30)
            await world.advanceToNextAttempt()
            let announced = await world.catchUp()
            #expect(announced?.id == "missed")
            #expect(announced?.catchUp == true)
            await world.shows(["missed", "old"])
        }
    }

    @Test("A recovered session delivers the missed notifications")
    func recoveredSession() async throws {
        let inbox = FakeInbox()
        try await withFeed(FeedOptions(), [.join(pid: "p"), .join(pid: "p")], inbox: inbox) { world in
            let first = try await world.socket.connection(1)
            await inbox.wait(for: "/notifications?")
            await inbox.publish(row("a", age: 2))
            first.push(frame: #"42["new_notification",{"n_id":"a"},"7-0"]"#)
            #expect(await world.announcement()?.id == "a")
            first.drop()
            await inbox.publish(row("b", age: 1))
            await world.advanceToNextAttempt()
            let second = try await world.socket.connection(2)
            second.push(frame: #"42["new_notification",{"n_id":"b"},"8-0"]"#)
            let announced = await world.announcement()
            #expect(announced?.id == "b")
            #expect(announced?.catchUp == false)
            let connect = try #require(await second.connects.first)
            #expect(connect.contains(#""pid":"p""#) && connect.contains(#""offset":"7-0""#))
            #expect(await inbox.count("/notifications?") == 1)
        }
    }

    @Test("Missed notifications are announced once, oldest first, and only if unseen")
    func announcedOnce() {
        let (a, b) = (row("A", age: 1000), row("B", age: 2000))
        var driver = StateDriver()
        driver.load([a, b])
        driver.state.joined(recovered: false, now: base)
        #expect(driver.state.isStale)
        let missed = row("M", age: 500)
        driver.news(row("N"))
        _ = driver.takeEffects()
        let page = [
            row("N"), row("seen", age: 100, seen: base), row("read", age: 200, read: base),
            row("expired", age: 300, expiry: 1), row("later", age: 400), missed, a, b,
        ]
        driver.load(page)
        driver.expect([
            .report(.announced(missed, catchUp: true)), .report(.announced(row("later", age: 400), catchUp: true)),
            .updated,
        ])
        #expect(!driver.state.isStale)
        driver.state.joined(recovered: false, now: base)
        driver.load(page)
        driver.expect([.updated])
        // Its event, late.
        driver.news(missed)
        driver.expect([.report(.changed(missed)), .updated])
    }

    @Test("What is published between the first load and the join is announced")
    func betweenLoadAndJoin() async throws {
        let inbox = FakeInbox()
        await inbox.publish(row("old", age: 1000))
        try await withFeed(FeedOptions(), [.unreachable, .unreachable], inbox: inbox) { world in
            // The first wait of the list for the socket, and that of the socket for its second attempt.
            await world.clock.sleepers(2)
            world.clock.advance(by: .seconds(1))
            await world.shows(["old"])
            await inbox.publish(row("between"))
            await world.advanceToNextAttempt()
            let announced = await world.catchUp()
            #expect(announced?.id == "between")
            #expect(announced?.catchUp == true)
            await world.until { $0.notifications.map(\.id) == ["between", "old"] && $0.meta.badge == 2 }
            #expect(await world.socket.attempts == 3)
        }
    }

    @Test(
        "What is published between the first CONNECT and joined_room, which may not come, is announced",
        arguments: [true, false]
    )
    func beforeTheRoom(isRoomAnnounced: Bool) async throws {
        let inbox = FakeInbox()
        await inbox.publish(row("old", age: 1000))
        try await withFeed(FeedOptions(), [.joinWithoutRoom], inbox: inbox) { world in
            // Accepted; the list waits at most a second for joined_room.
            await world.clock.sleeper(for: ConnectedSession.roomLimit)
            await world.passing(.seconds(1), times: 1) {
                await world.until { $0.notifications.map(\.id) == ["old"] && $0.meta.badge == 1 }
            }
            let loads = await inbox.count("/notifications?")
            // No event is sent about it.
            await inbox.publish(row("between"))
            if isRoomAnnounced {
                try await world.socket.connection(1).push(frame: #"42["joined_room",{}]"#)
            } else {
                world.clock.advance(by: await world.clock.sleeper(within: .seconds(1)...ConnectedSession.roomLimit))
            }
            let announced = await world.catchUp()
            #expect(announced?.id == "between")
            #expect(announced?.catchUp == true)
            await world.until { $0.notifications.map(\.id) == ["between", "old"] && $0.meta.badge == 2 }
            #expect(await inbox.count("/notifications?") == loads + 1)
            #expect(await world.socket.attempts == 1)
        }
    }

    @Test("A load requested before the join is repeated")
    func loadBeforeTheJoin() {
        var driver = StateDriver()
        let load = driver.state.beginRefresh()
        driver.state.joined(recovered: false, now: base)
        _ = driver.state.finish(load, .success(.init(rows: [row("A")])), now: base)
        #expect(driver.state.isStale)
    }

    @Test("A recovered join needs no load")
    func recoveredJoin() {
        var driver = StateDriver()
        driver.load([row("A")])
        driver.state.joined(recovered: true, now: base)
        #expect(!driver.state.isStale)
    }

    @Test("Attempts continue indefinitely, at most a minute apart")
    func unlimitedAttempts() async throws {
        try await withFeed(FeedOptions(), Array(repeating: .unreachable, count: 40)) { world in
            var longest = Duration.zero
            for attempt in 1...40 {
                longest = max(longest, await world.advanceToNextAttempt())
                #expect(await world.socket.attempts >= attempt)
            }
            #expect(longest > .seconds(50) && longest <= .seconds(60))
            // Ten minutes at least: other clients stop after four.
            #expect(world.clock.now.offset > .seconds(600))
            await world.online()
        }
    }

    @Test("The feed connects at once when the network is back")
    func networkReturns() async throws {
        try await withFeed(FeedOptions(), [.unreachable, .unreachable]) { world in
            for attempt in 1...2 {
                #expect(await world.offline() != nil)
                #expect(await world.socket.attempts == attempt)
                // Once: a second call could start the next attempt before its "offline" is seen, and only the newest
                // state is kept.
                await world.feed.reconnect()
            }
            await world.online()
        }
    }

    @Test("A refused token is refreshed once, then retried slowly and indefinitely")
    func refusedToken() async throws {
        let provider = FakeProvider([token(expiring: 3600, name: "1"), token(expiring: 3600, name: "2")])
        let refusal = FakeSocket.Answer.refuse("Authentication Error: wrong auth token")
        try await withFeed(FeedOptions(), [refusal, refusal], token: { try await provider.token($0) }) { world in
            _ = try await world.socket.connection(1)
            await provider.asked(2)
            // Shorter than the second for which the list waits.
            let wait = await world.clock.sleeper(within: .milliseconds(100) ... .milliseconds(995))
            world.clock.advance(by: wait)
            #expect(await world.unauthorized()?.kind == .unauthorized)
            #expect(
                try await world.socket.connection(2).connects.first?.contains(token(expiring: 3600, name: "2")) == true
            )
            world.clock.advance(by: await world.clock.sleeper(within: .seconds(30) ... .seconds(60)))
            #expect(world.clock.now.offset >= .seconds(30))
            await world.online()
        }
    }

    @Test("A refused token whose source does not answer is an outage, which ends by itself")
    func refusedTokenInOutage() async throws {
        let outage = SuprSendError(.unreachable, "app.example.com answered with status 503.")
        let asked = Mutex(0)
        let provider: UserTokenProvider = { _ in
            let isOutage = asked.withLock { asked in
                asked += 1
                return asked == 2
            }
            if isOutage { throw outage }
            return token(expiring: 3600)
        }
        let refusal = FakeSocket.Answer.refuse("Authentication Error: wrong auth token")
        try await withFeed(FeedOptions(), [refusal], token: provider) { world in
            #expect(await world.offline()?.error == outage)
            await world.advanceToNextAttempt()
            await world.online()
        }
    }

    @Test(
        "A refusal for another reason, or without one, is reported, and retried as a lost connection is",
        arguments: [("limit reached", "limit reached"), ("Internal error", "Internal error"), ("", "without a reason")]
    )
    func otherRefusal(message: String, reported: String) async throws {
        try await withFeed(FeedOptions(), [.refuse(message)]) { world in
            let offline = try #require(await world.offline())
            #expect(offline.error.kind == .unreachable)
            #expect(offline.error.message.contains(reported))
            #expect(offline.next <= base.date.addingTimeInterval(1))
            await world.advanceToNextAttempt()
            await world.online()
        }
    }

    @Test("The feed reconnects after a disconnect by the server", arguments: ["41", "1"])
    func disconnectByServer(frame: String) async throws {
        try await withFeed { world in
            await world.online()
            try await world.socket.connection(1).push(frame: frame)
            #expect(await world.offline()?.error.kind == .unreachable)
            await world.advanceToNextAttempt()
            await world.online()
        }
    }

    @Test("A connection waits for the token refresh and carries the new token")
    func tokenOfConnect() async throws {
        let (old, new) = (token(expiring: 40, name: "old"), token(expiring: 3600, name: "new"))
        let provider = FakeProvider([old, new])
        try await withFeed(token: { try await provider.token($0) }) { world in
            await world.online()
            await provider.hold()
            world.clock.advance(by: .seconds(15))
            try await world.socket.connection(1).drop()
            await world.advanceToNextAttempt()
            await provider.asked(2)
            #expect(await world.socket.attempts == 1, "the server's time for the handshake does not run yet")
            await provider.release()
            await world.online()
            let second = try await world.socket.connection(2)
            #expect(await second.connects.map { $0.contains(new) } == [true])
            #expect(await provider.asked == [nil, old])
        }
    }

    @Test("The feed reconnects to a server that closes with 1001")
    func goingAway() async throws {
        try await withFeed { world in
            await world.online()
            try await world.socket.connection(1).drop()
            #expect(await world.offline()?.error.message.contains("1001") == true)
            await world.advanceToNextAttempt()
            await world.online()
        }
    }

    /// The clock does not advance; the jitter is 0.99 of the range that begins at 0.1 s.
    @Test("A lost connection is retried within 5 s, one that the server ended within 30 s")
    func firstWaits() async throws {
        for (longest, end) in [(5.0, "reset"), (30, "41"), (30, "1"), (30, "1001")] {
            try await withFeed { world in
                await world.online()
                let connection = try await world.socket.connection(1)
                switch end {
                case "reset": connection.breakDown()
                case "1001": connection.drop()
                default: connection.push(frame: end)
                }
                let next = try #require(await world.offline()).next.timeIntervalSince(base.date)
                #expect(abs(next - (0.1 + 0.99 * (longest - 0.1))) < 0.001, "\(end)")
            }
        }
    }

    @Test(
        "Only an end that concerns all clients of a server is its decision",
        arguments: [
            (.disconnectedByServer, true), (.closed(code: nil), true), (.closed(code: 1001), true),
            (.closed(code: 1012), true), (.closed(code: 1013), true), (.closed(code: 1009), false),
            (.closed(code: 1011), false), (.lost(TransportError(.closed(code: 1012), "")), true),
            (.lost(TransportError(.closed(code: nil), "")), false), (.silence, false), (.protocolViolation, false),
        ] as [(SessionFailure.Kind, Bool)]
    )
    func serverDecisions(kind: SessionFailure.Kind, isServers: Bool) {
        #expect(SessionFailure(kind, "").isServersDecision == isServers)
    }

    @Test("After a lost connection, the connections kept for requests are not trusted")
    func idleConnections() async throws {
        let inbox = FakeInbox()
        try await withFeed(inbox: inbox) { world in
            await world.online()
            #expect(inbox.distrusts == 0)
            try await world.socket.connection(1).drop()
            _ = await world.offline()
            #expect(inbox.distrusts == 1)
        }
    }

    @Test("CONNECT answers the first frame, even one that arrived before it was read")
    func firstFrame() async throws {
        try await withFeed { world in
            await world.online()
            let connection = try await world.socket.connection(1)
            #expect(await connection.sent.count == 1)
            #expect(await connection.connects.count == 1)
        }
    }

    @Test("Failed details are requested again")
    func failedDetails() async throws {
        let inbox = FakeInbox()
        try await withFeed(inbox: inbox) { world in
            await world.online()
            await inbox.wait(for: "/notifications?")
            await inbox.publish(row("late"))
            await inbox.fail("/notifications/late", response(404, "{}"), times: 2)
            try await world.socket.connection(1).push("new_notification", "late")
            let announced = await world.passing(.seconds(3)) { await world.announcement() }
            #expect(announced?.id == "late")
            #expect(announced?.catchUp == false)
            #expect(await inbox.count("/notifications/late") == 3)
        }
    }

    @Test("A notification whose details always fail comes with the list")
    func detailsFromTheList() async throws {
        let inbox = FakeInbox()
        try await withFeed(inbox: inbox) { world in
            await world.online()
            await inbox.wait(for: "/notifications?")
            await inbox.publish(row("lost"))
            await inbox.fail("/notifications/lost", response(500, "{}"), times: 4)
            try await world.socket.connection(1).push("new_notification", "lost")
            let announced = await world.passing(.seconds(3)) { await world.announcement() }
            #expect(await inbox.count("/notifications/lost") == 4)
            #expect(announced?.id == "lost")
            #expect(announced?.catchUp == true)
        }
    }

    @Test("An event with an ack id is acknowledged, and unknown events are ignored")
    func acknowledgement() async throws {
        let inbox = FakeInbox()
        await inbox.publish(row("a"))
        try await withFeed(inbox: inbox) { world in
            await world.online()
            let connection = try await world.socket.connection(1)
            await inbox.publish(row("b", age: -1))
            for frame in [
                #"40/feed,{"sid":"x"}"#, #"451-["x",{"_placeholder":true,"num":0}]"#, "6", "", "4",
                #"42/feed,["new_notification",{"n_id":"a"}]"#, #"4217["new_notification",{"n_id":"b"}]"#,
            ] {
                connection.push(frame: frame)
            }
            #expect(await world.announcement()?.id == "b")
            #expect(await connection.sent.dropFirst() == ["4317[]"])
        }
    }
}
