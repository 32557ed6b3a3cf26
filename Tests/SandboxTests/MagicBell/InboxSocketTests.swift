import Testing

@testable import Sandbox

/// MagicBell's own WebSocket.
@Suite struct InboxSocketTests {
    private typealias Requests = MagicBellRequests
    private static let token = String(repeating: "0123456789abcdef", count: 4)

    private static func state() throws -> SandboxState {
        var state = try SandboxState.magicBell()
        _ = state.answer(
            Requests.rest("POST", "/channels/in_app/inbox/tokens", ["inbox": ["token": .string(token)]])
        )
        return state
    }

    private static func open(_ state: inout SandboxState, _ query: String = "api_key=pk_sandbox&token=\(token)")
        -> [SocketEffect]
    {
        let request = ServiceRequest(method: "GET", target: "/?\(query)", headers: ["upgrade": "websocket"])
        return state.opened(request, wall: Requests.now).effects
    }

    @Test("A registered token receives events as objects") func events() throws {
        var state = try Self.state()
        #expect(SandboxState.frames(Self.open(&state)).isEmpty)
        let frames = SandboxState.frames(try state.command("publish", ["id": "A"]))
        #expect(frames.count == 1)
        #expect((frames[0]["name"], frames[0]["data"]) == ("notifications/new", ["id": "A"]))
        #expect(frames[0]["timestamp"] == .integer(Requests.now))
        #expect(SandboxState.frames(try state.command("read-all")).first?["name"] == "notifications/read/all")
        #expect(SandboxState.frames(try state.command("delete", ["id": "A"])).first?["data"]?["id"] == "A")
    }

    @Test(
        "A socket without a registered token is closed",
        arguments: [
            ("api_key=pk_sandbox&token=other", 4002, 0), ("api_key=pk_other&token=\(token)", 4002, 0),
            ("api_key=pk_sandbox", 4001, 1),
        ] as [(String, UInt16, Int)]
    )
    func refusals(query: String, code: UInt16, violations: Int) throws {
        var state = try Self.state()
        #expect(Self.open(&state, query).contains(.hangUp(1, .close(code: code))))
        #expect(state.violations.count == violations)
        #expect(SandboxState.frames(try state.command("publish", ["id": "A"])).isEmpty)
    }

    @Test("expire-inbox-tokens makes clients register again") func expiredTokens() throws {
        var state = try Self.state()
        _ = try state.command("expire-inbox-tokens")
        #expect(Self.open(&state).contains(.hangUp(1, .close(code: 4002))))
    }

    @Test("Errors and the end of the stream are frames") func errorFrames() throws {
        var state = try Self.state()
        _ = Self.open(&state)
        #expect(
            SandboxState.frames(try state.command("socket-error", ["code": 40142, "message": "token expired"]))
                == [["type": "error", "code": 40142, "message": "token expired"]]
        )
        #expect(SandboxState.frames(try state.command("socket-close")) == [["type": "close"]])
    }

    @Test("What a client sends is a violation") func clientFrames() throws {
        var state = try Self.state()
        _ = Self.open(&state)
        _ = state.received("PONG", on: 1, wall: Requests.now)
        #expect(state.violations.isEmpty)
        _ = state.received("{}", on: 1, wall: Requests.now)
        #expect(state.violations.map(\.kind) == [.realtime])
    }

    @Test("A drop when opening ends the next socket only") func earlyDrop() throws {
        var state = try Self.state()
        _ = try state.command("drop", ["how": "reset", "at": "open"])
        #expect(Self.open(&state) == [.hangUp(1, .reset)])
        _ = Self.open(&state)
        #expect(state.joinedSockets == [2])
    }

    @Test("An event reaches both kinds of sockets of its user, and no other user") func bothKinds() throws {
        var state = try Self.state()
        _ = Self.open(&state)
        let other = Requests.rest("GET", "/notifications", nil, ["x-magicbell-user-external-id": "bob"])
        _ = state.answer(other)
        #expect(SandboxState.frames(try state.command("publish", ["id": "A", "user": "bob"])).isEmpty)
        #expect(SandboxState.frames(try state.command("publish", ["id": "B", "user": "user-1"])).count == 1)
        #expect(throws: CommandMistake("'user' is required; it is one of user-1, bob.")) {
            try state.command("publish", ["id": "C"])
        }
    }
}
