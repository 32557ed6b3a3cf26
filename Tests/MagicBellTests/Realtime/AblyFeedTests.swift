import ClientKit
import MagicBell
import TestSupport
import Testing

@Suite("The realtime feed through Ably", .timeLimit(.minutes(5)))
struct AblyFeedTests {
    private static func message(_ serial: Int, _ name: String = "notifications/new", id: String = "n1") -> String {
        """
        {"action":15,"id":"m:\(serial)","channel":"c","channelSerial":"s:\(serial)",\
        "messages":[{"name":"\(name)","data":"{\\"id\\":\\"\(id)\\"}","encoding":"json"}]}
        """
    }

    @Test("The service names the channel and signs, Ably issues the token, and events are received in order")
    func connecting() async throws {
        try await RealtimeWorld.with { world in
            let connection = try await world.online()
            #expect(
                connection.url == "wss://ably.example/?accessToken=tok-1&format=json&v=5&heartbeats=true"
                    + "&agent=feedbell-magicbell%2F1.0"
            )
            #expect(try await connection.frame(1) == #"{"action":10,"channel":"c"}"#)
            let request = try #require(await world.rest.requests.first)
            #expect(request.method == "POST" && request.url == "https://rest.example/keys/app.key/requestToken")
            #expect(request.headers.contains(HTTPField("Content-Type", "application/json")))
            #expect(!request.headers.contains { $0.name.lowercased() == "authorization" })
            #expect(request.body == Array(#"{"keyName":"app.key","mac":"s3cr3t-mac","nonce":1}"#.utf8))
            connection.push(#"{"action":0}"#)
            connection.push(#"{"action":99}"#)
            connection.push(
                #"""
                {"action":15,"id":"m:1","channel":"c","messages":[{"name":"other/thing"},{"name":"notifications/new"},\#
                {"name":"notifications/new","data":"text"},{"name":"notifications/read/all","data":null},\#
                {"name":"notifications/archived","data":"eyJpZCI6Im4xIn0=","encoding":"json/utf-8/base64"}]}
                """#
            )
            connection.push(Self.message(2, "notifications/delete", id: "n2"))
            await world.expect(.event(.allRead), .event(.changed(id: "n1", .archived)), .event(.deleted(id: "n2")))
        }
    }

    @Test("A token of the service is used without an exchange") func tokenOfTheService() async throws {
        let service = ScriptedService()
        await service.authorize(.success(.token("own-token", expires: nil)))
        try await RealtimeWorld.with(service: service) { world in
            let connection = try await world.online()
            #expect(RealtimeWorld.query("accessToken", of: connection.url) == "own-token")
            #expect(await world.rest.requests.isEmpty)
        }
    }

    @Test("A broken connection is resumed after at most five seconds; RESUMED makes it continuous")
    func resume() async throws {
        try await RealtimeWorld.with { world in
            let first = try await world.online()
            first.push(Self.message(1))
            await world.expect(.event(.created(id: "n1")))
            first.breakDown()
            let (error, delay) = try await world.lost()
            #expect(error.kind == .unreachable && delay == 5)
            #expect(world.rest.retirementCount == 1)
            await world.clock.sleeper(for: .seconds(5))
            world.clock.advance(by: .seconds(5))
            await world.expect(.connecting)
            let second = try await world.acceptAbly(2, flags: 4)
            #expect(RealtimeWorld.query("resume", of: second.url) == "c1%21k1")
            #expect(RealtimeWorld.query("accessToken", of: second.url) == "tok-1")
            #expect(try await second.frame(1) == #"{"action":10,"channel":"c","channelSerial":"s:1"}"#)
            await world.expect(.connected(isContinuous: true))
            // The first one was delivered before the loss.
            second.push(Self.message(1))
            second.push(Self.message(2, id: "n2"))
            await world.expect(.event(.created(id: "n2")))
            // One configuration and one token for both.
            #expect(await world.service.calls == ["configuration", "token request"])
        }
    }

    @Test("Without RESUMED, events may be missing") func lostContinuity() async throws {
        try await RealtimeWorld.with { world in
            try await world.online().breakDown()
            _ = try await world.lost()
            await world.feed.reconnect()
            await world.expect(.connecting)
            let connection = try await world.acceptAbly(2)
            await world.expect(.connected(isContinuous: false))
            connection.push(#"{"action":13,"channel":"c","error":{"code":90001,"statusCode":500,"message":"moved"}}"#)
            #expect(try await connection.frame(2) == #"{"action":10,"channel":"c","channelSerial":"s:0"}"#)
            connection.push(#"{"action":11,"channel":"c","channelSerial":"s:9"}"#)
            await world.expect(.connected(isContinuous: false))
        }
    }

    @Test("After the server has discarded the connection's state, only the position in the channel is sent")
    func suspended() async throws {
        try await RealtimeWorld.with { world in
            try await world.online().breakDown()
            _ = try await world.lost()
            await world.clock.sleeper(for: .seconds(5))
            world.clock.advance(by: .seconds(200))
            await world.expect(.connecting)
            let second = try await world.acceptAbly(2)
            #expect(RealtimeWorld.query("resume", of: second.url) == nil)
            #expect(try await second.frame(1) == #"{"action":10,"channel":"c","channelSerial":"s:0"}"#)
        }
    }

    @Test("A DISCONNECTED without a token error is followed by a resume", arguments: ["", #","error":{"code":80003}"#])
    func disconnected(detail: String) async throws {
        try await RealtimeWorld.with { world in
            try await world.online().push(#"{"action":6\#(detail)}"#)
            let (error, delay) = try await world.lost()
            #expect(error.kind == .unreachable && delay == 5)
            await world.feed.reconnect()
            await world.expect(.connecting)
            #expect(RealtimeWorld.query("resume", of: try await world.socket.connection(2).url) == "c1%21k1")
        }
    }

    @Test("An end that the server announces spreads its clients over half a minute")
    func announced() async throws {
        try await RealtimeWorld.with { world in
            try await world.online().close(with: 1001)
            try await world.expectLost(nextAttemptIn: 30)
            await world.feed.reconnect()
            await world.expect(.connecting)
            try await world.acceptAbly(2).push(#"{"action":8}"#)
            await world.expect(.connected(isContinuous: false))
            try await world.expectLost(nextAttemptIn: 30)
        }
    }

    @Test("A connection that is not accepted in time is retried") func connectTimeout() async throws {
        try await RealtimeWorld.with { world in
            await world.expect(.connecting)
            let connection = try await world.socket.connection(1)
            await world.clock.sleeper(for: .seconds(10))
            world.clock.advance(by: .seconds(10))
            let (error, delay) = try await world.lost()
            #expect(error.kind == .unreachable && delay == 1)
            #expect(await connection.isClosed)
        }
    }

    @Test("A channel that is not attached in time is retried on another connection") func attachTimeout() async throws {
        try await RealtimeWorld.with { world in
            await world.expect(.connecting)
            let connection = try await world.socket.connection(1)
            connection.push(RealtimeWorld.connected)
            _ = try await connection.frame(1)
            await world.clock.sleeper(for: .seconds(10))
            world.clock.advance(by: .seconds(10))
            let (error, delay) = try await world.lost()
            #expect(error.message.contains("attach") && delay == 1)
        }
    }

    @Test("A server that is silent for its idle interval and ten seconds is lost; a heartbeat counts")
    func silence() async throws {
        try await RealtimeWorld.with { world in
            let connection = try await world.online()
            // The timers of CONNECTED and ATTACHED, which mean nothing now.
            await world.clock.sleeper(for: .seconds(10))
            world.clock.advance(by: .seconds(10))
            connection.push(#"{"action":0}"#)
            connection.push(Self.message(1))
            await world.expect(.event(.created(id: "n1")))
            await world.clock.sleeper(for: .seconds(25))
            world.clock.advance(by: .seconds(15))
            connection.push(#"{"action":0}"#)
            await world.clock.sleeper(for: .seconds(25))
            world.clock.advance(by: .seconds(24))
            #expect(await !connection.isClosed)
            world.clock.advance(by: .seconds(1))
            let (error, delay) = try await world.lost()
            #expect(error.message.contains("stopped responding") && delay == 5)
        }
    }

    @Test("Ending the run sends CLOSE and closes the connection") func cancelling() async throws {
        let socket = ScriptedSocket()
        try await RealtimeWorld.with(socket: socket) { world in _ = try await world.online() }
        let connection = try await socket.connection(1)
        #expect(await connection.sent.last == #"{"action":7}"#)
        #expect(await connection.isClosed)
    }

    @Test("The run ends while it waits, and while the service does not answer", arguments: [true, false])
    func cancellingAWait(isServiceSilent: Bool) async throws {
        let socket = ScriptedSocket(failures: [TransportError(.unreachable, "connection refused")])
        let service = ScriptedService()
        if isServiceSilent { await service.hold() }
        try await RealtimeWorld.with(service: service, socket: socket) { world in
            await world.expect(.connecting)
            if isServiceSilent {
                await world.service.wait(for: "token request")
            } else {
                try await world.expectLost(nextAttemptIn: 1)
            }
        }
        #expect(await socket.urls.count == (isServiceSilent ? 0 : 1))
    }
}
