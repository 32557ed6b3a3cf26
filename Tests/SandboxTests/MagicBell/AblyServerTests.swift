import Testing

@testable import Sandbox

/// The frames of Ably's realtime protocol.
@Suite struct AblyServerTests {
    private typealias Requests = MagicBellRequests
    private static let channel = SimulatedAblyTokens.channel(of: "user-1")

    /// A state and the clients that it talks to.
    private struct Conversation {
        var state: SandboxState
        var now = Requests.now
        var token = ""

        init(_ options: MagicBellOptions = MagicBellOptions()) throws {
            state = try SandboxState.magicBell([], options)
            try renewToken()
        }

        mutating func renewToken() throws {
            let request = state.answer(Requests.rest("POST", "/ws/auth"), wall: now).json ?? .null
            let exchange = ServiceRequest(
                method: "POST",
                target: "/keys/sandbox.key-1/requestToken",
                headers: ["content-type": "application/json"],
                body: request.bytes
            )
            token = try #require(state.answer(exchange, wall: now).json?["token"]?.string)
        }

        mutating func open(_ more: String = "") -> (id: SocketID, effects: [SocketEffect]) {
            let target = "/?accessToken=\(token)&format=json&v=6\(more)"
            let request = ServiceRequest(method: "GET", target: target, headers: ["upgrade": "websocket"])
            return state.opened(request, wall: now)
        }

        mutating func send(_ frame: JSON, on id: SocketID = 1) -> [JSON] {
            SandboxState.frames(state.received(frame.text, on: id, wall: now))
        }

        /// Opens a connection and attaches the channel.
        mutating func join() -> SocketID {
            let id = open().id
            _ = send(["action": 10, "channel": .string(AblyServerTests.channel)], on: id)
            return id
        }

        mutating func publish(_ id: String) throws -> [JSON] {
            SandboxState.frames(try state.command("publish", ["id": .string(id)], wall: now))
        }
    }

    @Test("A connection gets its details, attaches the channel and receives events") func wholeConversation() throws {
        var talk = try Conversation()
        let opened = SandboxState.frames(talk.open().effects)
        #expect(opened.count == 1)
        #expect((opened[0]["action"], opened[0]["connectionId"]) == (4, "c1"))
        #expect(opened[0]["connectionDetails"]?["connectionKey"] == "c1!k1")
        #expect(opened[0]["connectionDetails"]?["maxIdleInterval"] == 15_000)
        // Nothing arrives before the channel is attached.
        #expect(try talk.publish("A").isEmpty)
        #expect(
            talk.send(["action": 10, "channel": .string(Self.channel), "flags": 262_144])
                == [["action": 11, "channel": .string(Self.channel), "channelSerial": "s:1", "flags": 0]]
        )
        let message = try #require(try talk.publish("B").first)
        #expect((message["action"], message["channelSerial"]) == (15, "s:2"))
        #expect(
            message["messages"] == [["name": "notifications/new", "data": "{\"id\":\"B\"}", "encoding": "json"]]
        )
        #expect(talk.send(["action": 0, "id": "ping-1"]) == [["action": 0, "id": "ping-1"]])
        #expect(talk.send(["action": 12, "channel": .string(Self.channel)]).first?["action"] == 13)
        #expect(try talk.publish("C").isEmpty)
        let closing = talk.state.received(#"{"action":7}"#, on: 1, wall: talk.now)
        #expect(closing == [.send(1, #"{"action":8}"#), .hangUp(1, .close(code: 1000))])
        #expect(talk.state.violations.isEmpty)
    }

    @Test("A resumed connection keeps its id and gets what it missed") func resume() throws {
        var talk = try Conversation()
        let id = talk.join()
        _ = try talk.publish("A")
        _ = talk.state.closed(id, wall: talk.now)
        _ = try talk.publish("B")
        let (second, effects) = talk.open("&resume=c1!k1")
        let connected = try #require(SandboxState.frames(effects).first)
        #expect((connected["connectionId"], connected["error"]) == ("c1", nil))
        #expect(connected["connectionDetails"]?["connectionKey"] == "c1!k2")
        // Before ATTACH, nothing is delivered, and nothing is lost.
        #expect(try talk.publish("C").isEmpty)
        let attach: JSON = ["action": 10, "channel": .string(Self.channel), "channelSerial": "s:1"]
        let frames = talk.send(attach, on: second)
        #expect(frames.map { $0["action"] } == [11, 15, 15])
        #expect(frames[0]["flags"] == 6)
        #expect(frames[1...].map { $0["channelSerial"] } == ["s:2", "s:3"])
    }

    @Test("A resumed connection has a position of its own when the client names none") func ownPosition() throws {
        var talk = try Conversation()
        let id = talk.join()
        _ = try talk.publish("A")
        _ = talk.state.closed(id, wall: talk.now)
        let second = talk.open("&resume=c1!k1").id
        #expect(talk.send(["action": 10, "channel": .string(Self.channel)], on: second).first?["flags"] == 4)
    }

    @Test("A resume takes over a connection whose loss was not noticed") func takeOver() throws {
        var talk = try Conversation()
        _ = talk.join()
        let (_, effects) = talk.open("&resume=c1!k1")
        #expect(effects.contains(.hangUp(1, .finish)))
        #expect(SandboxState.frames(effects).first?["connectionId"] == "c1")
    }

    @Test(
        "A resume fails with 80008, and continuity is lost",
        arguments: ["command", "unknown key", "after the lifetime of the state", "closed by the client"]
    )
    func failedResume(reason: String) throws {
        var talk = try Conversation()
        let id = talk.join()
        if reason == "closed by the client" { _ = talk.send(["action": 7], on: id) }
        _ = talk.state.closed(id, wall: talk.now)
        if reason == "command" { _ = try talk.state.command("ably", ["fail_resumes": 1]) }
        if reason == "after the lifetime of the state" { talk.now += 120_001 }
        let (second, effects) = talk.open(reason == "unknown key" ? "&resume=c9!k1" : "&resume=c1!k1")
        let connected = try #require(SandboxState.frames(effects).first)
        #expect((connected["action"], connected["connectionId"]) == (4, "c2"))
        #expect(connected["error"]?["code"] == 80008)
        let attach: JSON = ["action": 10, "channel": .string(Self.channel), "channelSerial": "s:0"]
        #expect(talk.send(attach, on: second).first?["flags"] == 0)
    }

    @Test("A serial continues on a new connection while its messages are kept") func serialOnNewConnection() throws {
        var talk = try Conversation()
        _ = talk.join()
        _ = try talk.publish("A")
        let attach: JSON = ["action": 10, "channel": .string(Self.channel), "channelSerial": "s:0"]
        let second = talk.open().id
        #expect(talk.send(attach, on: second).map { $0["action"] } == [11, 15])
        // Only the messages of the last two minutes are known.
        talk.now += 120_001
        let third = talk.open().id
        #expect(talk.send(attach, on: third).map { $0["flags"] } == [0])
        let foreign: JSON = ["action": 10, "channel": .string(Self.channel), "channelSerial": "other:1"]
        #expect(talk.send(foreign, on: third).first?["flags"] == 0)
    }

    @Test("RESUMED can be omitted, and ATTACH be left unanswered") func settings() throws {
        var talk = try Conversation()
        let id = talk.join()
        _ = try talk.state.command("ably", ["omit_resumed": 1])
        let attach: JSON = ["action": 10, "channel": .string(Self.channel), "channelSerial": "s:0"]
        #expect(talk.send(attach, on: id).first?["flags"] == 0)
        #expect(talk.send(attach, on: id).first?["flags"] == 4)
        _ = try talk.state.command("ably", ["hold_attach": true])
        #expect(talk.send(attach, on: id).isEmpty)
    }

    @Test("Another channel is not permitted") func otherChannel() throws {
        var talk = try Conversation()
        let id = talk.open().id
        let answer = talk.send(["action": 10, "channel": "project:11:channel:other"], on: id).first
        #expect((answer?["action"], answer?["error"]?["code"]) == (9, 40160))
        #expect(answer?["channel"] == "project:11:channel:other")
    }

    // MARK: Tokens

    @Test("An unknown or expired token gets an ERROR that a new token mends") func refusedTokens() throws {
        var talk = try Conversation(MagicBellOptions(ablyTokenLifetime: 1_000))
        talk.now += 1_000
        #expect(SandboxState.frames(talk.open().effects).map { $0["error"]?["code"] } == [40142])
        talk.token = "sandbox.token-9"
        let (id, effects) = talk.open()
        #expect(SandboxState.frames(effects).map { $0["error"]?["code"] } == [40140])
        #expect(effects.last == .hangUp(id, .close(code: 1000)))
    }

    @Test("Before a token expires the server requests another, and then disconnects") func expiry() throws {
        var talk = try Conversation(MagicBellOptions(ablyTokenLifetime: 60_000))
        let (id, effects) = talk.open()
        func timer(_ purpose: SocketTimer.Purpose, _ generation: Int) -> SocketTimer {
            SocketTimer(connection: id, purpose: purpose, generation: generation)
        }
        #expect(effects.contains(.startTimer(timer(.tokenRequest, 1), after: 40_000)))
        #expect(effects.contains(.startTimer(timer(.tokenExpiry, 1), after: 60_000)))
        talk.now += 40_000
        let request = talk.state.timerFired(timer(.tokenRequest, 1), wall: talk.now)
        #expect(request == [.send(id, #"{"action":17}"#)])
        try talk.renewToken()
        let answer = talk.send(["action": 17, "auth": ["accessToken": .string(talk.token)]], on: id)
        #expect(answer.map { $0["connectionDetails"]?["connectionKey"] } == ["c1!k2"])
        // The timer of the old token no longer counts.
        #expect(talk.state.timerFired(timer(.tokenExpiry, 1), wall: talk.now).isEmpty)
        talk.now += 60_000
        let end = talk.state.timerFired(timer(.tokenExpiry, 2), wall: talk.now)
        #expect(SandboxState.frames(end).map { $0["action"] } == [6])
        #expect(SandboxState.frames(end).map { $0["error"]?["code"] } == [40142])
    }

    @Test("expire-ably-tokens disconnects, and the old token is refused afterwards") func expireAll() throws {
        var talk = try Conversation()
        _ = talk.join()
        let frames = SandboxState.frames(try talk.state.command("expire-ably-tokens"))
        #expect(frames.map { $0["error"]?["code"] } == [40142])
        #expect(SandboxState.frames(talk.open().effects).map { $0["action"] } == [9])
        try talk.renewToken()
        #expect(SandboxState.frames(talk.open("&resume=c1!k1").effects).first?["connectionId"] == "c1")
    }

    // MARK: Faults

    @Test(
        "Frames of the server can be sent by a command",
        arguments: [
            (#"{"frame":"auth"}"#, ["action": 17]),
            (#"{"frame":"attached"}"#, attached(flags: 0)),
            (#"{"frame":"attached","resumed":true}"#, attached(flags: 4)),
            (#"{"frame":"detached"}"#, ["action": 13, "channel": .string(channel)]),
            (#"{"frame":"disconnected"}"#, ["action": 6]),
            (
                #"{"frame":"error","code":40400,"status":404,"message":"m"}"#,
                ["action": 9, "error": AblyError(40400, 404, "m").json]
            ),
            (
                #"{"frame":"channel-error","code":90001,"status":500,"message":"m"}"#,
                ["action": 9, "channel": .string(channel), "error": AblyError(90001, 500, "m").json]
            ),
        ] as [(String, JSON)]
    )
    func announcements(arguments: String, frame: JSON) throws {
        var talk = try Conversation()
        _ = talk.join()
        let effects = try talk.state.execute(SandboxCommand("announce", text: arguments), wall: talk.now).effects
        #expect(SandboxState.frames(effects) == [frame])
    }

    private static func attached(flags: Int64) -> JSON {
        ["action": 11, "channel": .string(channel), "channelSerial": "s:0", "flags": .integer(flags)]
    }

    @Test("A copy of a message has the same id") func copies() throws {
        var talk = try Conversation()
        _ = talk.join()
        let frames = SandboxState.frames(try talk.state.command("publish", ["id": "A", "copies": 2]))
        #expect(frames.count == 2)
        #expect(Set(frames).count == 1)
    }

    @Test("Connections are refused with a given error") func refusal() throws {
        var talk = try Conversation()
        _ = try talk.state.command("refuse", ["code": 40400, "status": 404, "message": "No application found"])
        #expect(SandboxState.frames(talk.open().effects).first?["error"]?["code"] == 40400)
        #expect(SandboxState.frames(talk.open().effects).first?["action"] == 4)
    }

    @Test("A silent connection gets nothing, and others still do") func silence() throws {
        var talk = try Conversation()
        let first = talk.join()
        _ = talk.join()
        _ = try talk.state.command("drop", ["how": "silence", "connection": .integer(Int64(first))])
        #expect(try talk.publish("A").count == 1)
        #expect(talk.send(["action": 0], on: first).isEmpty)
        let timer = SocketTimer(connection: first, purpose: .heartbeat, generation: 0)
        #expect(talk.state.timerFired(timer, wall: talk.now).isEmpty)
    }

    @Test("Heartbeats come in the announced interval, unless they are off") func heartbeats() throws {
        var talk = try Conversation(MagicBellOptions(maxIdleInterval: 500))
        let (id, effects) = talk.open()
        let timer = SocketTimer(connection: id, purpose: .heartbeat, generation: 0)
        #expect(effects.contains(.startTimer(timer, after: 500)))
        let beat = talk.state.timerFired(timer, wall: talk.now)
        #expect(beat == [.send(id, #"{"action":0}"#), .startTimer(timer, after: 500)])
        _ = try talk.state.command("ably", ["heartbeats": false])
        #expect(talk.state.timerFired(timer, wall: talk.now) == [.startTimer(timer, after: 500)])
        let without = talk.open("&heartbeats=false").effects
        #expect(
            !without.contains { if case .startTimer(let timer, _) = $0 { timer.purpose == .heartbeat } else { false } }
        )
    }

    @Test(
        "A frame that a receiving client never sends is a violation",
        arguments: [
            #"{"action":15,"channel":"c","messages":[]}"#, #"{"action":14}"#, #"{"action":99}"#, "text", "{}",
            #"{"action":10}"#, #"{"action":17}"#,
        ]
    )
    func violations(frame: String) throws {
        var talk = try Conversation()
        let id = talk.join()
        _ = talk.state.received(frame, on: id, wall: talk.now)
        #expect(talk.state.violations.map(\.kind) == [.realtime])
    }

    @Test("Binary frames are violations") func binary() throws {
        var talk = try Conversation()
        let id = talk.join()
        _ = talk.state.receivedBinary(on: id)
        #expect(talk.state.violations.map(\.kind) == [.realtime])
    }
}
