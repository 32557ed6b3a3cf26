import Testing

@testable import Sandbox

@Suite struct CommandTests {
    @Test("A command line does what its arguments say") func lines() throws {
        let lines: [(String, (SandboxState) -> Bool)] = [
            (#"publish {"n_id":"y","text":"Hi"}"#, { $0.ids == ["y", "x"] }),
            (#"publish {"text":"Hi","count":3,"user":"user-1"}"#, { $0.ids.count == 4 }),
            (#"publish {"notifications":[{"n_id":"y"},{"n_id":"z"}]}"#, { $0.ids == ["z", "y", "x"] }),
            (#"publish-raw {"row":{"n_id":"y"},"announce":false}"#, { $0.ids == ["x", "y"] }),
            ("samples", { $0.ids.count == 9 }),
            (#"update {"n_id":"x","patch":{"is_pinned":true}}"#, { $0.x?["is_pinned"] == true }),
            (#"expire {"n_id":"x"}"#, { $0.x?["expiry"] == .integer(Requests.now - 1) }),
            (#"act {"n_id":"x","action":"interacted"}"#, { $0.x?["interacted_on"] == .integer(Requests.now) }),
            (#"archive {"n_id":"x","tenant":"default"}"#, { $0.x?["archived"] == true }),
            (#"remove {"n_id":"x"}"#, { $0.ids == [] }),
            (#"seen {"notification_ids":["x","y"]}"#, { $0.x?["seen_on"] == .integer(Requests.now) }),
            ("read-all", { $0.x?["read_on"] == .integer(Requests.now) }),
            ("reset-badge {}", { $0.inbox.badge(now: Requests.now) == 0 }),
            (#"preferences {"sections":[],"channel_preferences":[1]}"#, { $0.inbox.preferences.channels == [1] }),
            ("hold-rooms", { $0.realtime.holdsRooms }), (#"hold-rooms {"on":false}"#, { !$0.realtime.holdsRooms }),
            (#"drop {"how":"finish","at":"open","times":2}"#, { $0.realtime.earlyDrops.count == 2 }),
            ("refuse", { $0.realtime.refusals.map(\.message) == ["Authentication Error: wrong auth token"] }),
            (
                #"pings {"interval_ms":3,"timeout_ms":2}"#,
                { $0.realtime.pingInterval == 3 && $0.realtime.pingTimeout == 2 }
            ),
            (
                #"recovery {"on":false,"window_ms":5}"#,
                { !$0.realtime.recovery && $0.realtime.recoveryWindow == 5 }
            ),
            (#"enforce-tokens {"on":false}"#, { !$0.service.requireToken }),
            ("rotate-tokens", { $0.service.tokenGeneration == 2 }),
            (#"clock {"offset_ms":-5}"#, { $0.clockOffset == -5 }),
        ]
        for (line, isDone) in lines {
            var state = try SandboxState(rows: [["n_id": "x"]])
            _ = try state.execute(line: line)
            let isDone = isDone(state)
            #expect(isDone, "\(line)")
        }
    }

    @Test(
        "A fault is read from its arguments",
        arguments: [
            (#"{"kind":"html"}"#, RequestFault(.respond(html))), (#"{"status":503}"#, .status(503)),
            (
                #"{"kind":"delay","delay_ms":5,"method":"GET","path":"/v1","times":2,"applied":true}"#,
                RequestFault(.delay(milliseconds: 5), method: "GET", path: "/v1", times: 2, applied: true)
            ),
            (#"{"kind":"truncated","upgrade":true}"#, RequestFault(.truncated, onlyUpgrades: true)),
            (#"{"kind":"hold"}"#, RequestFault(.hold)), (#"{"kind":"close-mid-body"}"#, RequestFault(.closeMidBody)),
            (#"{"kind":"close"}"#, RequestFault(.close)), (#"{"kind":"reset"}"#, RequestFault(.reset)),
            (#"{"kind":"endless"}"#, RequestFault(.endless)),
            (#"{"kind":"slow-loris"}"#, RequestFault(.slowLoris(milliseconds: 1000))),
            (#"{"kind":"large"}"#, RequestFault(.large(bytes: 100_000_000))),
        ]
    )
    func faults(arguments: String, fault: RequestFault) throws {
        var state = SandboxState()
        _ = try state.execute(line: "fault \(arguments)")
        #expect(state.faults == [fault])
        _ = try state.execute("clear-faults")
        #expect(state.faults == [])
    }

    private static let html = ServiceResponse(
        status: 502,
        headers: ["Content-Type": "text/html"],
        body: Array("<html>bad gateway</html>".utf8)
    )

    @Test(
        "An invalid command line returns a sentence that names the mistake",
        arguments: [
            ("frobnicate", "There is no command 'frobnicate'; 'help' lists them."),
            ("publish {", "The arguments of 'publish' are not JSON: {"),
            ("state []", "'state' requires a JSON object."),
            (#"state {"verbose":true}"#, "'state' has no argument 'verbose'."),
            (#"pings {"interval_ms":300}"#, "'pings' needs 'timeout_ms'."),
            (#"pings {"interval_ms":0,"timeout_ms":1}"#, "'interval_ms' of 'pings' must be from 1 to 86400000."),
            (#"expire {"id":"x"}"#, "'expire' needs 'n_id'."),
            (#"expire {"n_id":"x","when":1}"#, "'expire' has no argument 'when', only n_id, tenant, user."),
            (#"publish {"count":0}"#, "'count' of 'publish' must be from 1 to 10000."),
            (
                #"drop {"how":"gently"}"#,
                "'how' of 'drop' must be one of reset, finish, close, engine-close, disconnect, silence."
            ),
            (
                #"act {"n_id":"x","action":"delete"}"#,
                "'action' of 'act' must be one of seen, read, unread, interacted, archive."
            ),
            (#"frame {"binary":[256]}"#, "'binary' of 'frame' must be a list of bytes."),
            (#"fault {"status":99}"#, "'status' of 'fault' must be from 200 to 599."),
        ]
    )
    func invalidLines(line: String, sentence: String) {
        var state = SandboxState()
        #expect(throws: CommandMistake(sentence)) { try state.execute(line: line) }
    }

    @Test("A command with an unknown argument changes nothing") func rejectedCommand() throws {
        var state = try SandboxState(rows: [["n_id": "x"]])
        for name in ["remove", "expire", "archive"] {
            #expect(throws: CommandMistake.self) { try state.execute(name, ["n_id": "x", "when": 1]) }
        }
        #expect(state.x == (try SandboxState(rows: [["n_id": "x"]])).x)
    }

    @Test("An empty line is ignored") func emptyLine() throws {
        #expect(try SandboxCommand(line: "   ") == nil)
    }

    @Test(
        "Every command is in the help of its service, whose lines have at most 80 characters",
        arguments: [
            (
                SandboxOptions(), CommandHelp.text,
                """
                publish publish-raw samples update expire act archive remove seen read-all reset-badge preferences \
                emit frame drop hold-rooms refuse pings recovery fault release clear-faults token enforce-tokens \
                rotate-tokens clock state connections acks violations events requests interactions notifications \
                clear help
                """
            ),
            (
                .magicBell(MagicBellOptions()), MagicBellHelp.text,
                """
                publish samples update act delete read-all seen-all remove shrink-pages rest preferences emit frame \
                drop socket-error socket-close expire-inbox-tokens announce refuse expire-ably-tokens ably fault \
                release clear-faults token rotate-tokens hmac require-hmac clock state connections notifications \
                tokens violations requests clear help
                """
            ),
        ] as [(SandboxOptions, String, String)]
    )
    func everyCommandIsInTheHelp(options: SandboxOptions, help: String, names: String) throws {
        var state = SandboxState(options: options)
        for name in names.split(separator: " ") {
            // The name is known; only arguments may be missing.
            do throws(CommandMistake) {
                _ = try state.execute(String(name))
            } catch {
                #expect(!error.sentence.hasPrefix("There is no command"))
            }
            #expect(help.contains(name))
        }
        #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(try state.execute("help", wall: 0).answer == .string(help))
    }

    @Test("An ambiguous or unknown user is rejected") func ambiguousUser() throws {
        var state = SandboxState(options: SandboxOptions(users: ["a", "b"]))
        #expect(throws: CommandMistake("'user' is required; it is one of a, b.")) {
            try state.execute("reset-badge", wall: 0)
        }
        #expect(throws: CommandMistake("There is no user 'c', only a, b.")) {
            try state.execute("reset-badge", ["user": "c"], wall: 0)
        }
        #expect(throws: CommandMistake("There is no notification 'x'.")) {
            try state.execute("expire", ["n_id": "x", "user": "a"], wall: 0)
        }
        #expect(throws: CommandMistake("There is no connection 9.")) {
            try state.execute("drop", ["how": "silence", "connection": 9], wall: 0)
        }
    }

    @Test("publish adds the members that a row lacks") func publishDefaults() throws {
        var state = SandboxState()
        let answer = try state.execute("publish", ["header": "Hi", "tags": ["a"], "x": 1], wall: Requests.now).answer
        let id = try #require(answer["n_ids"]?.array?.first?.string)
        #expect(id.count == 26)
        let row = try #require(state.service[InboxKey(user: "user-1")].row(id)?.json)
        #expect(row["created_on"] == .integer(Requests.now))
        #expect(row["message"]?["header"] == "Hi")
        #expect(row["message"]?["text"] == "")
        #expect((row["tags"], row["x"], row["is_pinned"]) == (["a"], 1, false))
    }

    @Test("Ids sort by time, then by order of creation") func idOrder() {
        let ids = [(1, 1), (1, 2), (1, 40), (2, 1), (1_754_346_745_613, 1)].map {
            ULID.make(milliseconds: $0.0, counter: $0.1)
        }
        #expect(ids == ids.sorted())
        #expect(Set(ids).count == ids.count)
        #expect(ids.last?.hasPrefix("01K1VKDVRD") == true)
    }

    @Test("update changes only the members that it names") func update() throws {
        var state = try SandboxState(rows: [["n_id": "A", "header": "old", "text": "t"]])
        _ = try state.execute(
            "update",
            ["n_id": "A", "patch": ["header": "new", "is_pinned": true]],
            wall: Requests.now
        )
        let row = try #require(state.service[InboxKey(user: "user-1")].row("A")?.json)
        #expect((row["message"]?["header"], row["message"]?["text"]) == ("new", "t"))
        #expect(row["is_pinned"] == true)
    }

    @Test("Faults match requests, are counted and decide their effect") func faults() throws {
        var state = try SandboxState(rows: [["n_id": "A"]])
        let read = Requests.action("PATCH", "notifications/A/read")
        state.faults = [.status(503, method: "PATCH", path: "/v1/feed", times: 1)]
        #expect(state.handle(Requests.feed("notifications_count"), wall: Requests.now).response.status == 200)
        #expect(state.handle(read, wall: Requests.now).response.status == 503)
        #expect(state.service[InboxKey(user: "user-1")].row("A")?.isRead == false)
        state.faults = [.status(503, applied: true)]
        #expect(state.handle(read, wall: Requests.now).response.status == 503)
        #expect(state.service[InboxKey(user: "user-1")].row("A")?.isRead == true)
        #expect(state.handle(read, wall: Requests.now).response.status == 200)
        #expect(state.faults.isEmpty)
        #expect(state.requests.map(\.isSpoilt) == [false, true, true, false])
    }

    @Test("An upgrade that a fault refused is no violation, also after the fault")
    func anUpgradeAfterTheFault() {
        var state = SandboxState()
        let target = "/socket.io/?EIO=4&transport=websocket"
        let upgrade = ServiceRequest(method: "GET", target: target, headers: ["upgrade": "websocket"])
        #expect(state.handle(upgrade, wall: Requests.now).response.status == 400)
        #expect(state.violations.isEmpty)
        _ = state.handle(ServiceRequest(method: "GET", target: target), wall: Requests.now)
        #expect(state.violations.count == 1, "a request without an upgrade still is one")
    }

    @Test("The clock's offset applies to new rows") func clock() throws {
        var state = SandboxState()
        _ = try state.execute("clock", ["offset_ms": 5_000], wall: 0)
        _ = try state.execute("publish", ["n_id": "A"], wall: Requests.now)
        #expect(state.service[InboxKey(user: "user-1")].row("A")?.createdOn == Requests.now + 5_000)
    }

    @Test(
        "Dates have the form of HTTP",
        arguments: [
            (1_754_346_745_613, "Mon, 04 Aug 2025 22:32:25 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (951_782_400_000, "Tue, 29 Feb 2000 00:00:00 GMT"), (1_798_761_599_999, "Thu, 31 Dec 2026 23:59:59 GMT"),
        ] as [(Int64, String)]
    )
    func httpDates(milliseconds: Int64, text: String) {
        #expect(HTTPTimestamp.text(milliseconds) == text)
    }

    @Test("A time in ISO 8601 has each of its milliseconds") func isoTimes() {
        for millisecond in 100...999 {
            let text = ISODate.text(1_754_346_745_000 + Int64(millisecond))
            #expect(text == "2025-08-04T22:32:25.\(millisecond)Z")
        }
    }
}

extension SandboxState {
    fileprivate var inbox: StoredInbox { service[InboxKey(user: "user-1")] }
    fileprivate var ids: [String] { inbox.rows.map(\.id) }
    fileprivate var x: JSON? { inbox.row("x")?.json }
}
