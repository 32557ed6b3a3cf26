import Testing

@testable import Sandbox

@Suite struct CommandTests {
    @Test(
        "A command line is read with its arguments",
        arguments: [
            (#"publish {"text":"Hi"}"#, .publish([["text": "Hi"]])),
            (
                #"publish {"text":"Hi","count":2,"user":"a"}"#,
                .publish([["text": "Hi"], ["text": "Hi"]], to: Recipient("a"))
            ),
            (
                #"publish {"notifications":[{"text":"1"}],"ack":true,"trailing":["x"],"copies":2,"announce":false}"#,
                .publish([["text": "1"]], as: .init(wantsAck: true, trailing: ["x"], copies: 2), announced: false)
            ),
            (#"publish-raw {"row":{"n_id":"x"}}"#, .publishRaw(["n_id": "x"])),
            ("samples", .samples()),
            (#"update {"n_id":"x","patch":{"is_pinned":true}}"#, .update("x", ["is_pinned": true])),
            (#"expire {"n_id":"x"}"#, .expire("x")),
            (#"act {"n_id":"x","action":"interacted"}"#, .act(.interacted, "x")),
            (#"archive {"n_id":"x","tenant":"acme"}"#, .act(.archive, "x", of: Recipient(tenant: "acme"))),
            (#"remove {"n_id":"x"}"#, .remove("x")),
            (#"seen {"notification_ids":["x","y"]}"#, .bulkSeen(["x", "y"])),
            ("read-all", .readAll()), ("reset-badge {}", .resetBadge()),
            (
                #"preferences {"sections":[],"channel_preferences":[]}"#,
                .preferences(StoredPreferences(sections: [], channels: []))
            ),
            (#"emit {"event":"e","arguments":[1]}"#, .emit("e", [1])),
            (#"frame {"text":"6"}"#, .frame("6")), (#"frame {"binary":[0,255]}"#, .binaryFrame([0, 255])),
            (#"drop {"how":"reset"}"#, .drop(.hangUp(.reset))), (#"drop {"how":"finish"}"#, .drop(.hangUp(.finish))),
            (#"drop {"how":"close","code":1012,"connection":3}"#, .drop(.hangUp(.close(code: 1012)), connection: 3)),
            (#"drop {"how":"close"}"#, .drop(.hangUp(.close(code: 1001)))),
            (#"drop {"how":"engine-close"}"#, .drop(.engineClose)), (#"drop {"how":"disconnect"}"#, .drop(.disconnect)),
            (#"drop {"how":"silence"}"#, .drop(.silence)),
            (
                #"drop {"how":"reset","at":"connect","times":2}"#,
                .dropEarly(.init(drop: .hangUp(.reset), step: .connect), times: 2)
            ),
            ("hold-rooms", .holdRooms(true)), (#"hold-rooms {"on":false}"#, .holdRooms(false)),
            ("refuse", .refuse(ConnectRefusal(message: "Authentication Error: wrong auth token"))),
            (#"refuse {"times":2,"message":"m","data":1}"#, .refuse(ConnectRefusal(message: "m", data: 1), times: 2)),
            (#"pings {"interval_ms":300,"timeout_ms":200}"#, .pings(interval: 300, timeout: 200)),
            (#"recovery {"on":false,"window_ms":5}"#, .recovery(false, window: 5)),
            (#"token {"lifetime_s":-5,"generation":2}"#, .token(lifetime: -5, generation: 2)),
            (#"enforce-tokens {"on":false}"#, .enforceTokens(false)), ("rotate-tokens", .rotateTokens),
            (#"clock {"offset_ms":-5}"#, .clock(offset: -5)), ("release", .release), ("clear-faults", .clearFaults),
            ("state", .list(.state)), (#"requests {"after":7}"#, .list(.requests(after: 7))), ("clear", .clear),
            ("help", .help),
            (#"fault {"kind":"html"}"#, .fault(RequestFault(.respond(html)))),
            (
                #"fault {"kind":"delay","delay_ms":5,"method":"GET","path":"/v1","times":2,"applied":true}"#,
                .fault(RequestFault(.delay(milliseconds: 5), method: "GET", path: "/v1", times: 2, applied: true))
            ),
            (#"fault {"status":503}"#, .fault(.status(503))),
            (#"fault {"kind":"hold"}"#, .fault(RequestFault(.hold))),
            (#"fault {"kind":"close-mid-body"}"#, .fault(RequestFault(.closeMidBody))),
            (#"fault {"kind":"close"}"#, .fault(RequestFault(.close))),
            (#"fault {"kind":"reset"}"#, .fault(RequestFault(.reset))),
            (#"fault {"kind":"endless"}"#, .fault(RequestFault(.endless))),
            (#"fault {"kind":"slow-loris"}"#, .fault(RequestFault(.slowLoris(milliseconds: 1000)))),
            (#"fault {"kind":"large"}"#, .fault(RequestFault(.large(bytes: 100_000_000)))),
        ] as [(String, SandboxCommand)]
    )
    func lines(line: String, command: SandboxCommand) throws {
        #expect(try SandboxCommand.line(line) == command)
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
        #expect(throws: CommandMistake(sentence)) { try SandboxCommand.line(line) }
    }

    @Test("An empty line is ignored") func emptyLine() throws {
        #expect(try SandboxCommand.line("   ") == nil)
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
        for name in names.split(separator: " ") {
            // The name is known; only arguments may be missing.
            do throws(CommandMistake) {
                _ = try SandboxCommand(name: String(name), of: options.service)
            } catch {
                #expect(!error.sentence.hasPrefix("There is no command"))
            }
            #expect(help.contains(name))
        }
        #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
        var state = SandboxState(options: options)
        #expect(try state.perform(.help, wall: 0).answer == .string(help))
    }

    @Test("An ambiguous or unknown user is rejected") func ambiguousUser() throws {
        var state = SandboxState(options: SandboxOptions(users: ["a", "b"]))
        #expect(throws: CommandMistake("'user' is required; it is one of a, b.")) {
            try state.perform(.resetBadge(), wall: 0)
        }
        #expect(throws: CommandMistake("There is no user 'c', only a, b.")) {
            try state.perform(.resetBadge(of: Recipient("c")), wall: 0)
        }
        #expect(throws: CommandMistake("There is no notification 'x'.")) {
            try state.perform(.expire("x", of: Recipient("a")), wall: 0)
        }
        #expect(throws: CommandMistake("There is no connection 9.")) {
            try state.perform(.drop(.silence, connection: 9), wall: 0)
        }
    }

    @Test("publish adds the members that a row lacks") func publishDefaults() throws {
        var state = SandboxState()
        let answer = try state.perform(.publish([["header": "Hi", "tags": ["a"], "x": 1]]), wall: Requests.now).answer
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
        _ = try state.perform(.update("A", ["header": "new", "is_pinned": true]), wall: Requests.now)
        let row = try #require(state.service[InboxKey(user: "user-1")].row("A")?.json)
        #expect((row["message"]?["header"], row["message"]?["text"]) == ("new", "t"))
        #expect(row["is_pinned"] == true)
    }

    @Test("Faults match requests, are counted and decide their effect") func faults() throws {
        var state = try SandboxState(rows: [["n_id": "A"]])
        let read = Requests.action("PATCH", "notifications/A/read")
        _ = try state.perform(.fault(.status(503, method: "PATCH", path: "/v1/feed", times: 1)), wall: 0)
        #expect(state.handle(Requests.feed("notifications_count"), wall: Requests.now).response.status == 200)
        #expect(state.handle(read, wall: Requests.now).response.status == 503)
        #expect(state.service[InboxKey(user: "user-1")].row("A")?.isRead == false)
        _ = try state.perform(.fault(.status(503, applied: true)), wall: 0)
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
        _ = try state.perform(.clock(offset: 5_000), wall: 0)
        _ = try state.perform(.publish([["n_id": "A"]]), wall: Requests.now)
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
}
