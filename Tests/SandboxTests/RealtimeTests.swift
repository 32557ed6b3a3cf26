import Testing

@testable import Sandbox

/// Conversations of Engine.IO 4 and Socket.IO 5 from the server's side.
@Suite struct RealtimeTests {
    private static let credentials =
        #"40{"authorization":"SS.PUBK.sandbox","distinct_id":"user-1","schema":"1","tenant_id":"default"}"#

    @Test("A session joins, answers pings and receives events") func session() throws {
        var talk = Conversation()
        #expect(
            talk.open() == [
                #"1 S 0{"maxPayload":1000000,"pingInterval":300,"pingTimeout":200,"sid":"engine-1","upgrades":[]}"#,
                "1 timer ping 300", "1 timer join 45000",
            ]
        )
        #expect(
            talk.client(Self.credentials) == [
                #"1 S 40{"pid":"pid-1","sid":"socket-1"}"#, #"1 S 42["joined_room",{}]"#,
            ]
        )
        #expect(
            try talk.execute("publish", ["n_id": "N1"]) == [
                #"1 S 42["new_notification",{"n_id":"N1"},"1754346745613-0"]"#
            ]
        )
        #expect(talk.fire(.ping) == ["1 S 2", "1 timer pong 200"])
        #expect(talk.client("3") == ["1 timer ping 300"])
        talk.now += 387
        #expect(
            try talk.execute("act", ["n_id": "N1", "action": "read"]) == [
                #"1 S 42["notification_update",{"action":"read","n_id":"N1"},"1754346746000-0"]"#
            ]
        )
        #expect(
            try talk.execute("read-all") == [
                #"1 S 42["bulk_notification_update",{"action":"read","notification_ids":"all"},"1754346746000-1"]"#
            ]
        )
        #expect(
            try talk.execute("emit", ["event": "something_new", "arguments": [["x": 1]], "trailing": []]) == [
                #"1 S 42["something_new",{"x":1}]"#
            ]
        )
        #expect(
            try talk.execute("publish", ["n_id": "N2", "ack": true]) == [
                #"1 S 421["new_notification",{"n_id":"N2"}]"#
            ]
        )
        #expect(talk.client("431[]") == [])
        #expect(talk.state.realtime.acks.first?.arguments == [])
        #expect(talk.client("41") == [])
        #expect(try talk.execute("publish", ["n_id": "N3"]) == [])
        #expect(talk.close() == [])
        #expect(talk.state.violations == [])
    }

    @Test(
        "The next connection can be dropped at each step of joining",
        arguments: [
            ("open", ["1 hang up reset"], []),
            ("handshake", ["1 S 0", "1 timer ping 300", "1 timer join 45000", "1 hang up reset"], []),
            ("connect", ["1 S 0", "1 timer ping 300", "1 timer join 45000"], ["1 hang up reset"]),
            (
                "joined", ["1 S 0", "1 timer ping 300", "1 timer join 45000"],
                [#"1 S 40{"pid":"pid-1","sid":"socket-1"}"#, #"1 S 42["joined_room",{}]"#, "1 hang up reset"]
            ),
        ] as [(String, [String], [String])]
    )
    func earlyDrops(step: String, opening: [String], joining: [String]) throws {
        var talk = Conversation()
        _ = try talk.execute("drop", ["how": "reset", "at": .string(step)])
        #expect(talk.open().map { $0.hasPrefix("1 S 0") ? "1 S 0" : $0 } == opening)
        if !joining.isEmpty { #expect(talk.client(Self.credentials) == joining) }
        _ = talk.close()
        // Only the next connection is dropped.
        _ = talk.open()
        #expect(talk.client(Self.credentials, on: 2).count == 2)
    }

    @Test("A client that does not answer a ping is disconnected") func silence() {
        var talk = Conversation.joined()
        #expect(talk.fire(.ping) == ["1 S 2", "1 timer pong 200"])
        let late = talk.timer(.pong)
        #expect(talk.client("3") == ["1 timer ping 300"])
        #expect(talk.fire(late) == [])
        #expect(talk.fire(.ping) == ["1 S 2", "1 timer pong 200"])
        #expect(talk.fire(.pong) == ["1 hang up close(code: 1000)"])
    }

    @Test("A connection that does not join is closed") func joinTimeout() {
        var talk = Conversation()
        _ = talk.open()
        #expect(talk.fire(.join) == ["1 hang up close(code: 1000)"])
        var joined = Conversation.joined()
        #expect(joined.fire(.join) == [])
    }

    @Test(
        "Wrong credentials are refused, and all but an old token are violations",
        arguments: [
            (#"{}"#, true),
            (#"{"authorization":"other","distinct_id":"user-1","tenant_id":"default","schema":"1"}"#, true),
            (#"{"authorization":"SS.PUBK.sandbox","distinct_id":"nobody","tenant_id":"default","schema":"1"}"#, true),
            (#"{"authorization":"SS.PUBK.sandbox","distinct_id":"user-1","tenant_id":"nowhere","schema":"1"}"#, true),
            (#"{"authorization":"SS.PUBK.sandbox","distinct_id":"user-1","tenant_id":"default","schema":1}"#, true),
            (#"{"authorization":"SS.PUBK.sandbox","distinct_id":"user-1","tenant_id":"default"}"#, true),
            (
                #"""
                {"authorization":"SS.PUBK.sandbox","distinct_id":"user-1","tenant_id":"default","schema":"1","x":"y"}
                """#,
                true
            ),
            // An old token is refused, and is no violation.
            (
                #"""
                {"authorization":"SS.PUBK.sandbox","distinct_id":"user-1","tenant_id":"default","schema":"1",\#
                "x-ss-signature":"a.b.c"}
                """#,
                false
            ),
        ]
    )
    func wrongCredentials(payload: String, isViolation: Bool) {
        var talk = Conversation(SandboxOptions(requireToken: !isViolation))
        _ = talk.open()
        let refusal = #"1 S 44{"message":"Authentication Error: wrong auth token"}"#
        #expect(talk.client("40" + payload) == (isViolation ? ["violation"] : []) + [refusal])
        #expect(talk.state.realtime.connections[1]?.phase == .refused)
    }

    @Test("CONNECT needs a valid token") func tokenAtConnect() throws {
        var talk = Conversation(SandboxOptions(requireToken: true))
        let token = try #require(try talk.state.execute("token", wall: talk.now).answer["token"]?.string)
        let connect = String(Self.credentials.dropLast()) + #","x-ss-signature":"\#(token)"}"#
        _ = talk.open()
        #expect(talk.client(connect).count == 2)
        _ = try talk.execute("rotate-tokens")
        _ = talk.open()
        #expect(talk.client(connect, on: 2).first?.hasPrefix("2 S 44") == true)
    }

    @Test("The command refuse rejects the given number of CONNECTs") func requestedRefusals() throws {
        var talk = Conversation()
        _ = talk.open()
        _ = try talk.execute("refuse", ["message": "limit reached", "data": ["wait": 5], "times": 2])
        let refusal = #"1 S 44{"data":{"wait":5},"message":"limit reached"}"#
        #expect(talk.client(Self.credentials) == [refusal])
        #expect(talk.client(Self.credentials) == [refusal])
        #expect(talk.client(Self.credentials).count == 2)
    }

    @Test("A lost session is resumed with the events that it missed") func recovery() throws {
        var talk = Conversation.joined()
        _ = try talk.execute("publish", ["n_id": "N1"])
        #expect(try talk.execute("drop", ["how": "reset"]) == ["1 hang up reset"])
        _ = talk.close()
        talk.now += 1
        _ = try talk.execute("publish", ["n_id": "N2"])
        _ = try talk.execute("rotate-tokens")
        talk.now += 119_000
        _ = talk.open()
        #expect(
            talk.client(Self.resume, on: 2) == [
                #"2 S 42["new_notification",{"n_id":"N2"},"1754346745614-0"]"#,
                #"2 S 40{"pid":"pid-1","sid":"socket-1"}"#,
            ]
        )
        // And once more, from the offset that was replayed.
        _ = talk.close(2)
        _ = talk.open()
        let again = Self.resume.replacing("1754346745613-0", with: "1754346745614-0")
        #expect(talk.client(again, on: 3) == [#"3 S 40{"pid":"pid-1","sid":"socket-1"}"#])
    }

    private static let resume =
        String(credentials.dropLast()) + #","offset":"1754346745613-0","pid":"pid-1"}"#

    @Test(
        "A session that cannot be resumed starts again",
        arguments: [
            "late", "client left", "server disconnected", "unknown offset", "recovery off", "other user's offset",
        ]
    )
    func noRecovery(reason: String) throws {
        var talk = Conversation.joined(SandboxOptions(users: ["user-1", "user-2"], requireToken: false))
        _ = try talk.execute(
            "publish",
            ["n_id": "N1", "user": .string(reason.hasPrefix("other") ? "user-2" : "user-1")]
        )
        var offset = "1754346745613-0"
        switch reason {
        case "client left": _ = talk.client("41")
        case "server disconnected": #expect(try talk.execute("drop", ["how": "disconnect"]) == ["1 S 41"])
        case "unknown offset": offset = "1-0"
        case "recovery off": _ = try talk.execute("recovery", ["on": false])
        default: break
        }
        _ = talk.close()
        talk.now += reason == "late" ? 120_001 : 10
        _ = talk.open()
        let answer = talk.client(Self.resume.replacing("1754346745613-0", with: offset), on: 2)
        let expected =
            reason == "recovery off" ? #"2 S 40{"sid":"socket-2"}"# : #"2 S 40{"pid":"pid-2","sid":"socket-2"}"#
        #expect(answer == [expected, #"2 S 42["joined_room",{}]"#])
    }

    @Test("Connections end in each of the given ways") func drops() throws {
        for (how, sent) in [
            ("engine-close", ["1 S 1"]), ("disconnect", ["1 S 41"]), ("silence", []),
            ("close", ["1 hang up close(code: 1001)"]), ("finish", ["1 hang up finish"]),
        ] {
            var talk = Conversation.joined()
            #expect(try talk.execute("drop", ["how": .string(how)]) == sent)
            #expect(try talk.execute("publish", ["n_id": "N"]) == [])
            // Only after "41" does the transport live on.
            let isAlive = ["disconnect", "close", "finish"].contains(how)
            #expect(talk.fire(.ping).isEmpty == !isAlive)
        }
    }

    @Test(
        "A frame that no client sends is a violation",
        arguments: [
            "2probe", "5", "6", "x", "", "3", "4", "49", "42[\"hello\"]", "44{}", "43[]", "437[]", "40/feed,{}", "40{",
            "451-[]",
        ]
    )
    func invalidFrames(frame: String) {
        var talk = Conversation.joined()
        #expect(talk.client(frame).contains("violation"))
        #expect(talk.state.violations.map(\.kind) == [.realtime])
    }

    @Test("An event reaches only its user and tenant") func rooms() throws {
        var talk = Conversation.joined(
            SandboxOptions(users: ["user-1", "user-2"], tenants: ["default", "acme"], requireToken: false)
        )
        #expect(try talk.execute("publish", ["n_id": "N", "user": "user-2"]) == [])
        #expect(try talk.execute("publish", ["n_id": "N", "user": "user-1", "tenant": "acme"]) == [])
        #expect(try talk.execute("publish", ["n_id": "N", "user": "user-1", "copies": 2]).count == 2)
    }

    @Test("Events published before the room is entered are not sent, and neither is joined_room")
    func heldRooms() throws {
        var talk = Conversation()
        _ = try talk.execute("hold-rooms")
        _ = talk.open()
        #expect(talk.client(Self.credentials) == [#"1 S 40{"pid":"pid-1","sid":"socket-1"}"#])
        #expect(try talk.execute("publish", ["n_id": "N1"]) == [])
        #expect(try talk.execute("emit", ["event": "something_new"]) == [])
        #expect(try talk.execute("hold-rooms", ["on": false]) == [#"1 S 42["joined_room",{}]"#])
        #expect(try talk.execute("hold-rooms", ["on": false]) == [])
        #expect(
            try talk.execute("publish", ["n_id": "N2"]) == [
                #"1 S 42["new_notification",{"n_id":"N2"},"1754346745613-2"]"#
            ]
        )
        _ = talk.open()
        #expect(talk.client(Self.credentials, on: 2).count == 2)
    }

    @Test("Raw text and binary frames are sent unchanged") func rawFrames() throws {
        var talk = Conversation.joined()
        #expect(try talk.execute("frame", ["text": "40/feed,{\"sid\":\"x\"}"]) == ["1 S 40/feed,{\"sid\":\"x\"}"])
        #expect(try talk.execute("frame", ["binary": [1, 2]]) == ["1 S binary [1, 2]"])
    }

    @Test("Only one form of the upgrade is accepted") func upgrade() {
        func accepts(_ target: String) -> Bool {
            EngineUpgrade.isValid(ServiceRequest(method: "GET", target: target))
        }
        #expect(accepts("/socket.io/?EIO=4&transport=websocket"))
        #expect(accepts("/socket.io/?transport=websocket&EIO=4&t=1754346745.6"))
        for target in [
            "/socket.io?EIO=4&transport=websocket", "/socket.io/?EIO=3&transport=websocket", "/socket.io/",
            "/socket.io/?EIO=4&transport=polling", "/socket.io/?EIO=4&transport=websocket&sid=x", "/other",
        ] {
            #expect(!accepts(target))
        }
    }

    @Test("Mutated frames are handled") func mutatedFrames() {
        var random = Mutation(seed: 11)
        let seeds = [
            Self.credentials, "431[]", "42[\"x\",{\"y\":1}]", "451-[\"x\",{\"_placeholder\":true}]", "40/feed,{}",
        ]
        for round in 0..<2_000 {
            var talk = Conversation()
            _ = talk.open()
            _ = talk.client(random.mutate(seeds[round % seeds.count]))
            _ = talk.client(random.mutate(Self.resume))
            #expect(talk.state.realtime.connections.count == 1)
        }
    }
}

/// Sends frames to a ``SandboxState`` and records its effects.
struct Conversation {
    var state: SandboxState
    var now = Requests.now
    private var timers: [RealtimeServer.Timer] = []

    init(_ options: SandboxOptions = .open) {
        var options = options
        options.pingInterval = 300
        options.pingTimeout = 200
        state = SandboxState(options: options)
    }

    static func joined(_ options: SandboxOptions = .open) -> Conversation {
        var talk = Conversation(options)
        _ = talk.open()
        _ = talk.client(
            #"40{"authorization":"SS.PUBK.sandbox","distinct_id":"user-1","schema":"1","tenant_id":"default"}"#
        )
        return talk
    }

    mutating func open() -> [String] { describe(state.realtime.opened().effects) }
    mutating func client(_ text: String, on id: Int = 1) -> [String] {
        describe(state.received(text, on: id, wall: now))
    }
    mutating func close(_ id: Int = 1) -> [String] { describe(state.closed(id, wall: now)) }
    mutating func execute(_ name: String, _ arguments: JSON = [:]) throws -> [String] {
        describe(try state.execute(name, arguments, wall: now).effects)
    }

    func timer(_ purpose: RealtimeServer.Timer.Purpose) -> RealtimeServer.Timer? {
        timers.last { $0.purpose == purpose }
    }
    mutating func fire(_ purpose: RealtimeServer.Timer.Purpose) -> [String] { fire(timer(purpose)) }
    mutating func fire(_ timer: RealtimeServer.Timer?) -> [String] {
        timer.map { describe(state.realtime.timerFired($0)) } ?? ["no such timer"]
    }

    private mutating func describe(_ effects: [RealtimeServer.Effect]) -> [String] {
        effects.compactMap { effect in
            switch effect {
            case .send(let id, let text): return "\(id) S \(text)"
            case .sendBinary(let id, let bytes): return "\(id) S binary \(bytes)"
            case .startTimer(let timer, let delay):
                timers.append(timer)
                return "\(timer.connection) timer \(timer.purpose) \(delay)"
            case .hangUp(let id, let how): return "\(id) hang up \(how)"
            case .violation: return "violation"
            case .log: return nil
            }
        }
    }
}
